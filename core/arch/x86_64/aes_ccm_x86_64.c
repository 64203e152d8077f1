/* SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/aes_modes.h"
#include "common/bytes.h"
#include "mode/counter.h"

#if SAMARA_ARCH_X86_64

/* CCM of one message: encryption and CBC-MAC in one pass.
 *
 *   samara_aes_x86_64_ccm(round_keys, rounds, opening, output, mac, counter,
 *                         input, count)
 *
 * adds `count` blocks of message to the CBC-MAC at `mac` and encrypts or
 * decrypts them with the counters from `counter` on, whose last eight bytes do
 * not carry.
 *
 * Each block of the MAC waits for the one before it: ten rounds of four cycles,
 * in which the unit that could begin two a cycle begins one. The counters'
 * rounds go into that time and cost nothing. What bounds the time is the chain,
 * so that nothing else stands in it: the last round key of a block and the
 * first of the next, and the block between them, are added beforehand, and the
 * last round of AES adds them all.
 *
 * Registers: `chain`, the state of the MAC with the first round key and its
 * block already added; `stream`, a counter on its way to be keystream; the
 * round keys, as many as the compiler keeps. When opening, the keystream is one
 * block ahead of the MAC. */

#include <smmintrin.h>
#include <wmmintrin.h>

#define CCM_TARGET __attribute__((target("aes,ssse3,sse4.1")))
#define CCM_INLINE CCM_TARGET static inline __attribute__((always_inline))

/* What does not change within a message. */
typedef struct ccm_keys {
  const __m128i *round_keys;
  unsigned rounds;
  __m128i first;  /* round key */
  __m128i joined; /* the last and the first */
} ccm_keys;

CCM_INLINE __m128i ccm_load(const void *bytes) {
  return _mm_loadu_si128((const __m128i *)bytes);
}

CCM_INLINE void ccm_store(void *bytes, __m128i block) {
  _mm_storeu_si128((__m128i *)bytes, block);
}

CCM_INLINE __m128i ccm_counter(__m128i number) {
  return _mm_shuffle_epi8(number, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
                                               11, 12, 13, 14, 15));
}

CCM_INLINE __m128i ccm_key(const ccm_keys *keys, size_t i) {
  return ccm_load(keys->round_keys + i);
}

/* The rounds between the first addition of a round key and the last round, of
 * both at once. */
CCM_INLINE void ccm_rounds(const ccm_keys *keys, __m128i *chain,
                           __m128i *stream) {
#define CCM_ROUND(i)                                                           \
  *chain = _mm_aesenc_si128(*chain, ccm_key(keys, i));                         \
  *stream = _mm_aesenc_si128(*stream, ccm_key(keys, i))
  CCM_ROUND(1);
  CCM_ROUND(2);
  CCM_ROUND(3);
  CCM_ROUND(4);
  CCM_ROUND(5);
  CCM_ROUND(6);
  CCM_ROUND(7);
  CCM_ROUND(8);
  CCM_ROUND(9);
  for (unsigned i = 10; i < keys->rounds; i++) {
    CCM_ROUND(i);
  }
#undef CCM_ROUND
}

CCM_INLINE __m128i ccm_stream_alone(const ccm_keys *keys, __m128i number) {
  __m128i s = _mm_xor_si128(ccm_counter(number), keys->first);
  for (unsigned i = 1; i < keys->rounds; i++) {
    s = _mm_aesenc_si128(s, ccm_key(keys, i));
  }
  return _mm_aesenclast_si128(s, ccm_key(keys, keys->rounds));
}

CCM_INLINE __m128i ccm_last_round(const ccm_keys *keys, __m128i stream) {
  return _mm_aesenclast_si128(stream, ccm_key(keys, keys->rounds));
}

/* `chain` has the first block. Returns the MAC. */
CCM_INLINE __m128i ccm_seal_blocks(const ccm_keys *keys, uint8_t *output,
                                   __m128i chain, __m128i number,
                                   const uint8_t *input, size_t count) {
  const __m128i one = _mm_set_epi64x(0, 1);
  __m128i block = ccm_load(input);
  chain = _mm_xor_si128(chain, block);
  for (; count != 0; count--) {
    /* Read before the output, which may be the same buffer, is written. */
    const __m128i next =
        count == 1 ? _mm_setzero_si128() : ccm_load(input + 16);
    __m128i stream = _mm_xor_si128(ccm_counter(number), keys->first);
    number = _mm_add_epi64(number, one);
    ccm_rounds(keys, &chain, &stream);
    chain = _mm_aesenclast_si128(chain, _mm_xor_si128(keys->joined, next));
    ccm_store(output, _mm_xor_si128(block, ccm_last_round(keys, stream)));
    block = next;
    input += 16;
    output += 16;
  }
  return _mm_xor_si128(chain, keys->first);
}

CCM_INLINE __m128i ccm_open_blocks(const ccm_keys *keys, uint8_t *output,
                                   __m128i chain, __m128i number,
                                   const uint8_t *input, size_t count) {
  const __m128i one = _mm_set_epi64x(0, 1);
  __m128i block =
      _mm_xor_si128(ccm_load(input), ccm_stream_alone(keys, number));
  chain = _mm_xor_si128(chain, block);
  for (; count != 0; count--) {
    const __m128i sent =
        count == 1 ? _mm_setzero_si128() : ccm_load(input + 16);
    number = _mm_add_epi64(number, one);
    __m128i stream = _mm_xor_si128(ccm_counter(number), keys->first);
    ccm_rounds(keys, &chain, &stream);
    const __m128i next =
        count == 1 ? _mm_setzero_si128()
                   : _mm_xor_si128(sent, ccm_last_round(keys, stream));
    chain = _mm_aesenclast_si128(chain, _mm_xor_si128(keys->joined, next));
    ccm_store(output, block);
    block = next;
    input += 16;
    output += 16;
  }
  return _mm_xor_si128(chain, keys->first);
}

CCM_TARGET static void ccm_blocks(const uint32_t *round_keys, unsigned rounds,
                                  bool opening, uint8_t *output,
                                  uint8_t mac[16], __m128i number,
                                  const uint8_t *input, size_t count) {
  const __m128i first = ccm_load(round_keys);
  const ccm_keys keys = {
      (const __m128i *)round_keys, rounds, first,
      _mm_xor_si128(first, ccm_load(round_keys + 4 * (size_t)rounds))};
  const __m128i chain = _mm_xor_si128(ccm_load(mac), first);
  ccm_store(mac,
            opening
                ? ccm_open_blocks(&keys, output, chain, number, input, count)
                : ccm_seal_blocks(&keys, output, chain, number, input, count));
}

CCM_TARGET size_t samara_aes_x86_64_ccm(const uint32_t *round_keys,
                                        unsigned rounds, bool opening,
                                        uint8_t *output, uint8_t mac[16],
                                        uint8_t counter[16],
                                        const uint8_t *input, size_t size) {
  const size_t count = size / 16;
  samara_counter number = samara_counter_load(counter);
  /* The bytes that count have room for the blocks of a whole message; those of
   * a nonce of 7 bytes are eight. */
  if (count == 0) {
    return 0;
  }
  ccm_blocks(round_keys, rounds, opening, output, mac,
             _mm_set_epi64x((int64_t)number.high, (int64_t)number.low), input,
             count);
  number.low += count;
  samara_counter_store(counter, &number);
  return 16 * count;
}

#undef CCM_TARGET
#undef CCM_INLINE

#endif
