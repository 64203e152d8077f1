/* SPDX-License-Identifier: Apache-2.0 */
#include "6lowpan/work.h"
#include <samara/memory.h>

/* A fragment as it was received, with its header taken off. */
typedef struct reassembly_part {
  const uint8_t *bytes;
  size_t size;
  size_t offset; /* in the packet */
  size_t checksum_at;
  uint16_t packet_size;
  uint16_t tag;
} reassembly_part;

void samara_6lowpan_receiver_init(samara_6lowpan_receiver *receiver,
                                  samara_6lowpan_slot *slots,
                                  uint8_t slot_count, uint8_t slots_each,
                                  uint32_t lifetime_ms, uint8_t *packet) {
  *receiver = (samara_6lowpan_receiver){.slots = slots,
                                        .slot_count = slot_count,
                                        .slots_each = slots_each,
                                        .lifetime_ms = lifetime_ms,
                                        .packet = packet};
  for (unsigned i = 0; i < slot_count; i++) {
    slots[i].size = 0;
  }
}

void samara_6lowpan_receiver_wipe(samara_6lowpan_receiver *receiver) {
  samara_wipe(receiver->slots,
              receiver->slot_count * sizeof(samara_6lowpan_slot));
  samara_wipe(receiver->packet, samara_6lowpan_packet_size_max);
}

/* --- Slots --------------------------------------------------------------- */

static bool slot_same_address(const samara_6lowpan_address *left,
                              const samara_6lowpan_address *right) {
  return left->size == right->size &&
         samara_equal(left->bytes, right->bytes, left->size);
}

/* Gives up what has been incomplete for too long. The time counts from the
 * first fragment: later ones do not extend it. */
static void slot_expire(samara_6lowpan_receiver *receiver, uint32_t now_ms) {
  for (unsigned i = 0; i < receiver->slot_count; i++) {
    samara_6lowpan_slot *slot = &receiver->slots[i];
    if (slot->size != 0 && now_ms - slot->begun > receiver->lifetime_ms) {
      slot->size = 0;
      receiver->expired++;
    }
  }
}

/* RFC 4944, 5.3: both addresses, size and tag name a packet. */
static samara_6lowpan_slot *slot_find(samara_6lowpan_receiver *receiver,
                                      const samara_6lowpan_hop *hop,
                                      const reassembly_part *part) {
  for (unsigned i = 0; i < receiver->slot_count; i++) {
    samara_6lowpan_slot *slot = &receiver->slots[i];
    if (slot->size != 0 && slot->size == part->packet_size &&
        slot->tag == part->tag &&
        slot_same_address(&slot->source, &hop->source) &&
        slot_same_address(&slot->destination, &hop->destination)) {
      return slot;
    }
  }
  return NULL;
}

/* A free slot; or, when the neighbour has as many as it may have, or none is
 * free, the one of its own that was begun first. */
static samara_6lowpan_slot *slot_choose(samara_6lowpan_receiver *receiver,
                                        const samara_6lowpan_hop *hop) {
  samara_6lowpan_slot *free_slot = NULL;
  samara_6lowpan_slot *oldest = NULL;
  unsigned own = 0;
  for (unsigned i = 0; i < receiver->slot_count; i++) {
    samara_6lowpan_slot *slot = &receiver->slots[i];
    if (slot->size == 0) {
      free_slot = slot;
    } else if (slot_same_address(&slot->source, &hop->source)) {
      own++;
      if (oldest == NULL || (int32_t)(slot->begun - oldest->begun) < 0) {
        oldest = slot;
      }
    }
  }
  if (free_slot != NULL && own < receiver->slots_each) {
    return free_slot;
  }
  if (oldest != NULL) {
    receiver->expired++;
  }
  return oldest;
}

static samara_6lowpan_slot *slot_begin(samara_6lowpan_receiver *receiver,
                                       const samara_6lowpan_hop *hop,
                                       const reassembly_part *part,
                                       uint32_t now_ms) {
  samara_6lowpan_slot *slot = slot_choose(receiver, hop);
  if (slot != NULL) {
    slot->source = hop->source;
    slot->destination = hop->destination;
    slot->begun = now_ms;
    slot->tag = part->tag;
    slot->size = part->packet_size;
    slot->missing = part->packet_size;
    slot->checksum_at = 0;
    samara_zero_bytes(slot->there, sizeof slot->there);
  }
  return slot;
}

/* --- Fragments ----------------------------------------------------------- */

/* How many of the units of 8 bytes of a fragment are there. */
static size_t part_there(const samara_6lowpan_slot *slot,
                         const reassembly_part *part) {
  size_t count = 0;
  for (size_t i = part->offset / 8; i < (part->offset + part->size + 7) / 8;
       i++) {
    count += (unsigned)slot->there[i / 8] >> (i % 8) & 1u;
  }
  return count;
}

static void part_store(samara_6lowpan_slot *slot, const reassembly_part *part) {
  for (size_t i = part->offset / 8; i < (part->offset + part->size + 7) / 8;
       i++) {
    slot->there[i / 8] = (uint8_t)(slot->there[i / 8] | 1u << (i % 8));
  }
  samara_copy_bytes(slot->packet + part->offset, part->bytes, part->size);
  slot->missing = (uint16_t)(slot->missing - part->size);
  if (part->offset == 0) {
    slot->checksum_at = (uint16_t)part->checksum_at;
  }
}

