/* SPDX-License-Identifier: Apache-2.0 */

/* Makes public calls on a stack of their own, each twice: all is equal but the
 * key and the message. A byte of the stack that differs afterwards was computed
 * from a secret, and is residue. Whatever form a secret has there, it is seen;
 * docs/residue.md has more.
 *
 * The last check is of a call that leaves its key: it must be seen. */

#include "check.h"
#include "ends.h"
#include "node_record.h"
#include <samara/ieee802154_names.h>
#include <samara/ple_interleave.h>
#include <samara/ple_sync.h>
#include <samara/samara.h>
#include <samara/suite.h>
#include <string.h>
#include <ucontext.h>

enum {
  stack_size = 1 << 18,
  message_size = 93,
  long_size = 613, /* for what works on many blocks at a time */
  data_size = 21,
  soft_count = 60
};

/* What a call works with. Neither the compiler nor the call knows that it is
 * another world the second time. */
static struct world {
  uint8_t key[32], nonce[32], data[data_size], message[long_size];
  uint8_t sealed[long_size + 32], opened[long_size + 32], tag[16];
  uint64_t state[128], stream[512];
  int8_t small[soft_count];
  int16_t large[soft_count];
  float real[soft_count];
  size_t size;
  samara_result result;
  end sender, receiver;
  uint8_t frame[127];
  size_t frame_size;
} world;

typedef void call(void);

static uint8_t stack[2][stack_size];
static uint8_t own_stack[stack_size] __attribute__((aligned(64)));
static ucontext_t outside, inside;

static void fill(void *memory, size_t size, uint32_t seed) {
  uint8_t *bytes = memory;
  for (size_t i = 0; i < size; i++) {
    seed = seed * 1664525 + 1013904223;
    bytes[i] = (uint8_t)(seed >> 24);
  }
}

static call *called;

/* Whose calls are made, and with how long a message; NULL outside of the
 * registry's suites. */
static const samara_suite *suite;
static size_t length;

/* Its frame keeps the way back off what the call left. */
static void enter(void) {
  volatile uint8_t distance[1024] = {0};
  called();
  (void)distance[1];
}

/* `inside` has the registers of the program's beginning, every time. */
static void run_on_own_stack(call *what) {
  memset(own_stack, 0xa5, sizeof own_stack);
  inside.uc_stack.ss_sp = own_stack;
  inside.uc_stack.ss_size = sizeof own_stack;
  inside.uc_link = &outside;
  called = what;
  makecontext(&inside, enter, 0);
  swapcontext(&outside, &inside);
}

static void make_world(unsigned twin) {
  memset(&world, 0, sizeof world);
  fill(world.nonce, sizeof world.nonce, 1);
  fill(world.data, sizeof world.data, 2);
  fill(world.key, sizeof world.key, 10 + twin);
  fill(world.message, sizeof world.message, 20 + twin);
  fill(world.small, sizeof world.small, 3);
}

/* A piece of what was sent, and no coincidence. */
static bool is_public(const uint8_t *at, const uint8_t *sent) {
  for (size_t i = 0; i + 4 <= sizeof world.sealed; i++) {
    if (memcmp(at, sent + i, 4) == 0) {
      return true;
    }
  }
  return false;
}

/* How many bytes of the stacks differ, and which is the highest of them. */
static size_t count_residue(uint8_t sent[2][sizeof world.sealed],
                            size_t *highest) {
  size_t count = 0;
  for (size_t i = 0; i < stack_size; i++) {
    bool known = stack[0][i] == stack[1][i];
    for (size_t j = i < 3 ? 0 : i - 3; !known && j <= i && j + 4 <= stack_size;
         j++) {
      known =
          is_public(stack[0] + j, sent[0]) && is_public(stack[1] + j, sent[1]);
    }
    if (!known) {
      count++;
      *highest = i;
    }
  }
  return count;
}

static size_t residue_of(call *prepare, call *what, size_t *below_top) {
  uint8_t sent[2][sizeof world.sealed];
  size_t highest = stack_size;
  for (unsigned twin = 0; twin < 2; twin++) {
    make_world(twin);
    if (prepare != NULL) {
      prepare();
    }
    run_on_own_stack(what);
    memcpy(stack[twin], own_stack, stack_size);
    memcpy(sent[twin], world.sealed, sizeof world.sealed);
  }
  const size_t count = count_residue(sent, &highest);
  *below_top = stack_size - highest;
  return count;
}

