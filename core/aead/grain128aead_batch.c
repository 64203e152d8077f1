/* SPDX-License-Identifier: Apache-2.0 */
#include "aead/grain128aead_batch.h"

#include "aead/grain128aead_work.h"
#include "common/batch.h"
#include "common/bytes.h"
#include "common/carryless.h"
#include "common/overlap.h"
#include "common/secret.h"
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
 * around, this is a product of polynomials (grain128_width.crypt), whose
 * coefficients are the sum turned around. */

enum { batch_round = grain128_round_bytes };

/* Small: a round goes through all of them. */
typedef struct batch_lane {
  const uint8_t *input; /* the next byte */
  uint8_t *output;
  size_t whole;  /* rounds of the message alone that come next */
  size_t left;   /* bytes of the message that follow them */
  size_t before; /* and of the stream that precede it */
  samara_batch_message *message; /* NULL: nothing to do */
  uint8_t length_size;           /* of the associated data's length, encoded */
  bool runs;                     /* the start-up is over */
  bool ends;                     /* with this round */
} batch_lane;

typedef struct batch_work {
  grain128_lanes lanes;
  grain128_rows rows;
  batch_lane lane[grain128_lanes_max];
  unsigned busy;    /* lanes with a message */
  unsigned running; /* of them, those whose start-up is over */
  bool opening;
  bool some_end;
  samara_batch_message *next;         /* messages that wait */
  const samara_batch_message *failed; /* the first of those; or NULL */
  samara_batch_message *end;
} batch_work;

/* What lies below and beside it. */
enum { batch_stack = sizeof(batch_work) + 2048 };

/* Bytes of the length of the associated data, as DER encodes lengths. */
static uint8_t batch_length_size(size_t length) {
  uint8_t size = 1;
  for (size_t rest = length < 128 ? 0 : length; rest != 0; rest >>= 8) {
    size++;
  }
  return size;
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

/* The answer of the whole is the first failure in the order of the array. */
static void batch_fails(batch_work *work, const samara_batch_message *message) {
  if (work->failed == NULL || message < work->failed) {
    work->failed = message;
  }
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
    batch_fails(work, message);
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
    lane->length_size = batch_length_size(message->associated_data_size);
    lane->message = message;
    lane->input = message->input;
    lane->output = message->output;
    lane->before = lane->length_size + message->associated_data_size;
    lane->whole = 0;
    lane->left = message->input_size;
    lane->runs = false;
    lane->ends = false;
    samara_grain128_lanes_put(&work->lanes, i, message->key, message->nonce);
    work->busy++;
  }
}

/* The lanes whose start-up is over: 64 bits of the last block are the
 * accumulator, the others the authenticator. */
static void batch_run_started(batch_work *work) {
  grain128_row *accumulator = &work->rows.encrypting[0];
  grain128_row *authenticator = &work->rows.encrypting[1];
  const grain128_width *width = work->lanes.width;
  width->words(accumulator, &work->lanes.planes, 63, -1);
  width->words(authenticator, &work->lanes.planes, 127, -1);
  for (unsigned i = 0; i < width->lanes; i++) {
    batch_lane *lane = &work->lane[i];
    if (lane->message != NULL && !lane->runs) {
      lane->runs = true;
      work->running++;
      work->rows.sums.words[i] = accumulator->words[i];
      work->rows.authenticating[0].words[i] = authenticator->words[i];
    }
  }
}

/* Byte `index` of what precedes the message. */
static uint8_t batch_byte_before(const batch_lane *lane, size_t index) {
  const samara_batch_message *message = lane->message;
  if (index >= lane->length_size) {
    return message->associated_data[index - lane->length_size];
  }
  const size_t below = lane->length_size - index - 1; /* bytes of the length */
  const size_t byte = index == 0 && below != 0
                          ? 128 + below
                          : message->associated_data_size >> (8 * below);
  return (uint8_t)byte;
}

/* The bytes of the round that precede the message go to `other`; returns how
 * many. */
static unsigned batch_round_before(batch_lane *lane, uint8_t *other) {
  const samara_batch_message *message = lane->message;
  const size_t index =
      lane->length_size + message->associated_data_size - lane->before;
  const unsigned size =
      lane->before < batch_round ? (unsigned)lane->before : batch_round;
  for (unsigned i = 0; i < size; i++) {
    other[i] = batch_byte_before(lane, index + i);
  }
  lane->before -= size;
  return size;
}

/* A round of the message alone. */
SAMARA_INLINE void batch_whole_round(batch_lane *lane, grain128_piece *piece) {
  piece->input = lane->input;
  piece->output = lane->output;
  lane->input += batch_round;
  lane->output += batch_round;
  lane->whole--;
  lane->ends = (lane->whole | lane->left) == 0;
}