/* Whether a fragment lies within its packet: all but the last are multiples of
 * 8 bytes. */
static bool part_fits(const reassembly_part *part) {
  const size_t end = part->offset + part->size;
  return part->size != 0 && end <= part->packet_size &&
         (end == part->packet_size || part->size % 8 == 0);
}

/* A fragment that overlaps another one is either the same bytes again, or it
 * contradicts it: then nobody knows which is right (RFC 5722). */
static samara_6lowpan_result part_add(samara_6lowpan_slot *slot,
                                      const reassembly_part *part) {
  const size_t there = part_there(slot, part);
  if (there == 0) {
    part_store(slot, part);
    return SAMARA_6LOWPAN_OK;
  }
  if (there == (part->size + 7) / 8 &&
      samara_equal(slot->packet + part->offset, part->bytes, part->size)) {
    return SAMARA_6LOWPAN_OK;
  }
  slot->size = 0;
  return SAMARA_6LOWPAN_ERROR_FRAGMENT;
}

static samara_6lowpan_result part_receive(samara_6lowpan_receiver *receiver,
                                          samara_6lowpan_event *event,
                                          const samara_6lowpan_hop *hop,
                                          const reassembly_part *part,
                                          uint32_t now_ms) {
  if (!part_fits(part)) {
    return SAMARA_6LOWPAN_ERROR_ENCODING;
  }
  samara_6lowpan_slot *slot = slot_find(receiver, hop, part);
  if (slot == NULL) {
    slot = slot_begin(receiver, hop, part, now_ms);
  }
  if (slot == NULL) {
    return SAMARA_6LOWPAN_ERROR_FULL;
  }
  const samara_6lowpan_result result = part_add(slot, part);
  if (result == SAMARA_6LOWPAN_OK && slot->missing == 0) {
    if (slot->checksum_at != 0) {
      samara_6lowpan_add_checksum(slot->packet, slot->size, slot->checksum_at);
    }
    event->packet = slot->packet;
    event->packet_size = slot->size;
    slot->size = 0;
  }
  return result;
}

/* --- Payloads ------------------------------------------------------------ */

/* The first fragment is what its headers stand for, and what follows them. */
static samara_6lowpan_result receive_first(samara_6lowpan_receiver *receiver,
                                           const samara_6lowpan_hop *hop,
                                           const uint8_t *payload,
                                           size_t payload_size,
                                           reassembly_part *part) {
  part->bytes = receiver->packet;
  part->offset = 0;
  return samara_6lowpan_expand(receiver->packet, &part->size,
                               &part->checksum_at, hop, payload, payload_size,
                               part->packet_size);
}

static samara_6lowpan_result
receive_fragment(samara_6lowpan_receiver *receiver, samara_6lowpan_event *event,
                 const samara_6lowpan_hop *hop, const uint8_t *payload,
                 size_t payload_size, uint32_t now_ms) {
  const bool is_first = (payload[0] & lowpan_fragment_mask) == lowpan_first;
  const uint8_t size = is_first ? lowpan_first_size : lowpan_later_size;
  if (payload_size <= size) {
    return SAMARA_6LOWPAN_ERROR_TRUNCATED;
  }
  reassembly_part part = {.packet_size = lowpan_load16(payload) & 0x07ff,
                          .tag = lowpan_load16(payload + 2)};
  if (part.packet_size > samara_6lowpan_packet_size_max) {
    return SAMARA_6LOWPAN_ERROR_SIZE;
  }
  if (is_first) {
    const samara_6lowpan_result result = receive_first(
        receiver, hop, payload + size, payload_size - size, &part);
    if (result != SAMARA_6LOWPAN_OK) {
      return result;
    }
  } else {
    part.bytes = payload + size;
    part.size = payload_size - size;
    part.offset = (size_t)payload[4] * 8;
    if (part.offset == 0) { /* only a first fragment has headers */
      return SAMARA_6LOWPAN_ERROR_ENCODING;
    }
  }
  return part_receive(receiver, event, hop, &part, now_ms);
}

samara_6lowpan_result samara_6lowpan_receive(samara_6lowpan_receiver *receiver,
                                             samara_6lowpan_event *event,
                                             const samara_6lowpan_hop *hop,
                                             const uint8_t *payload,
                                             size_t payload_size,
                                             uint32_t now_ms) {
  *event = (samara_6lowpan_event){0};
  slot_expire(receiver, now_ms);
  if (payload_size == 0) {
    return SAMARA_6LOWPAN_ERROR_TRUNCATED;
  }
  const uint8_t kind = payload[0] & lowpan_fragment_mask;
  if (kind == lowpan_first || kind == lowpan_later) {
    return receive_fragment(receiver, event, hop, payload, payload_size,
                            now_ms);
  }
  size_t size;
  const samara_6lowpan_result result = samara_6lowpan_decompress(
      receiver->packet, &size, hop, payload, payload_size);
  if (result == SAMARA_6LOWPAN_OK) {
    event->packet = receiver->packet;
    event->packet_size = size;
  }
  return result;
}
