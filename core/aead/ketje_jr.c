/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/ketje_jr.h>

#include "aead/calls.h"
#include "common/secret.h"

enum { ketje_jr_stack = SAMARA_STACK_BYTES(208, 224, 416, 512) };

/* Five by five lanes of a byte: lane (x, y) is at x + 5 y.
 *
 * Ketje works with Keccak-p*[200], which is pi o Keccak-p[200] o pi^-1. The
 * lanes here are those of Keccak-p[200], so that pi is never done: byte j of
 * the state of the specification is the lane that pi moves to j, which for the
 * bytes 0, 1 and 2 are the lanes 0, 6 and 12 of the diagonal. */
enum {
  ketje_jr_lanes = 25,
  ketje_jr_rate = 2,     /* bytes of a block */
  ketje_jr_diagonal = 6, /* from the lane of one byte to that of the next */
  ketje_jr_start_rounds = 12,
  ketje_jr_stride_rounds = 6
};

/* What stands behind a block: two bits that say what it is, the first the
 * lowest, and the 1 that begins the padding (section 3.2 of the specification;
 * `more` is a single 0 before that 1). The padding ends with the fourth bit of
 * byte 2. */
enum {
  ketje_jr_data = 0x04,
  ketje_jr_last_data = 0x06,
  ketje_jr_message = 0x07,
  ketje_jr_last_message = 0x05,
  ketje_jr_more = 0x02,
  ketje_jr_padding_end = 0x08
};

/* A round goes from `lanes` to `other`, which then change places. */
typedef struct ketje_jr_state {
  uint8_t *lanes;
  uint8_t *other;
  uint8_t room[2][ketje_jr_lanes];
} ketje_jr_state;

/* Constants of the last 12 of the 18 rounds of Keccak-p[200]. */
static const uint8_t ketje_jr_constants[ketje_jr_start_rounds] SAMARA_FLASH = {
    0x81, 0x09, 0x8a, 0x88, 0x09, 0x0a, 0x8b, 0x8b, 0x89, 0x03, 0x02, 0x80};

#if defined(__MSP430__)

/* No instruction rotates a byte. Twice the byte in one word is shifted, to the
 * side where it is nearer: bits that leave the one come from the other. Hidden
 * from clang, which otherwise multiplies, or always shifts to one side. */
SAMARA_INLINE uint8_t ketje_jr_rotate(uint8_t lane, unsigned count) {
  uint16_t upper = lane;
  SAMARA_FORGET(upper);
  uint16_t twice = (uint16_t)(lane | (uint16_t)(upper << 8));
  if (count > 4) {
    return (uint8_t)(twice >> (8 - count));
  }
  twice = (uint16_t)(twice << count);
  SAMARA_FORGET(twice);
  return (uint8_t)(twice >> 8);
}

#else

SAMARA_INLINE uint8_t ketje_jr_rotate(uint8_t lane, unsigned count) {
  return (uint8_t)(lane << count | lane >> ((8 - count) & 7));
}

#endif

/* theta: the parity of a column. */
SAMARA_INLINE uint8_t ketje_jr_parity(const uint8_t *a) {
  return a[0] ^ a[5] ^ a[10] ^ a[15] ^ a[20];
}

/* rho and pi: lane (x, y), with theta's parities added and rotated, goes to
 * (y, 2 x + 3 y). The lanes that come to row y, and their rotations: */