/* Any round. */
static void batch_any_round(batch_lane *lane, grain128_piece *piece,
                            uint8_t other[batch_round]) {
  __builtin_memset(other, 0, batch_round);
  if (lane->whole != 0) {
    *piece = (grain128_piece){NULL, NULL, other, batch_round, 0};
    batch_whole_round(lane, piece);
    return;
  }
  if (!lane->runs) {
    *piece = (grain128_piece){NULL, NULL, other, 0, 0};
    return;
  }
  const unsigned before =
      lane->before == 0 ? 0 : batch_round_before(lane, other);
  const unsigned room = batch_round - before;
  const unsigned size = lane->left < room ? (unsigned)lane->left : room;
  *piece = (grain128_piece){lane->input, lane->output, other, size, before};
  if (size != 0) { /* or the pointers may be NULL */
    lane->input += size;
    lane->output += size;
    lane->left -= size;
  }
  if (size < room) {
    other[before + size] = 1;
  }
  if (lane->before == 0) {
    lane->whole = lane->left / batch_round;
    lane->left %= batch_round;
  }
  lane->ends = size < room || (lane->before | lane->whole | lane->left) == 0;
}

/* Whether all lanes of some have a round of the message alone. */
static bool batch_all_whole(const batch_lane lanes[grain128_pieces]) {
  bool whole = true;
  for (unsigned i = 0; i < grain128_pieces; i++) {
    whole &= lanes[i].whole != 0;
  }
  return whole;
}

/* The next round of some lanes; returns whether all are of messages alone. */
static bool batch_pieces(batch_work *work, unsigned first,
                         grain128_piece pieces[grain128_pieces],
                         uint8_t other[grain128_pieces][batch_round]) {
  batch_lane *lanes = &work->lane[first];
  bool some_end = false;
  const bool whole = batch_all_whole(lanes);
  if (whole) {
    for (unsigned i = 0; i < grain128_pieces; i++) {
      batch_whole_round(&lanes[i], &pieces[i]);
      some_end |= lanes[i].ends;
    }
  } else {
    for (unsigned i = 0; i < grain128_pieces; i++) {
      batch_any_round(&lanes[i], &pieces[i], other[i]);
      some_end |= lanes[i].ends;
    }
  }
  work->some_end |= some_end;
  return whole;
}

/* Encrypts or decrypts a round of every message. */
static void batch_crypt(batch_work *work) {
  uint8_t other[grain128_pieces][batch_round];
  grain128_piece pieces[grain128_pieces];
  const grain128_width *width = work->lanes.width;
  for (unsigned i = 0; i < width->lanes; i += grain128_pieces) {
    const bool whole = batch_pieces(work, i, pieces, other);
    width->crypt(&work->rows, i, pieces, whole, work->opening);
  }
}

/* Compares the tag. */
static void batch_open(batch_work *work, samara_batch_message *message,
                       uint64_t tag) {
  const uint64_t difference =
      samara_hide64(tag ^ samara_load64_le(message->tag));
  if (samara_declassify32((uint32_t)(difference | difference >> 32)) == 0) {
    message->output_size = message->input_size;
    return;
  }
  samara_wipe(message->output, message->input_size);
  message->result = SAMARA_ERROR_AUTHENTICATION;
  batch_fails(work, message);
}

/* Writes or compares the tag. */
static void batch_finish(batch_work *work, samara_batch_message *message,
                         uint64_t tag) {
  if (work->opening) {
    batch_open(work, message, tag);
    return;
  }
  samara_store64_le(message->tag, tag);
  message->output_size = message->input_size;
}

/* The tag of a lane that has ended, turned around. A stream that fills its last
 * round has its last bit, a 1, behind that: it adds the authenticator. */
static uint64_t batch_sum(const batch_work *work, unsigned index) {
  const batch_lane *lane = &work->lane[index];
  const samara_batch_message *message = lane->message;
  const size_t size =
      lane->length_size + message->associated_data_size + message->input_size;
  const uint64_t sum = work->rows.sums.words[index];
  return size % batch_round != 0
             ? sum
             : sum ^ work->rows.authenticating[grain128_round_blocks]
                         .words[index];
}

static void batch_finish_lanes(batch_work *work) {
  for (unsigned i = 0; i < work->lanes.width->lanes; i++) {
    batch_lane *lane = &work->lane[i];
    if (!lane->ends) {
      continue;
    }
    batch_finish(work, lane->message, samara_reverse64(batch_sum(work, i)));
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
      width->words(&work->rows.encrypting[j], planes, 0, 2);
      width->words(&work->rows.authenticating[j + 1], planes, 127, -2);
    }
  }
  if (work->running != 0) {
    batch_crypt(work);
    if (work->some_end) {
      batch_finish_lanes(work);
    }
    work->rows.authenticating[0] =
        work->rows.authenticating[grain128_round_blocks];
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
  const uint64_t accumulator = samara_reverse64(work->rows.sums.words[index]);
  const uint64_t authenticator =
      samara_reverse64(work->rows.authenticating[0].words[index]);
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
      batch_round * lane->whole + lane->left);
  samara_grain128aead_finish(&state, tag);
  batch_finish(work, message, samara_load64_le(tag));
}

SAMARA_NOT_INLINED static samara_result
batch_run(const grain128_width *width, samara_batch_message *messages,
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
  return work.failed == NULL ? SAMARA_OK : work.failed->result;
}

samara_result samara_grain128aead_batch_width(const grain128_width *width,
                                              samara_batch_message *messages,
                                              size_t count, bool opening) {
  return samara_leave(batch_run(width, messages, count, opening), batch_stack);
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
