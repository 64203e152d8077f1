/* SPDX-License-Identifier: Apache-2.0 */
#include "aead/grain128aead_batch.h"

#include "aead/grain128aead_work.h"
#include "common/batch.h"
#include "common/bytes.h"
#include "common/carryless.h"
#include "common/overlap.h"
#include "common/wiped.h"

#if SAMARA_WORD_BITS == 64

/* Many messages at a time, one in each lane of stream/grain128_lanes.h. What is
 * authenticated of a message, its stream, are the length of the associated
 * data, the associated data, the message and a last bit that is 1. A block of
 * clocks gives 64 bits to encrypt 8 bytes of it and 64 for the authenticator.
 *
 * With r the bits of the authenticator in their order, the first 64 of them
 * being its contents after the start-up, bit i of the stream adds r[i] to
 * r[i + 63] to the accumulator where it is 1. For 64 bits m of the stream, the
 * 64 bits of r that belong to them, turned around, and the next 64, turned
 * around, this is a product of polynomials (grain128_width.sums), whose
 * coefficients are the sum turned around. */

enum {
  batch_block = 8, /* bytes */
  batch_round = batch_block * grain128_round_blocks
};

typedef struct batch_lane {
  const uint8_t *input; /* the next byte */
  uint8_t *output;
  size_t whole; /* rounds of the message alone that come next */
  size_t after; /* bytes of the message that follow them */
  size_t
      before; /* bytes of the stream that precede the message, still to come */
  samara_batch_message *message; /* NULL: nothing to do */
  uint8_t length[9];             /* of the associated data, encoded */
  uint8_t length_size;
  bool runs; /* the start-up is over */
  bool ends; /* with this round */
} batch_lane;

typedef struct batch_work {
  grain128_lanes lanes;
  batch_lane lane[grain128_lanes_max];
  grain128_row encrypting[grain128_round_blocks];
  grain128_row bits[grain128_round_blocks]; /* of the stream */
  /* The authenticator's, the first those of the round before. */
  grain128_row authenticating[grain128_round_blocks + 1];
  grain128_row sums;
  unsigned busy;    /* lanes with a message */
  unsigned running; /* of them, those whose start-up is over */
  bool opening;
  bool some_end;
  samara_batch_message *next; /* messages that wait */
  samara_batch_message *end;
} batch_work;

/* What lies below and beside it. */
enum { batch_stack = sizeof(batch_work) + 2048 };

/* The length of the associated data, as DER encodes lengths. */
static void batch_encode_length(batch_lane *lane, size_t length) {
  lane->length_size = 0;
  if (length >= 128) {
    for (size_t rest = length; rest != 0; rest >>= 8) {
      lane->length_size++;
    }
    lane->length[0] = (uint8_t)(128 + lane->length_size);
  }
  for (unsigned i = lane->length_size; i != 0; i--) {
    lane->length[i] = (uint8_t)length;
    length >>= 8;
  }
  if (lane->length_size == 0) {
    lane->length[0] = (uint8_t)length;
  }
  lane->length_size++;
}

static samara_result batch_check(const samara_batch_message *message) {
  if (message->nonce_size != samara_grain128aead_nonce_size) {
    return SAMARA_ERROR_NONCE_SIZE;
  }
  if (samara_overlaps(message->output, message->input_size, message->input,
                      message->input_size)) {
    return SAMARA_ERROR_OVERLAP;
  }
  return SAMARA_OK;
}

/* The next message that is not refused, or NULL. */
static samara_batch_message *batch_take(batch_work *work) {
  while (work->next != work->end) {
    samara_batch_message *message = work->next++;
    message->result = batch_check(message);
    message->output_size = 0;
    if (message->result == SAMARA_OK) {
      return message;
    }
  }
  return NULL;
}

/* Messages into all lanes that have none. */
static void batch_fill(batch_work *work) {
  for (unsigned i = 0; i < work->lanes.width->lanes; i++) {
    batch_lane *lane = &work->lane[i];
    if (lane->message != NULL) {
      continue;
    }
    samara_batch_message *message = batch_take(work);
    if (message == NULL) {
      break;
    }
    batch_encode_length(lane, message->associated_data_size);
    lane->message = message;
    lane->input = message->input;
    lane->output = message->output;
    lane->before = lane->length_size + message->associated_data_size;
    lane->whole = 0;
    lane->after = message->input_size;
    lane->runs = false;
    lane->ends = false;
    samara_grain128_lanes_put(&work->lanes, i, message->key, message->nonce);
    work->busy++;
  }
}

/* The lanes whose start-up is over: 64 bits of the last block are the
 * accumulator, the others the authenticator. */