#define KETJE_JR_ROW(y, x0, x1, x2, x3, x4, r0, r1, r2, r3, r4)                \
  ketje_jr_chi(b + 5 * (y), ketje_jr_rotate(a[x0] ^ added##x0, r0),            \
               ketje_jr_rotate(a[5 + (x1)] ^ added##x1, r1),                   \
               ketje_jr_rotate(a[10 + (x2)] ^ added##x2, r2),                  \
               ketje_jr_rotate(a[15 + (x3)] ^ added##x3, r3),                  \
               ketje_jr_rotate(a[20 + (x4)] ^ added##x4, r4))

/* chi of one row. */
SAMARA_INLINE void ketje_jr_chi(uint8_t *b, uint8_t b0, uint8_t b1, uint8_t b2,
                                uint8_t b3, uint8_t b4) {
  b[0] = b0 ^ (uint8_t)(~b1 & b2);
  b[1] = b1 ^ (uint8_t)(~b2 & b3);
  b[2] = b2 ^ (uint8_t)(~b3 & b4);
  b[3] = b3 ^ (uint8_t)(~b4 & b0);
  b[4] = b4 ^ (uint8_t)(~b0 & b1);
}

/* A round, all but the constant. */
SAMARA_INLINE void ketje_jr_round(uint8_t *b, const uint8_t *a) {
  const uint8_t parity0 = ketje_jr_parity(a);
  const uint8_t parity1 = ketje_jr_parity(a + 1);
  const uint8_t parity2 = ketje_jr_parity(a + 2);
  const uint8_t parity3 = ketje_jr_parity(a + 3);
  const uint8_t parity4 = ketje_jr_parity(a + 4);
  const uint8_t added0 = parity4 ^ ketje_jr_rotate(parity1, 1);
  const uint8_t added1 = parity0 ^ ketje_jr_rotate(parity2, 1);
  const uint8_t added2 = parity1 ^ ketje_jr_rotate(parity3, 1);
  const uint8_t added3 = parity2 ^ ketje_jr_rotate(parity4, 1);
  const uint8_t added4 = parity3 ^ ketje_jr_rotate(parity0, 1);
  KETJE_JR_ROW(0, 0, 1, 2, 3, 4, 0, 4, 3, 5, 6);
  KETJE_JR_ROW(1, 3, 4, 0, 1, 2, 4, 4, 3, 5, 5);
  KETJE_JR_ROW(2, 1, 2, 3, 4, 0, 1, 6, 1, 0, 2);
  KETJE_JR_ROW(3, 4, 0, 1, 2, 3, 3, 4, 2, 7, 0);
  KETJE_JR_ROW(4, 2, 3, 4, 0, 1, 6, 7, 7, 1, 2);
}

/* The last `rounds` rounds of Keccak-p[200]. */
SAMARA_NOT_INLINED static void ketje_jr_permute(ketje_jr_state *s,
                                                unsigned rounds) {
  uint8_t *a = s->lanes;
  uint8_t *b = s->other;
  for (unsigned i = ketje_jr_start_rounds - rounds; i < ketje_jr_start_rounds;
       i++) {
    ketje_jr_round(b, a);
    b[0] ^= SAMARA_READ_FLASH(ketje_jr_constants, i);
    uint8_t *changed = b;
    b = a;
    a = changed;
  }
  s->lanes = a;
  s->other = b;
}

#undef KETJE_JR_ROW

/* The lane of byte 0, 1 or 2. */
SAMARA_INLINE uint8_t *ketje_jr_lane(const ketje_jr_state *s, size_t byte) {
  return s->lanes + ketje_jr_diagonal * byte;
}

/* Ends a block of `size` bytes that are in the lanes already. */
static void ketje_jr_step(ketje_jr_state *s, size_t size, uint8_t kind,
                          unsigned rounds) {
  *ketje_jr_lane(s, size) ^= kind;
  *ketje_jr_lane(s, ketje_jr_rate) ^= ketje_jr_padding_end;
  ketje_jr_permute(s, rounds);
}

/* MonkeyDuplex's start (section 2.3): the size of the packed key, key, a 1 bit,
 * nonce, and padding up to the whole state. */
static void ketje_jr_begin(ketje_jr_state *s, const uint8_t *key,
                           size_t key_size, const uint8_t *nonce,
                           size_t nonce_size) {
  uint8_t bytes[ketje_jr_lanes];
  SAMARA_WIPED(bytes);
  samara_zero_bytes(bytes, sizeof bytes);
  bytes[0] = (uint8_t)(key_size + 2);
  samara_copy_bytes(bytes + 1, key, key_size);
  bytes[1 + key_size] = 0x01;
  samara_copy_bytes(bytes + 2 + key_size, nonce, nonce_size);
  bytes[2 + key_size + nonce_size] = 0x01;
  bytes[ketje_jr_lanes - 1] |= 0x80;
  s->lanes = s->room[0];
  s->other = s->room[1];
  for (unsigned j = 0; j < ketje_jr_lanes; j++) {
    const unsigned y = j % 5;
    s->lanes[(3 * (j / 5) + y) % 5 + 5 * y] = bytes[j];
  }
  ketje_jr_permute(s, ketje_jr_start_rounds);
}

static void ketje_jr_absorb(ketje_jr_state *s, const uint8_t *data,
                            size_t size) {
  for (; size > ketje_jr_rate; size -= ketje_jr_rate) {
    *ketje_jr_lane(s, 0) ^= *data++;
    *ketje_jr_lane(s, 1) ^= *data++;
    ketje_jr_step(s, ketje_jr_rate, ketje_jr_data, 1);
  }
  for (size_t i = 0; i < size; i++) {
    *ketje_jr_lane(s, i) ^= data[i];
  }
  ketje_jr_step(s, size, ketje_jr_last_data, 1);
}

/* The lane holds the ciphertext afterwards, whichever way it goes. */
SAMARA_INLINE void ketje_jr_crypt_byte(uint8_t *lane, uint8_t *output,
                                       uint8_t input, bool opening) {
  const uint8_t out = input ^ *lane;
  *lane = opening ? input : out;
  *output = out;
}

/* The message; behind its last block more rounds are done. */
static void ketje_jr_crypt(ketje_jr_state *s, uint8_t *output,
                           const uint8_t *input, size_t size, bool opening) {
  for (; size > ketje_jr_rate; size -= ketje_jr_rate) {
    ketje_jr_crypt_byte(ketje_jr_lane(s, 0), output++, *input++, opening);
    ketje_jr_crypt_byte(ketje_jr_lane(s, 1), output++, *input++, opening);
    ketje_jr_step(s, ketje_jr_rate, ketje_jr_message, 1);
  }
  for (size_t i = 0; i < size; i++) {
    ketje_jr_crypt_byte(ketje_jr_lane(s, i), output + i, input[i], opening);
  }
  ketje_jr_step(s, size, ketje_jr_last_message, ketje_jr_stride_rounds);
}

static void ketje_jr_tag(ketje_jr_state *s, uint8_t *tag, size_t tag_size) {
  for (size_t i = 0; i < tag_size; i++) {
    if (i != 0 && i % ketje_jr_rate == 0) {
      ketje_jr_step(s, 0, ketje_jr_more, 1);
    }
    tag[i] = *ketje_jr_lane(s, i % ketje_jr_rate);
  }
}

static void ketje_jr_start(ketje_jr_state *s, const uint8_t *key,
                           const uint8_t *nonce, const uint8_t *data,
                           size_t size) {
  ketje_jr_begin(s, key, samara_ketje_jr_key_size, nonce,
                 samara_ketje_jr_nonce_size);
  ketje_jr_absorb(s, data, size);
}

static void ketje_jr_finish(ketje_jr_state *s, const uint8_t *key,
                            uint8_t tag[samara_ketje_jr_tag_size]) {
  (void)key;
  ketje_jr_tag(s, tag, samara_ketje_jr_tag_size);
}

SAMARA_DEFINE_AEAD_WORK(ketje_jr)
SAMARA_DEFINE_AEAD_CALLS(ketje_jr, ketje_jr_stack)
SAMARA_DEFINE_AEAD_BATCHES(ketje_jr)

/* Sessions. Between messages there are only the lanes. */

static void ketje_jr_resume(ketje_jr_state *s, const samara_ketje_jr *session) {
  s->lanes = s->room[0];
  s->other = s->room[1];
  samara_copy_bytes(s->lanes, session->lanes, ketje_jr_lanes);
}

static void ketje_jr_suspend(samara_ketje_jr *session,
                             const ketje_jr_state *s) {
  samara_copy_bytes(session->lanes, s->lanes, ketje_jr_lanes);
}

SAMARA_NOT_INLINED static void
ketje_jr_bare_init(samara_ketje_jr *session, const uint8_t *key,
                   size_t key_size, const uint8_t *nonce, size_t nonce_size) {
  ketje_jr_state s;
  SAMARA_WIPED(s);
  ketje_jr_begin(&s, key, key_size, nonce, nonce_size);
  ketje_jr_suspend(session, &s);
  session->begun = 1;
}

samara_result samara_ketje_jr_init(samara_ketje_jr *session, const uint8_t *key,
                                   size_t key_size, const uint8_t *nonce,
                                   size_t nonce_size) {
  if (key_size > samara_ketje_jr_key_and_nonce_size_max ||
      nonce_size > samara_ketje_jr_key_and_nonce_size_max - key_size) {
    samara_ketje_jr_wipe(session);
    return SAMARA_ERROR_NONCE_SIZE;
  }
  ketje_jr_bare_init(session, key, key_size, nonce, nonce_size);
  return samara_leave(SAMARA_OK, ketje_jr_stack);
}

static samara_result ketje_jr_check_next(const samara_ketje_jr *session,
                                         size_t tag_size, const uint8_t *output,
                                         const uint8_t *input, size_t size) {
  if (session->begun == 0) {
    return SAMARA_ERROR_STATE;
  }
  if (tag_size != 0 && (tag_size < samara_ketje_jr_tag_size_min ||
                        tag_size > samara_ketje_jr_session_tag_size_max)) {
    return SAMARA_ERROR_TAG_SIZE;
  }
  return samara_overlaps(output, size, input, size) ? SAMARA_ERROR_OVERLAP
                                                    : SAMARA_OK;
}

SAMARA_NOT_INLINED static void
ketje_jr_bare_seal_next(samara_ketje_jr *session, uint8_t *ciphertext,
                        uint8_t *tag, size_t tag_size, const uint8_t *data,
                        size_t data_size, const uint8_t *message,
                        size_t message_size) {
  ketje_jr_state s;
  SAMARA_WIPED(s);
  ketje_jr_resume(&s, session);
  ketje_jr_absorb(&s, data, data_size);
  ketje_jr_crypt(&s, ciphertext, message, message_size, false);
  ketje_jr_tag(&s, tag, tag_size);
  ketje_jr_suspend(session, &s);
}

samara_result samara_ketje_jr_seal_next(
    samara_ketje_jr *session, uint8_t *ciphertext, uint8_t *tag,
    size_t tag_size, const uint8_t *associated_data,
    size_t associated_data_size, const uint8_t *message, size_t message_size) {
  const samara_result result =
      ketje_jr_check_next(session, tag_size, ciphertext, message, message_size);
  if (result != SAMARA_OK) {
    return result;
  }
  ketje_jr_bare_seal_next(session, ciphertext, tag, tag_size, associated_data,
                          associated_data_size, message, message_size);
  return samara_leave(SAMARA_OK, ketje_jr_stack);
}

SAMARA_NOT_INLINED static bool
ketje_jr_bare_open_next(samara_ketje_jr *session, uint8_t *message,
                        const uint8_t *tag, size_t tag_size,
                        const uint8_t *data, size_t data_size,
                        const uint8_t *ciphertext, size_t ciphertext_size) {
  uint8_t expected[samara_ketje_jr_session_tag_size_max];
  SAMARA_WIPED(expected);
  ketje_jr_state s;
  SAMARA_WIPED(s);
  ketje_jr_resume(&s, session);
  ketje_jr_absorb(&s, data, data_size);
  ketje_jr_crypt(&s, message, ciphertext, ciphertext_size, true);
  ketje_jr_tag(&s, expected, tag_size);
  ketje_jr_suspend(session, &s);
  const bool genuine = samara_equal(expected, tag, tag_size);
  if (!genuine) {
    samara_wipe(message, ciphertext_size);
    samara_ketje_jr_wipe(session);
  }
  return genuine;
}

samara_result samara_ketje_jr_open_next(samara_ketje_jr *session,
                                        uint8_t *message, const uint8_t *tag,
                                        size_t tag_size,
                                        const uint8_t *associated_data,
                                        size_t associated_data_size,
                                        const uint8_t *ciphertext,
                                        size_t ciphertext_size) {
  const samara_result result = ketje_jr_check_next(session, tag_size, message,
                                                   ciphertext, ciphertext_size);
  if (result != SAMARA_OK) {
    return result;
  }
  const bool genuine = ketje_jr_bare_open_next(
      session, message, tag, tag_size, associated_data, associated_data_size,
      ciphertext, ciphertext_size);
  return samara_leave(genuine ? SAMARA_OK : SAMARA_ERROR_AUTHENTICATION,
                      ketje_jr_stack);
}

void samara_ketje_jr_wipe(samara_ketje_jr *session) {
  samara_wipe(session, sizeof *session);
}
