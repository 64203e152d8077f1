/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_STORE_H
#define SAMARA_STORE_H

/* Counters and keys that survive a reset, in EEPROM, FRAM, flash or a file.
 *
 * A sender that forgets its counter repeats nonces, and a receiver that forgets
 * its counter accepts old messages again. A store for each message would wear
 * the memory out. So numbers are reserved: one record in the memory covers the
 * next `step` numbers. After a reset the unused rest of them is skipped.
 *
 * The memory is divided into rings of records. A ring holds one value, and each
 * new value is written into the slot after the last one, so all slots wear
 * alike. A record is
 *
 *   sequence   7 bytes          low byte first; of two records the higher
 *                               counts
 *   exponent   1 byte           of the smallest power of 2 not below `step`
 *   payload    0 to 80 bytes    a key, for example; a counter has none
 *   check      4 bytes          CRC-32 of ring id, payload size and the above
 *   filler                      up to a multiple of the memory's write unit
 *
 * The record that is in force is never overwritten, and never erased. A record
 * that a power cut leaves half written fails its check and is ignored. Opening
 * a ring only reads.
 *
 * What is survived, at any byte of any write or erase: a power cut, also while
 * the store recovers from another; a memory cell that cannot be changed any
 * more (each record is read back; its slot is left out); loss of the newest
 * record of a counter to bit errors, also when the power fails in the very next
 * write, unless that write can leave a whole record erased (see
 * samara_store_counter_open).
 * What is not: a memory that is set back to an earlier content as a whole, and
 * bits that an attacker changes: the check finds errors, it is no signature.
 * Keys that were replaced stay readable in older slots until these are written
 * again, or until samara_store_wipe_replaced or samara_store_erase is called.
 *
 * Life cycle: fill in a samara_store_memory and a samara_store_ring, check them
 * once with samara_store_is_valid, which the other functions do not repeat.
 * When a device is provisioned, samara_store_start writes the first value.
 * After each reset, samara_store_open or samara_store_counter_open finds the
 * value that is in force; then the writing functions may be called.
 * docs/store.md has examples, and says how long which memory lasts. */

#include <samara/result.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { samara_store_payload_size_max = 80, samara_store_write_unit_max = 32 };

/* The highest sequence, and the highest number that a record can cover. */
#define SAMARA_STORE_SEQUENCE_MAX (((uint64_t)1 << 56) - 1)

typedef enum samara_store_result {
  SAMARA_STORE_OK = SAMARA_OK,
  /* Every byte of the ring is erased: nothing was stored yet. */
  SAMARA_STORE_ERROR_BLANK = -128,
  /* The ring was written, and no record in it is valid. A counter must not
   * begin again from zero then: give the device a new key. */
  SAMARA_STORE_ERROR_LOST = -129,
  /* No slot takes a new record. The value that was in force still is. */
  SAMARA_STORE_ERROR_WORN = -130,
  /* The memory could not be read. */
  SAMARA_STORE_ERROR_READ = -131,
  /* The sequence or counter is at its end. */
  SAMARA_STORE_ERROR_END = -132,
  /* The call would lower a counter, or erase one. */
  SAMARA_STORE_ERROR_LOWERED = -133
} samara_store_result;

/* One English sentence for a result, without a full stop; never NULL. */
const char *samara_store_result_text(samara_store_result result);

/* A memory that keeps its content without power. Addresses are in bytes. */
typedef struct samara_store_memory {
  /* Each answers whether it succeeded. */
  bool (*read)(void *context, uint32_t address, uint8_t *bytes, size_t size);
  /* Address and size are multiples of write_unit. Returns when the bytes are
   * durable. A power cut may leave the bytes of any write unit of the range
   * old, new or arbitrary, and no byte outside of the range changed. */
  bool (*write)(void *context, uint32_t address, const uint8_t *bytes,
                size_t size);
  /* Sets the page that begins at the address to erased_value. NULL for a memory
   * whose bytes can be written over, such as EEPROM, FRAM or a file. */
  bool (*erase)(void *context, uint32_t address);
  void *context;      /* handed to the functions above */
  uint32_t page_size; /* bytes erased at once; not used without `erase` */
  uint8_t write_unit; /* 1 to 32 bytes */
  uint8_t erased_value;
} samara_store_memory;

/* A part of a memory that holds one value. Its settings must not change while
 * a device has records; only `step` may, by a new firmware: each record says
 * how many numbers the next one may cover. */
typedef struct samara_store_ring {
  const samara_store_memory *memory;
  uint32_t first;       /* address of the first byte; begins a page */
  uint32_t size;        /* bytes; whole pages, two or more */
  uint32_t step;        /* of a counter: numbers in a record; otherwise 1 */
  uint8_t id;           /* differs between the rings of a memory */
  uint8_t payload_size; /* 0 to 80 bytes; 0 for a counter */
  /* What follows is set by the functions. Do not change it. */
  uint64_t sequence; /* of the record in force */
  uint32_t slot;     /* its place */
  uint8_t exponent;  /* the next one covers up to 2^exponent numbers */
} samara_store_ring;