static void batch_run_started(batch_work *work) {
  grain128_row *accumulator = &work->bits[0];
  grain128_row *authenticator = &work->bits[1];
  const grain128_width *width = work->lanes.width;
  width->words(accumulator, &work->lanes.planes, 63, -1);
  width->words(authenticator, &work->lanes.planes, 127, -1);
  for (unsigned i = 0; i < width->lanes; i++) {
    batch_lane *lane = &work->lane[i];
    if (lane->message != NULL && !lane->runs) {
      lane->runs = true;
      work->running++;
      work->sums.words[i] = accumulator->words[i];
      work->authenticating[0].words[i] = authenticator->words[i];
    }
  }
}

/* Byte `index` of what precedes the message. */
static uint8_t batch_byte_before(const batch_lane *lane, size_t index) {
  return index < lane->length_size
             ? lane->length[index]
             : lane->message->associated_data[index - lane->length_size];
}

/* The next `size` bytes, 0 to 8, in the low bits; others are zero. */
static uint64_t batch_load(const uint8_t *input, size_t size) {
  uint64_t bytes = 0;
  if (size == batch_block) {
    return samara_load64_le(input);
  }
  for (size_t i = 0; i < size; i++) {
    bytes |= (uint64_t)input[i] << (8 * i);
  }
  return bytes;
}

static void batch_store(uint8_t *output, uint64_t bytes, size_t size) {
  if (size == batch_block) {
    samara_store64_le(output, bytes);
    return;
  }
  for (size_t i = 0; i < size; i++) {
    output[i] = (uint8_t)(bytes >> (8 * i));
  }
}

/* `in` where sealing, decrypted where opening: what is authenticated. */
SAMARA_INLINE uint64_t batch_plain(const batch_work *work, uint64_t in,
                                   uint64_t encrypting) {
  return work->opening ? in ^ encrypting : in;
}

/* A round of the message alone. */
static void batch_whole_round(batch_work *work, batch_lane *lane,
                              unsigned index) {
  const uint8_t *input = lane->input;
  uint8_t *output = lane->output;
  uint64_t in[grain128_round_blocks];
  uint64_t encrypting[grain128_round_blocks];
  for (unsigned j = 0; j < grain128_round_blocks; j++) {
    in[j] = samara_load64_le(input + batch_block * j);
    encrypting[j] = work->encrypting[j].words[index];
    work->bits[j].words[index] = batch_plain(work, in[j], encrypting[j]);
  }
  for (unsigned j = 0; j < grain128_round_blocks; j++) {
    samara_store64_le(output + batch_block * j, in[j] ^ encrypting[j]);
  }
  lane->input = input + batch_round;
  lane->output = output + batch_round;
  lane->whole--;
  lane->ends = (lane->whole | lane->after) == 0;
}

/* The bytes of the next block that precede the message; returns how many. */
static unsigned batch_block_before(batch_lane *lane, uint64_t *bits) {
  const samara_batch_message *message = lane->message;
  const size_t index =
      lane->length_size + message->associated_data_size - lane->before;
  if (index >= lane->length_size && lane->before >= batch_block) {
    *bits =
        samara_load64_le(message->associated_data + index - lane->length_size);
    lane->before -= batch_block;
    return batch_block;
  }
  unsigned i = 0;
  for (; i < batch_block && lane->before != 0; i++, lane->before--) {
    *bits |= (uint64_t)batch_byte_before(lane, index + i) << (8 * i);
  }
  return i;
}

/* Any block before the end; returns its bits of the stream. */
static uint64_t batch_mixed_block(const batch_work *work, batch_lane *lane,
                                  uint64_t encrypting) {
  uint64_t bits = 0;
  const unsigned before =
      lane->before == 0 ? 0 : batch_block_before(lane, &bits);
  if (before == batch_block) {
    return bits;
  }
  const size_t room = batch_block - before;
  const size_t size = lane->after < room ? lane->after : room;
  const uint64_t all =
      size == batch_block ? ~(uint64_t)0 : ((uint64_t)1 << (8 * size)) - 1;
  if (size != 0) { /* or the pointers may be NULL */
    const uint64_t in = batch_load(lane->input, size);
    encrypting = encrypting >> (8 * before) & all;
    bits |= batch_plain(work, in, encrypting) << (8 * before);
    batch_store(lane->output, in ^ encrypting, size);
    lane->input += size;
    lane->output += size;
    lane->after -= size;
  }
  if (size < room) {
    bits |= (uint64_t)1 << (8 * (before + size));
    lane->ends = true;
  }
  return bits;
}

/* A round in which the message begins and does not end: whole words of it, the
 * first moved up behind the `before` bytes that precede it in its block. The
 * bytes that its block has no room for are written again with the next one;
 * everything is read before. */
