// SPDX-License-Identifier: Apache-2.0
#include "Samara.h"

#include <string.h>

namespace {

enum : uint8_t { key_id = 1, sent_id = 2, received_id = 3 };
// The key, and the counter of the receiver when it came: low byte first.
enum { payload_size = SAMARA_KEY_SIZE + 8 };
enum { key_bytes = 4 * 36, counter_bytes = 32 * 12 };
// Numbers of a record: how many are lost by a reset, and messages refused.
enum { sender_step = 16, receiver_step = 4 };
// Work that noise may cause, in bytes for the cipher per byte received.
enum { effort = 256 };

static_assert(key_bytes + 2 * counter_bytes == SAMARA_STORE_SIZE,
              "the size is public");

samara_store_ring ring(const samara_store_memory &memory, uint32_t first,
                       uint32_t size, uint32_t step, uint8_t id,
                       uint8_t payload) {
  samara_store_ring made = {};
  made.memory = &memory;
  made.first = first;
  made.size = size;
  made.step = step;
  made.id = id;
  made.payload_size = payload;
  return made;
}

samara_rfserial_link link(const samara_aes128_key &key, uint8_t direction,
                          uint8_t packet_size) {
  return {&samara_aes128_ccm_aead, &key, 0, direction, packet_size, 8, 4};
}

} // namespace

SamaraLink::SamaraLink(uint8_t direction, const samara_store_memory &memory,
                       uint8_t packet_size, uint32_t first)
    : key_ring_(ring(memory, first, key_bytes, 1, key_id, payload_size)),
      sent_{ring(memory, first + key_bytes, counter_bytes, sender_step, sent_id,
                 0),
            0},
      received_{ring(memory, first + key_bytes + counter_bytes, counter_bytes,
                     receiver_step, received_id, 0),
                0},
      key_{}, out_(link(key_, direction, packet_size)),
      in_(link(key_, !direction, packet_size)), sender_{&out_, 0}, receiver_{},
      event_{}, ready_(false), received_before_(0), error_(SAMARA_OK) {}

bool SamaraLink::succeeded(int result) {
  error_ = result;
  return result == SAMARA_OK;
}

const char *SamaraLink::errorText() const {
  if (error_ == SAMARA_LINK_NOT_READY)
    return "begin() was not called, or did not succeed";
  if (error_ == SAMARA_LINK_SETTINGS)
    return "direction, packet size or memory cannot be used";
  return error_ <= SAMARA_STORE_ERROR_BLANK
             ? samara_store_result_text(samara_store_result(error_))
             : samara_result_text(samara_result(error_));
}

bool SamaraLink::settings_are_valid() {
  const bool valid = samara_rfserial_is_valid(&out_) &&
                     samara_store_is_valid(&key_ring_) &&
                     samara_store_is_valid(&sent_.ring) &&
                     samara_store_is_valid(&received_.ring);
  return succeeded(valid ? int(SAMARA_OK) : int(SAMARA_LINK_SETTINGS));
}

// A counter goes on over keys: it begins at 0 only where there was none, and
// then no key may be in force that was used with other numbers.
bool SamaraLink::open_counter(samara_store_counter &counter) {
  samara_store_result result = samara_store_counter_open(&counter);
  if (result == SAMARA_STORE_ERROR_BLANK || result == SAMARA_STORE_ERROR_LOST) {
    if (!succeeded(samara_store_erase(&key_ring_)))
      return false;
    result = samara_store_start(&counter.ring, 0, nullptr);
    if (result == SAMARA_STORE_OK)
      result = samara_store_counter_open(&counter);
  }
  return succeeded(result);
}

bool SamaraLink::has_key(const uint8_t key[SAMARA_KEY_SIZE]) {
  uint8_t payload[payload_size];
  const bool same = samara_store_open(&key_ring_, payload) == SAMARA_STORE_OK &&
                    samara_equal(payload, key, SAMARA_KEY_SIZE);
  samara_wipe(payload, sizeof payload);
  return same;
}

// The key comes last: a power cut before it leaves the old one in force.
bool SamaraLink::provision(const uint8_t key[SAMARA_KEY_SIZE]) {
  if (!settings_are_valid())
    return false;
  if (has_key(key))
    return begin();
  if (!open_counter(sent_) || !open_counter(received_))
    return false;
  uint8_t payload[payload_size];
  memcpy(payload, key, SAMARA_KEY_SIZE);
  for (uint8_t i = 0; i < 8; i++)
    payload[SAMARA_KEY_SIZE + i] = uint8_t(received_.next >> (8 * i));
  const bool done =
      succeeded(samara_store_open(&key_ring_, nullptr) == SAMARA_STORE_OK
                    ? samara_store_put(&key_ring_, payload)
                    : samara_store_start(&key_ring_, 0, payload));
  samara_wipe(payload, sizeof payload);
  return done && begin();
}

// Expands the stored key, and takes what is stored beside it.
bool SamaraLink::load_key() {
  uint8_t payload[payload_size];
  if (!succeeded(samara_store_open(&key_ring_, payload)))
    return false;
  samara_aes128_set_key(&key_, payload);
  received_before_ = 0;
  for (uint8_t i = 0; i < 8; i++)
    received_before_ |= uint64_t(payload[SAMARA_KEY_SIZE + i]) << (8 * i);
  samara_wipe(payload, sizeof payload);
  return true;
}

bool SamaraLink::begin() {
  ready_ = settings_are_valid() && load_key() &&
           succeeded(samara_store_counter_open(&sent_)) &&
           succeeded(samara_store_counter_open(&received_)) &&
           succeeded(samara_rfserial_receiver_init(
               &receiver_, &in_, received_.next - received_before_, buffer_,
               sizeof buffer_, text_, sizeof text_, effort));
  return ready_;
}

bool SamaraLink::is_ready() {
  return ready_ || succeeded(SAMARA_LINK_NOT_READY);
}

size_t SamaraLink::seal(uint8_t wire[SAMARA_WIRE_SIZE_MAX], const void *message,
                        size_t size) {
  size_t wire_size = samara_rfserial_wire_size(&out_, size);
  const bool fits =
      size <= SAMARA_MESSAGE_SIZE_MAX && wire_size <= SAMARA_WIRE_SIZE_MAX;
  const bool sealed =
      is_ready() && succeeded(fits ? SAMARA_OK : SAMARA_ERROR_MESSAGE_SIZE) &&
      succeeded(samara_store_counter_take(&sent_, &sender_.counter)) &&
      succeeded(samara_rfserial_seal(&sender_, wire, &wire_size,
                                     static_cast<const uint8_t *>(message),
                                     size));
  return sealed ? wire_size : 0;
}

// The number is durable before the message is handed out.
bool SamaraLink::receive(uint8_t byte) {
  if (!is_ready())
    return false;
  (void)samara_rfserial_receive(&receiver_, &event_, &byte, 1);
  return event_.kind == SAMARA_RFSERIAL_MESSAGE &&
         succeeded(samara_store_counter_pass(&received_,
                                             received_before_ + event_.number));
}
