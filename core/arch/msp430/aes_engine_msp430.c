/* SPDX-License-Identifier: Apache-2.0 */
#include "block/aes_rounds.h"

#include "common/bytes.h"
#include "mode/counter.h"

#if SAMARA_ARCH_MSP430_AES_ENGINE

/* AES by the AES256 engine of the MSP430FR59xx and FR69xx, as TI's driverlib
 * uses it, and the crate msp430fr5969-hal, which was tried on a chip: the key,
 * then blocks, in words of which the first byte is the lower.
 * 168 cycles a block for keys of 128 bits, 234 for 256. A call that needs the
 * engine gives it the key, and resets it at the end, to clear its key. It
 * must not be used from an interrupt while a call is running. Round keys: only
 * the first ones, which are the key, are kept. */

/* As text for assembly, and as numbers. */
#define ENGINE_CONTROL "&0x09c0"
#define ENGINE_STATUS "&0x09c4"
#define ENGINE_KEY "&0x09c6"
#define ENGINE_IN "&0x09c8"
#define ENGINE_OUT "&0x09ca"

/* Bits of AESACTL0 and AESASTAT. Operation 1 decrypts with the same key. */
enum { ENGINE_ENCRYPT = 0, ENGINE_DECRYPT = 1, ENGINE_KEY_LENGTH = 4 };
#define ENGINE_RESET "#0x0080"
#define ENGINE_BUSY "#1"
#define ENGINE_KEY_WRITTEN "#2"

/* A block in its eight words, spelled out: counting would take a third of the
 * time. In functions that are not inlined: the compiler takes .rept for a
 * single instruction, and no branch may cross it. Blocks may lie at any
 * address, and words not: so each is made of two bytes. */
#define ENGINE_COPY(word) ".rept 8\n" word ".endr\n"
#define ENGINE_JOIN "swpb %[high]\nbis %[high], %[low]\n"
#define ENGINE_FORGET "clr %[low]\nclr %[high]\n"

SAMARA_NOT_INLINED static void engine_write(const uint8_t *block) {
  uint16_t low;
  uint16_t high;
  __asm__ __volatile__(
      ENGINE_COPY("mov.b @%[block]+, %[low]\n"
                  "mov.b @%[block]+, %[high]\n" ENGINE_JOIN
                  "mov %[low], " ENGINE_IN "\n") ENGINE_FORGET
      : [block] "+r"(block), [low] "=&r"(low), [high] "=&r"(high)
      :
      : "memory");
}

/* The sum of two blocks. */
SAMARA_NOT_INLINED static void engine_write_sum(const uint8_t *block,
                                                const uint8_t *other) {
  uint16_t low;
  uint16_t high;
  __asm__ __volatile__(ENGINE_COPY("mov.b @%[block]+, %[low]\n"
                                   "xor.b @%[other]+, %[low]\n"
                                   "mov.b @%[block]+, %[high]\n"
                                   "xor.b @%[other]+, %[high]\n" ENGINE_JOIN
                                   "mov %[low], " ENGINE_IN "\n") ENGINE_FORGET
                       : [block] "+r"(block), [other] "+r"(other),
                         [low] "=&r"(low), [high] "=&r"(high)
                       :
                       : "memory");
}

/* Waits for the result. */
SAMARA_NOT_INLINED static void engine_read(uint8_t *block) {
  uint16_t low;
  __asm__ __volatile__(
      "1: bit " ENGINE_BUSY ", " ENGINE_STATUS
      "\njnz 1b\n" ENGINE_COPY("mov " ENGINE_OUT ", %[low]\n"
                               "mov.b %[low], 0(%[block])\n"
                               "swpb %[low]\n"
                               "mov.b %[low], 1(%[block])\n"
                               "incd %[block]\n") "clr %[low]\n"
      : [block] "+r"(block), [low] "=&r"(low)
      :
      : "memory");
}