static void check_call(const char *name, call *prepare, call *what) {
  size_t below_top;
  const size_t count = residue_of(prepare, what, &below_top);
  CHECK(count == 0, "%s%s%s leaves %zu bytes, the highest %zu below the top",
        suite == NULL ? "" : suite->slug, suite == NULL ? "" : ": ", name,
        count, below_top);
}

/* Bytes of stack that the last call took, and the way to it. */
static size_t stack_used(void) {
  size_t untouched = 0;
  while (untouched < stack_size && stack[1][untouched] == 0xa5) {
    untouched++;
  }
  return stack_size - untouched;
}

/* samara/batch.h says how many a batch takes. */
static void check_stack(const char *name, size_t kib) {
  CHECK(stack_used() <= kib * 1024, "%s takes %zu bytes of stack", name,
        stack_used());
}

/* Defines a call, to be checked by NAME. */
#define CALL(name, ...)                                                        \
  static void name(void) { __VA_ARGS__; }
#define CHECK_CALL(prepare, name) check_call(#name, prepare, name)

/* Every cipher's own calls. */

#define KEY_OF(name) ((samara_##name##_key *)(void *)world.state)

#define BLOCK_CALLS(name)                                                      \
  CALL(name##_set_key, samara_##name##_set_key(KEY_OF(name), world.key))       \
  CALL(name##_encrypt,                                                         \
       samara_##name##_encrypt(KEY_OF(name), world.sealed, world.message))     \
  CALL(name##_decrypt,                                                         \
       samara_##name##_decrypt(KEY_OF(name), world.opened, world.message))     \
  CALL(name##_wipe, samara_##name##_wipe(KEY_OF(name)))

#define CHECK_BLOCK(name)                                                      \
  CHECK_CALL(NULL, name##_set_key);                                            \
  CHECK_CALL(name##_set_key, name##_encrypt);                                  \
  CHECK_CALL(name##_set_key, name##_decrypt);                                  \
  CHECK_CALL(name##_set_key, name##_wipe)

#define MODE_CALLS(name)                                                       \
  BLOCK_CALLS(name)                                                            \
  CALL(name##_ctr, world.result = samara_##name##_ctr_encrypt(                 \
                       KEY_OF(name), world.sealed, world.nonce, world.message, \
                       message_size))                                          \
  CALL(name##_cbc_encrypt, world.result = samara_##name##_cbc_encrypt(         \
                               KEY_OF(name), world.sealed, world.nonce,        \
                               world.message, message_size))                   \
  CALL(name##_cbc_decrypt, world.result = samara_##name##_cbc_decrypt(         \
                               KEY_OF(name), world.opened, &world.size,        \
                               world.nonce, world.sealed, 96))                 \
  CALL(name##_cbc_encrypt_blocks,                                              \
       world.result = samara_##name##_cbc_encrypt_blocks(                      \
           KEY_OF(name), world.sealed, world.nonce, world.message, 5))         \
  CALL(name##_cbc_decrypt_blocks,                                              \
       world.result = samara_##name##_cbc_decrypt_blocks(                      \
           KEY_OF(name), world.opened, world.nonce, world.sealed, 5))          \
  CALL(name##_ccm_seal,                                                        \
       world.result = samara_##name##_ccm_star_seal(                           \
           KEY_OF(name), world.sealed, world.tag, 8, world.nonce, world.data,  \
           data_size, world.message, message_size))                            \
  CALL(name##_ccm_open,                                                        \
       world.result = samara_##name##_ccm_star_open(                           \
           KEY_OF(name), world.opened, world.tag, 8, world.nonce, world.data,  \
           data_size, world.sealed, message_size))                             \
  CALL(name##_ccm_overlapping,                                                 \
       world.result = samara_##name##_ccm_star_open(                           \
           KEY_OF(name), world.sealed + 1, world.tag, 8, world.nonce,          \
           world.data, data_size, world.sealed, message_size))                 \
  CALL(name##_ccm_encrypt,                                                     \
       world.result = samara_##name##_ccm_star_seal(                           \
           KEY_OF(name), world.sealed, NULL, 0, world.nonce, NULL, 0,          \
           world.message, message_size))                                       \
  CALL(name##_with_ccm, name##_set_key(); name##_ccm_seal())                   \
  CALL(name##_with_forged, name##_with_ccm(); world.tag[0] ^= 1)               \
  CALL(name##_with_cbc, name##_set_key(); name##_cbc_encrypt())

#define CHECK_MODES(name)                                                      \
  CHECK_BLOCK(name);                                                           \
  CHECK_CALL(name##_set_key, name##_ctr);                                      \
  CHECK_CALL(name##_set_key, name##_cbc_encrypt);                              \
  CHECK_CALL(name##_with_cbc, name##_cbc_decrypt);                             \
  CHECK_CALL(name##_with_ccm, name##_cbc_decrypt);                             \
  CHECK_CALL(name##_set_key, name##_cbc_encrypt_blocks);                       \
  CHECK_CALL(name##_with_cbc, name##_cbc_decrypt_blocks);                      \
  CHECK_CALL(name##_set_key, name##_ccm_seal);                                 \
  CHECK_CALL(name##_set_key, name##_ccm_encrypt);                              \
  CHECK_CALL(name##_with_ccm, name##_ccm_open);                                \
  CHECK_CALL(name##_with_forged, name##_ccm_open);                             \
  CHECK_CALL(name##_with_ccm, name##_ccm_overlapping)

#define AES_CALLS(name)                                                        \
  MODE_CALLS(name)                                                             \
  CALL(name##_gcm_seal,                                                        \
       world.result = samara_##name##_gcm_seal(                                \
           KEY_OF(name), world.sealed, world.tag, world.nonce, 12, world.data, \
           data_size, world.message, message_size))                            \
  CALL(name##_gcm_long_nonce,                                                  \
       world.result = samara_##name##_gcm_seal(                                \
           KEY_OF(name), world.sealed, world.tag, world.nonce, 16, world.data, \
           data_size, world.message, message_size))                            \
  CALL(name##_gcm_open,                                                        \
       world.result = samara_##name##_gcm_open(                                \
           KEY_OF(name), world.opened, world.tag, world.nonce, 12, world.data, \
           data_size, world.sealed, message_size))                             \
  CALL(name##_gcm_short_tag,                                                   \
       world.result = samara_##name##_gcm_aead.seal(                           \
           world.state, world.sealed, world.tag, 12, world.nonce, world.data,  \
           data_size, world.message, message_size))                            \
  CALL(name##_with_gcm, name##_set_key(); name##_gcm_seal())

#define CHECK_AES(name)                                                        \
  CHECK_MODES(name);                                                           \
  CHECK_CALL(name##_set_key, name##_gcm_seal);                                 \
  CHECK_CALL(name##_set_key, name##_gcm_long_nonce);                           \
  CHECK_CALL(name##_set_key, name##_gcm_short_tag);                            \
  CHECK_CALL(name##_with_gcm, name##_gcm_open);                                \
  CHECK_CALL(name##_with_ccm, name##_gcm_open)

#define AEAD_CALLS(name)                                                       \
  CALL(name##_seal, world.result = samara_##name##_seal(                       \
                        world.key, world.sealed, world.tag, world.nonce,       \
                        world.data, data_size, world.message, message_size))   \
  CALL(name##_open, world.result = samara_##name##_open(                       \
                        world.key, world.opened, world.tag, world.nonce,       \
                        world.data, data_size, world.sealed, message_size))    \
  CALL(name##_seal_truncated,                                                  \
       world.result = samara_##name##_seal_truncated(                          \
           world.key, world.sealed, world.tag, 4, world.nonce, world.data,     \
           data_size, world.message, message_size))                            \
  CALL(name##_open_truncated,                                                  \
       world.result = samara_##name##_open_truncated(                          \
           world.key, world.opened, world.tag, 4, world.nonce, world.data,     \
           data_size, world.sealed, message_size))                             \
  CALL(name##_overlapping,                                                     \
       world.result = samara_##name##_open(                                    \
           world.key, world.sealed + 1, world.tag, world.nonce, world.data,    \
           data_size, world.sealed, message_size))

#define CHECK_AEAD(name)                                                       \
  CHECK_CALL(NULL, name##_seal);                                               \
  CHECK_CALL(NULL, name##_seal_truncated);                                     \
  CHECK_CALL(name##_seal, name##_open);                                        \
  CHECK_CALL(NULL, name##_open);                                               \
  CHECK_CALL(name##_seal, name##_open_truncated);                              \
  CHECK_CALL(NULL, name##_open_truncated);                                     \
  CHECK_CALL(name##_seal, name##_overlapping)

#define BLOCK_CIPHER(name, slug, standing, source, note) BLOCK_CALLS(name)
#define BLOCK_CIPHER_128(name, slug, standing, source, note) MODE_CALLS(name)
#define BLOCK_CIPHER_AES(name, slug, standing, source, note) AES_CALLS(name)
#define AEAD(name, slug, standing, source, note, stream) AEAD_CALLS(name)
#define STREAM_CIPHER(name, slug, standing, source, note, stream)
#include "host/registry.def"
#undef BLOCK_CIPHER
#undef BLOCK_CIPHER_128
#undef BLOCK_CIPHER_AES
#undef AEAD
#undef STREAM_CIPHER

static void check_ciphers(void) {
#define BLOCK_CIPHER(name, slug, standing, source, note) CHECK_BLOCK(name);
#define BLOCK_CIPHER_128(name, slug, standing, source, note) CHECK_MODES(name);
#define BLOCK_CIPHER_AES(name, slug, standing, source, note) CHECK_AES(name);
#define AEAD(name, slug, standing, source, note, stream) CHECK_AEAD(name);
#define STREAM_CIPHER(name, slug, standing, source, note, stream)
#include "host/registry.def"
}

/* Grain in pieces, and PLE. */

#define GRAIN ((samara_grain128aead *)(void *)world.state)
#define PLE ((samara_grain128ple *)(void *)world.state)

CALL(seal_init, samara_grain128aead_seal_init(GRAIN, world.key, world.nonce,
                                              world.data, data_size))
CALL(seal_update,
     world.result = samara_grain128aead_seal_update(GRAIN, world.sealed,
                                                    world.message, 33))
CALL(seal_finish,
     world.result = samara_grain128aead_seal_finish(GRAIN, world.tag))
CALL(open_init,
     samara_grain128aead_unverified_open_init(GRAIN, world.key, world.nonce,
                                              world.data, data_size))
CALL(open_update, world.result = samara_grain128aead_unverified_open_update(
                      GRAIN, world.opened, world.sealed, 33))
CALL(open_finish,
     world.result = samara_grain128aead_unverified_open_finish(GRAIN,
                                                               world.tag))
CALL(grain_wipe, samara_grain128aead_wipe(GRAIN))
CALL(seal_updated, seal_init(); seal_update())
CALL(open_updated, open_init(); open_update())
CALL(ple_init, samara_grain128ple_init(PLE, world.key, world.nonce))
CALL(ple_skip, samara_grain128ple_skip(PLE, 77))
CALL(ple_xor, samara_grain128ple_xor(PLE, world.message, 3, 700))
CALL(ple_keystream, samara_grain128ple_keystream(PLE, world.opened, 99))
CALL(ple_int8, samara_grain128ple_flip_int8(PLE, world.small, soft_count))
CALL(ple_int16, samara_grain128ple_flip_int16(PLE, world.large, soft_count))
CALL(ple_float, samara_grain128ple_flip_float32(PLE, world.real, soft_count))
CALL(ple_wipe, samara_grain128ple_wipe(PLE))

static void ple_batch(void) {
  const samara_batch_keystream stream = {world.key, world.nonce, world.opened,
                                         99};
  samara_grain128ple_keystream_batch(&stream, 1);
}

/* So many that they are done together; all are the same, into one output. */
enum { together = 80 };

static void ple_batch_together(void) {
  samara_batch_keystream streams[together];
  for (size_t i = 0; i < together; i++) {
    streams[i] =
        (samara_batch_keystream){world.key, world.nonce, world.opened, 99};
  }
  samara_grain128ple_keystream_batch(streams, together);
}

static samara_batch_message grain_messages[together];

static void grain_prepare_batch(const uint8_t *input, uint8_t *output) {
  for (size_t i = 0; i < together; i++) {
    grain_messages[i] = (samara_batch_message){
        .key = world.key,
        .nonce = world.nonce,
        .nonce_size = samara_grain128aead_nonce_size,
        .associated_data = world.data,
        .associated_data_size = data_size,
        .input = input,
        .input_size = i < together / 2 ? message_size : 20,
        .output = output,
        .tag = world.tag};
  }
}

static void grain_seal_together(void) {
  grain_prepare_batch(world.message, world.sealed);
  world.result = samara_grain128aead_seal_batch(grain_messages, together);
}

/* The tag is that of the last message: the longer ones are forged. */
static void grain_open_together(void) {
  grain_prepare_batch(world.sealed, world.opened);
  world.result = samara_grain128aead_open_batch(grain_messages, together);
}

/* A search for a counter, whose soft values are a frame's own: the last stage
 * has the keystream of a candidate. */
static samara_ple_link sync_link;
static samara_ple_sync sync_state;
static samara_ple_sync_found sync_found;
static int8_t sync_soft[844];

static void sync_prepare(void) {
  uint8_t nonce[samara_ple_sync_nonce_size];
  uint8_t stream[sizeof sync_soft / 8 + 1];
  memset(&sync_link, 0, sizeof sync_link);
  memcpy(sync_link.key, world.key, sizeof sync_link.key);
  samara_ple_sync_init(&sync_state, 5);
  samara_ple_nonce(nonce, samara_ple_domain_keystream, 0, 0, 7);
  samara_grain128ple_init(PLE, world.key, nonce);
  samara_grain128ple_keystream(PLE, stream, sizeof sync_soft);
  const uint64_t stride = samara_ple_stride(sizeof sync_soft);
  /* The word of the code that is all zeros. */
  for (size_t i = 0; i < sizeof sync_soft; i++) {
    sync_soft[i * stride % sizeof sync_soft] =
        (int8_t)((stream[i / 8] >> i % 8 & 1) != 0 ? -40 : 40);
  }
}

CALL(sync_search,
     world.result = samara_ple_sync_search(&sync_state, &sync_found, &sync_link,
                                           sync_soft, sizeof sync_soft)
                        ? SAMARA_OK
                        : SAMARA_ERROR_STATE)
CALL(sync_scan,
     world.result = samara_ple_sync_scan(&sync_found, &sync_link, 0, 600, 0,
                                         sync_soft, sizeof sync_soft)
                        ? SAMARA_OK
                        : SAMARA_ERROR_STATE)

static void check_sync(void) {
  CHECK_CALL(sync_prepare, sync_search);
  CHECK(world.result == SAMARA_OK && sync_found.counter == 7, "not found");
  CHECK_CALL(sync_prepare, sync_scan);
  CHECK(world.result == SAMARA_OK && sync_found.counter == 7, "not found");
}

static void check_grain(void) {
  CHECK_CALL(NULL, seal_init);
  CHECK_CALL(seal_init, seal_update);
  CHECK_CALL(seal_updated, seal_finish);
  CHECK_CALL(NULL, open_init);
  CHECK_CALL(open_init, open_update);
  CHECK_CALL(open_updated, open_finish);
  CHECK_CALL(open_updated, grain_wipe);
  CHECK_CALL(NULL, ple_init);
  CHECK_CALL(ple_init, ple_skip);
  CHECK_CALL(ple_init, ple_xor);
  CHECK_CALL(ple_init, ple_keystream);
  CHECK_CALL(ple_init, ple_int8);
  CHECK_CALL(ple_init, ple_int16);
  CHECK_CALL(ple_init, ple_float);
  CHECK_CALL(ple_init, ple_wipe);
  CHECK_CALL(NULL, ple_batch);
  CHECK_CALL(NULL, ple_batch_together);
  check_stack("a batch of keystreams", 160);
  CHECK_CALL(NULL, grain_seal_together);
  check_stack("a batch of Grain", 160);
  CHECK_CALL(grain_seal_together, grain_open_together);
  check_stack("a batch of Grain", 160);
}

/* Sessions of Ketje Jr. */

#define KETJE ((samara_ketje_jr *)(void *)world.state)

CALL(ketje_init,
     world.result = samara_ketje_jr_init(KETJE, world.key, 12, world.nonce, 10))
CALL(ketje_seal,
     world.result = samara_ketje_jr_seal_next(KETJE, world.sealed, world.tag,
                                              16, world.data, data_size,
                                              world.message, 33))
CALL(ketje_open,
     world.result = samara_ketje_jr_open_next(KETJE, world.opened, world.tag,
                                              16, world.data, data_size,
                                              world.sealed, 33))
CALL(ketje_wipe, samara_ketje_jr_wipe(KETJE))
CALL(ketje_sealed, ketje_init(); ketje_seal(); ketje_init())

static void check_ketje_jr(void) {
  CHECK_CALL(NULL, ketje_init);
  CHECK_CALL(ketje_init, ketje_seal);
  CHECK_CALL(ketje_sealed, ketje_open);
  CHECK(world.result == SAMARA_OK, "a session opens");
  CHECK_CALL(ketje_init, ketje_open);
  CHECK_CALL(ketje_init, ketje_wipe);
}

/* The host's own calls: suites, batches and streams of the registry. */

#define SUITE_DATA                                                             \
  world.nonce, suite->nonce_size, world.data,                                  \
      suite->tag_size == 0 ? 0 : (size_t)data_size
#define SEALED_SIZE samara_suite_ciphertext_size(suite, length)

CALL(suite_seal,
     world.result = samara_suite_seal(suite, world.key, world.sealed, world.tag,
                                      SUITE_DATA, world.message, length))
CALL(suite_open,
     world.result = samara_suite_open(suite, world.key, world.opened,
                                      &world.size, world.tag, SUITE_DATA,
                                      world.sealed, SEALED_SIZE))
CALL(suite_forged, suite_seal(); world.tag[0] ^= 1)

static samara_batch_message batch_message(void) {
  return (samara_batch_message){.key = world.key,
                                .nonce = world.nonce,
                                .nonce_size = suite->nonce_size,
                                .input = world.message,
                                .input_size = length,
                                .output = world.sealed,
                                .tag = world.tag};
}

static void suite_seal_batch(void) {
  samara_batch_message one = batch_message();
  world.result = samara_suite_seal_batch(suite, &one, 1);
}

static void suite_open_batch(void) {
  samara_batch_message one = batch_message();
  one.input = world.sealed;
  one.input_size = SEALED_SIZE;
  one.output = world.opened;
  world.result = samara_suite_open_batch(suite, &one, 1);
}

/* Several messages, of which the shorter ones share what is longest. */
static void suite_batch(bool opening) {
  enum { count = 20 };
  static samara_batch_message many[count];
  static uint8_t tags[count][16];
  for (size_t i = 0; i < count; i++) {
    many[i] = batch_message();
    many[i].input_size = 20 + i % 3;
    many[i].input = world.message + 23 * i;
    many[i].output = world.sealed + 32 * i;
    many[i].tag = tags[i];
    if (opening) {
      many[i].input_size =
          samara_suite_ciphertext_size(suite, many[i].input_size);
      many[i].input = many[i].output;
      many[i].output = world.opened + 32 * i;
    }
  }
  world.result = opening ? samara_suite_open_batch(suite, many, count)
                         : samara_suite_seal_batch(suite, many, count);
}

CALL(suite_seal_many, suite_batch(false))
CALL(suite_open_many, suite_batch(true))

CALL(stream_seal_init,
     world.result = suite->stream->init(suite, world.stream, false, world.key,
                                        SUITE_DATA))
CALL(stream_open_init,
     world.result = suite->stream->init(suite, world.stream, true, world.key,
                                        SUITE_DATA))
CALL(stream_update,
     world.result = suite->stream->update(world.stream, world.sealed,
                                          &world.size, world.message, 37))
CALL(stream_finish, size_t size = 0;
     world.result = suite->stream->finish(world.stream,
                                          world.sealed + world.size, &size,
                                          world.tag))
CALL(stream_sealed, stream_seal_init(); stream_update())
CALL(stream_opened, stream_open_init(); stream_update())

static void check_stream(void) {
  CHECK(suite->stream->state_size <= sizeof world.stream, "%s", suite->slug);
  CHECK_CALL(NULL, stream_seal_init);
  CHECK_CALL(NULL, stream_open_init);
  CHECK_CALL(stream_seal_init, stream_update);
  CHECK_CALL(stream_open_init, stream_update);
  CHECK_CALL(stream_sealed, stream_finish);
  CHECK_CALL(stream_opened, stream_finish);
}

static void check_suites_with(size_t size) {
  length = size;
  for (size_t i = 0; (suite = samara_suite_at(i)) != NULL; i++) {
    CHECK_CALL(NULL, suite_seal);
    CHECK_CALL(suite_seal, suite_open);
    CHECK_CALL(suite_forged, suite_open);
    CHECK_CALL(NULL, suite_seal_batch);
    CHECK_CALL(suite_seal, suite_open_batch);
    if (length == long_size) {
      const size_t most = strstr(suite->slug, "grain") == NULL ? 32 : 160;
      CHECK_CALL(NULL, suite_seal_many);
      check_stack(suite->slug, most);
      CHECK_CALL(suite_seal_many, suite_open_many);
      check_stack(suite->slug, most);
    }
    if (suite->stream != NULL) {
      check_stream();
    }
  }
}

/* Frames of IEEE 802.15.4 and of serial links. */

static const samara_ieee802154_cipher *frame_cipher;
static samara_ieee802154_opened answer;

static void frame_tables(void) {
  const samara_ieee802154_frame header =
      data_frame(SAMARA_IEEE802154_ENC_MIC_64, 1);
  samara_ieee802154_key_settings settings = key_settings(1);
  settings.cipher = frame_cipher;
  settings.bytes = world.key;
  end_init(&world.sender, address_a);
  end_init(&world.receiver, address_b);
  end_add_key(&world.sender, 0, &settings);
  end_add_key(&world.receiver, 0, &settings);
  world.frame_size = frame_write(world.frame, sizeof world.frame, &header, 33);
  memcpy(world.frame + world.frame_size - 33, world.message, 33);
}

CALL(frame_protect,
     (void)!samara_ieee802154_protect(&world.sender.security, &world.frame_size,
                                      NULL, world.frame, world.frame_size,
                                      sizeof world.frame);
     memcpy(world.sealed, world.frame + 20, sizeof world.frame - 20))
CALL(frame_open,
     (void)!samara_ieee802154_open(&world.receiver.security, &answer, NULL,
                                   world.frame, world.frame_size))
CALL(frame_protected, frame_tables(); frame_protect())
CALL(frame_forged, frame_protected(); world.frame[world.frame_size - 1] ^= 1)
CALL(frame_wipe, samara_ieee802154_wipe(&world.sender.security))

static void frame_set_key(void) {
  samara_ieee802154_key_settings settings = key_settings(2);
  settings.cipher = frame_cipher;
  settings.bytes = world.key;
  (void)!samara_ieee802154_set_key(&world.sender.security, 1, &settings);
}

static void check_frames(void) {
  const char *slug;
  for (size_t i = 0;
       (frame_cipher = samara_ieee802154_cipher_at(i, &slug)) != NULL; i++) {
    CHECK_CALL(frame_tables, frame_set_key);
    CHECK_CALL(frame_tables, frame_protect);
    CHECK_CALL(frame_protected, frame_open);
    CHECK_CALL(frame_forged, frame_open);
    CHECK_CALL(frame_tables, frame_wipe);
  }
}

static samara_rfserial_link serial;
static samara_rfserial_sender sender;
static samara_rfserial_receiver receiver;
static samara_rfserial_event event;
static uint8_t room[256];

static void serial_link(void) {
  sender = (samara_rfserial_sender){&serial, 1};
  serial.aead->set_key(world.state, world.key);
  world.result = samara_rfserial_receiver_init(
      &receiver, &serial, 0, room, sizeof room, world.opened, 33, 900);
}

CALL(serial_seal,
     world.result = samara_rfserial_seal(&sender, world.sealed, &world.size,
                                         world.message, 33))
CALL(serial_receive,
     (void)samara_rfserial_receive(&receiver, &event, world.sealed, world.size))
CALL(serial_sealed, serial_link(); serial_seal())
CALL(serial_forged, serial_sealed(); world.sealed[20] ^= 1)

static void check_serial(void) {
  for (size_t i = 0; samara_suite_at(i) != NULL; i++) {
    serial = (samara_rfserial_link){.aead = samara_suite_at(i)->aead,
                                    .key = world.state,
                                    .packet_size = 12,
                                    .tag_size = 12};
    if (serial.aead != NULL && samara_rfserial_is_valid(&serial)) {
      CHECK_CALL(serial_link, serial_seal);
      CHECK_CALL(serial_sealed, serial_receive);
      CHECK_CALL(serial_forged, serial_receive);
    }
  }
}

/* A memory for keys: what is in it is not the library's stack. */
static uint8_t stored[28 * 8];

static bool store_read(void *context, uint32_t address, uint8_t *bytes,
                       size_t size) {
  (void)context;
  memcpy(bytes, stored + address, size);
  return true;
}

static bool store_write(void *context, uint32_t address, const uint8_t *bytes,
                        size_t size) {
  (void)context;
  memcpy(stored + address, bytes, size);
  return true;
}

static const samara_store_memory store_memory = {
    .read = store_read, .write = store_write, .write_unit = 1};
static samara_store_ring store;

static void store_blank(void) {
  memset(stored, 0, sizeof stored);
  store = (samara_store_ring){.memory = &store_memory,
                              .size = sizeof stored,
                              .step = 1,
                              .payload_size = 16};
}

CALL(store_start, (void)!samara_store_start(&store, 1, world.key))
CALL(store_started, store_blank(); store_start())
CALL(store_put, (void)!samara_store_put(&store, world.key))
CALL(store_open, (void)!samara_store_open(&store, world.opened))
CALL(store_wipe, (void)!samara_store_wipe_replaced(&store))
CALL(store_erase, (void)!samara_store_erase(&store))

static void check_store(void) {
  CHECK_CALL(store_blank, store_start);
  CHECK_CALL(store_started, store_put);
  CHECK_CALL(store_started, store_open);
  CHECK_CALL(store_started, store_wipe);
  CHECK_CALL(store_started, store_erase);
}

/* A node whose memory and buffers are not the library's stack. */
static uint8_t node_cells[640], node_wire[256], node_room[256], node_text[64];
static uint8_t node_parts[256];
static samara_aes128_key node_key;
static samara_node_frames node_frames;
static bool node_in_frames;

static bool node_read(void *context, uint32_t address, uint8_t *bytes,
                      size_t size) {
  memcpy(bytes, (uint8_t *)context + address, size);
  return true;
}

static bool node_store(void *context, uint32_t address, const uint8_t *bytes,
                       size_t size) {
  memcpy((uint8_t *)context + address, bytes, size);
  return true;
}

static bool node_put(void *context, const uint8_t *bytes, size_t size) {
  (void)context;
  memcpy(world.sealed, bytes, size);
  world.size = size;
  return true;
}

static const samara_store_memory node_memory = {.read = node_read,
                                                .write = node_store,
                                                .context = node_cells,
                                                .write_unit = 1};
static samara_node node = {.aead = &samara_aes128_ccm_aead,
                           .memory = &node_memory,
                           .size = sizeof node_cells,
                           .step = 4,
                           .receive_step = 1,
                           .write = node_put,
                           .message_size_max = 40,
                           .wire = node_wire,
                           .wire_size = sizeof node_wire,
                           .buffer = node_room,
                           .buffer_size = sizeof node_room,
                           .message = node_text,
                           .message_room = sizeof node_text,
                           .parts = node_parts,
                           .parts_room = sizeof node_parts};
static uint8_t node_record[frames_record_size];
static size_t node_record_bytes;
static uint32_t node_id;
static samara_node_event node_event;

static void node_be_serial(uint8_t direction) {
  write_node_record(node_record, world.key, direction);
  node_record_bytes = node_record_size;
  node.link = &samara_node_rfserial;
  node.key_state = &node_key;
  node.key_state_size = sizeof node_key;
}

static void node_be_in_frames(uint8_t direction) {
  write_frames_record(node_record, world.key, direction, 8 | 5, 0);
  node_record_bytes = frames_record_size;
  node_frames.cipher = &samara_ieee802154_aes128;
  node.link = &samara_node_ieee802154;
  node.key_state = &node_frames;
  node.key_state_size = sizeof node_frames;
}

static void node_blank_as(uint8_t direction) {
  memset(node_cells, 0, sizeof node_cells);
  node_id = 0;
  if (node_in_frames) {
    node_be_in_frames(direction);
  } else {
    node_be_serial(direction);
  }
}

static void node_blank(void) { node_blank_as(0); }

CALL(node_adopt,
     (void)!samara_node_adopt(&node, node_record, node_record_bytes))
CALL(node_adopted, node_blank(); node_adopt())
CALL(node_open, (void)!samara_node_open(&node))
CALL(node_opened, node_adopted(); node_open())
CALL(node_send, (void)!samara_node_send(&node, world.message, 33))
CALL(node_confirmed,
     (void)!samara_node_send_confirmed(&node, world.message, 33, &node_id))
CALL(node_receive, (void)!samara_node_receive(&node, &node_event, world.sealed,
                                              world.size, &world.size))
/* A message, or a part of one, has come to the other end. */
CALL(node_become_other, node_blank_as(1); node_adopt(); node_open())
CALL(node_sent, node_opened(); node_send(); node_become_other())
CALL(node_send_parts, (void)!samara_node_send(&node, world.message, 150))
CALL(node_parts_sent, node_opened(); node_send_parts(); node_become_other())
CALL(node_forget, (void)!samara_node_forget(&node))

static void check_node_over(bool in_frames) {
  node_in_frames = in_frames;
  CHECK_CALL(node_blank, node_adopt);
  CHECK_CALL(node_adopted, node_open);
  CHECK_CALL(node_opened, node_send);
  CHECK_CALL(node_opened, node_confirmed);
  CHECK_CALL(node_sent, node_receive);
  CHECK(node_event.kind == SAMARA_NODE_MESSAGE, "a message was received");
  CHECK_CALL(node_opened, node_send_parts);
  CHECK_CALL(node_parts_sent, node_receive);
  CHECK(node_event.kind == SAMARA_NODE_PART, "a part was received");
  CHECK_CALL(node_opened, node_forget);
}

static void check_node(void) {
  check_node_over(false);
  check_node_over(true);
}

/* What the check is there to find. */
static void leave_key(void) {
  volatile uint8_t copy[sizeof world.key];
  for (size_t i = 0; i < sizeof copy; i++) {
    copy[i] = world.key[i];
  }
}

int main(void) {
  size_t below_top;
  getcontext(&inside);
  check_ciphers();
  check_grain();
  check_ketje_jr();
  check_sync();
  check_suites_with(message_size);
  check_suites_with(long_size);
  check_frames();
  check_serial();
  check_store();
  check_node();
  /* A few bytes may be the same in both keys. */
  CHECK(residue_of(NULL, leave_key, &below_top) >= sizeof world.key / 2,
        "a key that is left is seen");
  return check_report();
}