static void batch_first_round(batch_work *work, batch_lane *lane,
                              unsigned index) {
  unsigned j = 0;
  for (; lane->before >= batch_block; j++) {
    uint64_t bits = 0;
    (void)batch_block_before(lane, &bits);
    work->bits[j].words[index] = bits;
  }
  uint64_t first = 0;
  const unsigned shift = 8 * batch_block_before(lane, &first);
  const uint8_t *input = lane->input;
  uint8_t *output = lane->output;
  uint64_t in[grain128_round_blocks];
  size_t place[grain128_round_blocks];
  size_t size = 0;
  const unsigned from = j;
  for (; j < grain128_round_blocks; j++) {
    in[j] = samara_load64_le(input + size);
    place[j] = size;
    size += j == from ? batch_block - shift / 8 : batch_block;
  }
  for (j = from; j < grain128_round_blocks; j++) {
    const unsigned up = j == from ? shift : 0;
    const uint64_t encrypting = work->encrypting[j].words[index] >> up;
    const uint64_t plain = batch_plain(work, in[j], encrypting);
    work->bits[j].words[index] = plain << up | (j == from ? first : 0);
    samara_store64_le(output + place[j], in[j] ^ encrypting);
  }
  lane->input = input + size;
  lane->output = output + size;
  lane->after -= size;
}

/* A round that is not of the message alone. */
static void batch_mixed_round(batch_work *work, batch_lane *lane,
                              unsigned index) {
  if (lane->before < batch_round &&
      lane->before + lane->after >= batch_round + batch_block) {
    batch_first_round(work, lane, index);
  } else {
    for (unsigned j = 0; j < grain128_round_blocks; j++) {
      work->bits[j].words[index] =
          lane->ends
              ? 0
              : batch_mixed_block(work, lane, work->encrypting[j].words[index]);
    }
  }
  if (lane->before == 0) {
    lane->whole = lane->after / batch_round;
    lane->after %= batch_round;
    lane->ends |= (lane->whole | lane->after) == 0;
  }
}

/* Encrypts or decrypts a round of every message. */
static void batch_crypt(batch_work *work) {
  for (unsigned i = 0; i < work->lanes.width->lanes; i++) {
    batch_lane *lane = &work->lane[i];
    if (lane->whole != 0) {
      batch_whole_round(work, lane, i);
    } else if (lane->runs) {
      batch_mixed_round(work, lane, i);
    } else {
      for (unsigned j = 0; j < grain128_round_blocks; j++) {
        work->bits[j].words[i] = 0;
      }
    }
    work->some_end |= lane->ends;
  }
}

/* Writes or compares the tag. */
static void batch_finish(samara_batch_message *message, const uint8_t *tag,
                         bool opening) {
  if (!opening) {
    samara_copy_bytes(message->tag, tag, samara_grain128aead_tag_size);
  } else if (!samara_equal(tag, message->tag, samara_grain128aead_tag_size)) {
    samara_wipe(message->output, message->input_size);
    message->result = SAMARA_ERROR_AUTHENTICATION;
    return;
  }
  message->output_size = message->input_size;
}

/* The tag of a lane that has ended, turned around. A stream that fills its last
 * round has its last bit, a 1, behind that: it adds the authenticator. */
static uint64_t batch_sum(const batch_work *work, unsigned index) {
  const batch_lane *lane = &work->lane[index];
  const samara_batch_message *message = lane->message;
  const size_t size =
      lane->length_size + message->associated_data_size + message->input_size;
  const uint64_t sum = work->sums.words[index];
  return size % batch_round != 0
             ? sum
             : sum ^ work->authenticating[grain128_round_blocks].words[index];
}

static void batch_finish_lanes(batch_work *work) {
  for (unsigned i = 0; i < work->lanes.width->lanes; i++) {
    batch_lane *lane = &work->lane[i];
    if (!lane->ends) {
      continue;
    }
    uint8_t tag[samara_grain128aead_tag_size];
    SAMARA_WIPED(tag);
    samara_store64_le(tag, samara_reverse64(batch_sum(work, i)));
    batch_finish(lane->message, tag, work->opening);
    lane->message = NULL;
    lane->runs = false;
    lane->ends = false;
    work->busy--;
    work->running--;
  }
  work->some_end = false;
}

/* A round of all lanes. */
static void batch_run_round(batch_work *work) {
  const grain128_width *width = work->lanes.width;
  const grain128_planes *planes = &work->lanes.planes;
  const bool starts = work->lanes.starts;
  samara_grain128_lanes_load(&work->lanes);
  for (unsigned j = 0; j < grain128_round_blocks; j++) {
    samara_grain128_lanes_clock(&work->lanes, j);
    if (work->running != 0) {
      width->words(&work->encrypting[j], planes, 0, 2);
      width->words(&work->authenticating[j + 1], planes, 127, -2);
    }
  }
  if (work->running != 0) {
    batch_crypt(work);
    width->sums(&work->sums, work->bits, work->authenticating);
    if (work->some_end) {
      batch_finish_lanes(work);
    }
    work->authenticating[0] = work->authenticating[grain128_round_blocks];
  }
  if (starts) {
    batch_run_started(work);
  }
}