/* Whether every setting is within its limits: the ring has at least four slots,
 * and with `erase` at least two pages of at least two slots. */
bool samara_store_is_valid(const samara_store_ring *ring);

/* Number of records that the ring has room for. */
uint32_t samara_store_slot_count(const samara_store_ring *ring);

/* Number of records that can be written until each slot has been written (or
 * its page erased) `endurance` times. Endurance is in the data sheet of the
 * memory: 100,000 for the EEPROM of AVRs, 10,000 for most flash. A counter
 * writes one record in `step` messages, one after each reset, and one more
 * after a reset that cut a write: samara_store_years of store_life.h. */
uint64_t samara_store_record_count(const samara_store_ring *ring,
                                   uint32_t endurance);

/* Finds the record in force and copies its payload, which may be NULL.
 *
 * Of the valid records the one with the highest sequence counts, however far it
 * is above the others: numbers are skipped, and never come back.
 *
 * BLANK, LOST or READ. On error nothing is written to `payload`. */
SAMARA_MUST_CHECK samara_store_result samara_store_open(samara_store_ring *ring,
                                                        uint8_t *payload);

/* Writes the first record of a ring, or a record with any higher sequence. It
 * is written twice, so that one of both may be lost. A power cut leaves the old
 * or the new one in force.
 *
 * LOWERED, END (above SAMARA_STORE_SEQUENCE_MAX), WORN or READ. */
SAMARA_MUST_CHECK samara_store_result samara_store_start(
    samara_store_ring *ring, uint64_t sequence, const uint8_t *payload);

/* Replaces the value of an open ring: END, WORN or READ. */
SAMARA_MUST_CHECK samara_store_result samara_store_put(samara_store_ring *ring,
                                                       const uint8_t *payload);

/* Makes the keys that were replaced unreadable: erases every record of a ring
 * of keys but the one in force, and makes sure of it. Flash is erased by pages;
 * there the value is first written again, into the next page. A power cut
 * leaves the value in force: call it again. Afterwards no older record is left
 * if the newest is lost to bit errors.
 *
 * A counter is refused (LOWERED). WORN when a cell keeps its old content, which
 * may be part of a key. BLANK, LOST, END or READ. */
SAMARA_MUST_CHECK samara_store_result
samara_store_wipe_replaced(samara_store_ring *ring);

/* Erases every record of a ring of keys, the one in force last, and makes sure
 * of it; the ring is then blank. A counter is refused (LOWERED): a factory
 * reset erases the keys and lets the counters go on, so that the same key can
 * come back without repeating a nonce. After a power cut, call it again.
 *
 * LOWERED, WORN or READ. */
SAMARA_MUST_CHECK samara_store_result
samara_store_erase(samara_store_ring *ring);

/* A counter in a ring without payload. All numbers below the sequence of the
 * record in force may have been used. */
typedef struct samara_store_counter {
  samara_store_ring ring;
  uint64_t next; /* the lowest number that was never used */
} samara_store_counter;

/* Finds where a counter goes on: above every number that was ever reserved.
 *
 * At most `step` numbers are lost by a reset, or the next power of 2 if `step`
 * is none and the reset cut a write. If the slot after the record in force is
 * neither valid nor erased, it may have held a newer record that was damaged
 * later. Then as many more numbers are skipped as that may have covered: `step`
 * of the firmware that wrote it, up to a power of 2. So no number comes back
 * when the newest record is lost. The same holds where that slot is the first
 * of a page of flash and is erased: the power may have failed after a page was
 * erased whose first record was lost.
 *
 * The same errors as samara_store_open, and END. */
SAMARA_MUST_CHECK samara_store_result
samara_store_counter_open(samara_store_counter *counter);

/* For a sender: hands out the next number, which is then used. A record is
 * written first when none is left of the reserved ones.
 *
 * END, WORN or READ; then *number is not written, and nothing was used. */
SAMARA_MUST_CHECK samara_store_result
samara_store_counter_take(samara_store_counter *counter, uint64_t *number);

/* For a receiver: makes durable that `number` was accepted, before the message
 * is acted on. counter->next is then above it: only such numbers are accepted.
 * After a reset up to `step` - 1 genuine messages are refused; a receiver that
 * must not lose any has a step of 1. It loses one after a cut, or where the
 * next record begins an erased page of flash.
 *
 * LOWERED when the number is below counter->next, END, WORN or READ; then
 * counter->next stays. After WORN, a reset may skip the numbers up to this one.
 */
SAMARA_MUST_CHECK samara_store_result
samara_store_counter_pass(samara_store_counter *counter, uint64_t number);

#ifdef __cplusplus
}
#endif

#endif