/* The same: output = input + the result. */
SAMARA_NOT_INLINED static void engine_read_and_add(uint8_t *output,
                                                   const uint8_t *input) {
  uint16_t low;
  uint16_t high;
  __asm__ __volatile__("1: bit " ENGINE_BUSY ", " ENGINE_STATUS
                       "\njnz 1b\n" ENGINE_COPY("mov " ENGINE_OUT ", %[low]\n"
                                                "mov.b @%[input]+, %[high]\n"
                                                "xor.b %[low], %[high]\n"
                                                "mov.b %[high], 0(%[output])\n"
                                                "swpb %[low]\n"
                                                "xor.b @%[input]+, %[low]\n"
                                                "mov.b %[low], 1(%[output])\n"
                                                "incd %[output]\n")
                           ENGINE_FORGET
                       : [output] "+r"(output), [input] "+r"(input),
                         [low] "=&r"(low), [high] "=&r"(high)
                       :
                       : "memory");
}

/* Clears key and data in the engine. */
SAMARA_INLINE void engine_reset(void) {
  __asm__ __volatile__("mov " ENGINE_RESET ", " ENGINE_CONTROL : : : "memory");
}

/* From memory to the engine, without a register of the processor. */
SAMARA_NOT_INLINED static void engine_set_key(const uint32_t *round_keys,
                                              unsigned rounds,
                                              uint16_t operation) {
  const unsigned key_words = rounds - 6;
  unsigned left = 2 * key_words;
  const uint16_t control =
      (uint16_t)(operation | (key_words - 4) / 2 * ENGINE_KEY_LENGTH);
  engine_reset();
  __asm__ __volatile__("mov %[control], " ENGINE_CONTROL "\n"
                       "1: mov @%[key], " ENGINE_KEY "\n"
                       "incd %[key]\n"
                       "dec %[left]\n"
                       "jnz 1b\n"
                       "2: bit " ENGINE_KEY_WRITTEN ", " ENGINE_STATUS "\n"
                       "jz 2b\n"
                       : [key] "+r"(round_keys), [left] "+r"(left)
                       : [control] "r"(control)
                       : "memory");
}

static void engine_crypt(const uint32_t *round_keys, unsigned rounds,
                         uint16_t operation, uint8_t *output,
                         const uint8_t *input, size_t count) {
  engine_set_key(round_keys, rounds, operation);
  for (; count != 0; count--, output += 16, input += 16) {
    engine_write(input);
    engine_read(output);
  }
  engine_reset();
}

void samara_aes_engine_expand_key(uint32_t *round_keys, const uint8_t *key,
                                  unsigned key_words) {
  samara_copy_bytes((uint8_t *)round_keys, key, 4 * (size_t)key_words);
}

void samara_aes_engine_encrypt(const uint32_t *round_keys, unsigned rounds,
                               uint8_t *output, const uint8_t *input,
                               size_t count) {
  engine_crypt(round_keys, rounds, ENGINE_ENCRYPT, output, input, count);
}

void samara_aes_engine_decrypt(const uint32_t *round_keys, unsigned rounds,
                               uint8_t *output, const uint8_t *input,
                               size_t count) {
  engine_crypt(round_keys, rounds, ENGINE_DECRYPT, output, input, count);
}

void samara_aes_engine_absorb_blocks(const uint32_t *round_keys, uint8_t rounds,
                                     uint8_t *block, const uint8_t *input,
                                     size_t count) {
  engine_set_key(round_keys, rounds, ENGINE_ENCRYPT);
  for (; count != 0; count--, input += 16) {
    engine_write_sum(block, input);
    engine_read(block);
  }
  engine_reset();
}

void samara_aes_engine_count_blocks(const uint32_t *round_keys, uint8_t rounds,
                                    uint8_t *output, const uint8_t *input,
                                    uint8_t *counter, uint8_t first,
                                    size_t count) {
  engine_set_key(round_keys, rounds, ENGINE_ENCRYPT);
  samara_counter counted = samara_counter_load(counter);
  for (; count != 0; count--, output += 16, input += 16) {
    engine_write(counter);
    samara_count_up(&counted, first); /* while the engine works */
    engine_read_and_add(output, input);
  }
  engine_reset();
}

#endif