/* Few lanes are left: they go on one after the other. */
static void batch_finish_alone(batch_work *work, unsigned index) {
  batch_lane *lane = &work->lane[index];
  samara_batch_message *message = lane->message;
  samara_grain128aead state;
  SAMARA_WIPED(state);
  uint8_t tag[samara_grain128aead_tag_size];
  SAMARA_WIPED(tag);
  samara_grain128_lanes_get(&state.generator, &work->lanes, index);
  const uint64_t accumulator = samara_reverse64(work->sums.words[index]);
  const uint64_t authenticator =
      samara_reverse64(work->authenticating[0].words[index]);
  state.accumulator[0] = (uint32_t)accumulator;
  state.accumulator[1] = (uint32_t)(accumulator >> 32);
  state.authenticator[0] = (uint32_t)authenticator;
  state.authenticator[1] = (uint32_t)(authenticator >> 32);
  state.text = 0;
  state.even = 0;
  state.odd = 0;
  state.used = 0;
  const size_t begin =
      lane->length_size + message->associated_data_size - lane->before;
  for (size_t i = 0; i < lane->before; i++) {
    const uint8_t byte = batch_byte_before(lane, begin + i);
    samara_grain128aead_absorb(&state, &byte, 1);
  }
  (work->opening ? samara_grain128aead_decrypt : samara_grain128aead_encrypt)(
      &state, lane->output, lane->input,
      batch_round * lane->whole + lane->after);
  samara_grain128aead_finish(&state, tag);
  batch_finish(message, tag, work->opening);
}

SAMARA_NOT_INLINED static void batch_run(const grain128_width *width,
                                         samara_batch_message *messages,
                                         size_t count, bool opening) {
  batch_work work; /* wiped with the stack, as what is below it must be */
  __builtin_memset(&work, 0, sizeof work);
  samara_grain128_lanes_init(&work.lanes, width);
  work.opening = opening;
  work.next = messages;
  work.end = messages + count;
  batch_fill(&work);
  while (work.busy >= width->few || work.lanes.starts) {
    batch_run_round(&work);
    if (work.busy < width->lanes) {
      batch_fill(&work);
    }
  }
  for (unsigned i = 0; i < width->lanes && work.busy != 0; i++) {
    if (work.lane[i].message != NULL) {
      batch_finish_alone(&work, i);
      work.busy--;
    }
  }
  samara_grain128_lanes_clear();
}

static samara_result batch_first_failure(const samara_batch_message *messages,
                                         size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (messages[i].result != SAMARA_OK) {
      return messages[i].result;
    }
  }
  return SAMARA_OK;
}

samara_result samara_grain128aead_batch_width(const grain128_width *width,
                                              samara_batch_message *messages,
                                              size_t count, bool opening) {
  batch_run(width, messages, count, opening);
  return samara_leave(batch_first_failure(messages, count), batch_stack);
}

/* Few messages: one after the other. */

static samara_result batch_seal_one(const void *unused,
                                    samara_batch_message *message) {
  (void)unused;
  message->output_size = message->input_size;
  return message->nonce_size != samara_grain128aead_nonce_size
             ? SAMARA_ERROR_NONCE_SIZE
             : samara_grain128aead_seal(
                   message->key, message->output, message->tag, message->nonce,
                   message->associated_data, message->associated_data_size,
                   message->input, message->input_size);
}

static samara_result batch_open_one(const void *unused,
                                    samara_batch_message *message) {
  (void)unused;
  message->output_size = message->input_size;
  return message->nonce_size != samara_grain128aead_nonce_size
             ? SAMARA_ERROR_NONCE_SIZE
             : samara_grain128aead_open(
                   message->key, message->output, message->tag, message->nonce,
                   message->associated_data, message->associated_data_size,
                   message->input, message->input_size);
}

samara_result samara_grain128aead_seal_batch(samara_batch_message *messages,
                                             size_t count) {
  const grain128_width *width = samara_grain128_width_for(count);
  return width == NULL
             ? samara_batch_run(batch_seal_one, NULL, messages, count)
             : samara_grain128aead_batch_width(width, messages, count, false);
}

samara_result samara_grain128aead_open_batch(samara_batch_message *messages,
                                             size_t count) {
  const grain128_width *width = samara_grain128_width_for(count);
  return width == NULL
             ? samara_batch_run(batch_open_one, NULL, messages, count)
             : samara_grain128aead_batch_width(width, messages, count, true);
}

#endif
