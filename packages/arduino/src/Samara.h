// SPDX-License-Identifier: Apache-2.0
#ifndef SAMARA_ARDUINO_H
#define SAMARA_ARDUINO_H

// A link between two boards, or a board and `samara node`: messages are
// encrypted and authenticated, and each is accepted once. Key and counters are
// in EEPROM, so that they survive a reset. Every function that can fail says
// so; errorText() then says why. The texts take 0.8 kB of RAM on an AVR, and
// are linked only when it is called.
//
// samara/*.h has all else: ciphers, frames of IEEE 802.15.4, 6LoWPAN.

#include <samara/samara.h>
#ifdef __AVR__
#include <samara/store_avr_eeprom.h>
#endif

enum {
  SAMARA_MESSAGE_SIZE_MAX = 64, // bytes
  SAMARA_WIRE_SIZE_MAX = 84,    // bytes of the longest message on the air
  SAMARA_KEY_SIZE = 16,
  SAMARA_STORE_SIZE = 912 // bytes of the memory that a link takes
};

// What error() tells beside samara_result and samara_store_result.
enum {
  SAMARA_LINK_NOT_READY = 1, // begin() has not succeeded
  SAMARA_LINK_SETTINGS = 2   // direction, packet size or memory cannot be used
};

class SamaraLink {
public:
  // One end has direction 0, the other 1. The radio sends whole packets of
  // packet_size bytes; 1 when it sends any number. `first` is where the link
  // begins in the memory.
  SamaraLink(uint8_t direction, const samara_store_memory &memory,
             uint8_t packet_size = 12, uint32_t first = 0);
#ifdef __AVR__
  explicit SamaraLink(uint8_t direction)
      : SamaraLink(direction, samara_store_avr_eeprom) {}
#endif
  SamaraLink(const SamaraLink &) = delete; // its parts point to each other
  SamaraLink &operator=(const SamaraLink &) = delete;

  // Stores a key. Each key that is given must be new: one that was in use
  // before, on any board, repeats nonces, and then does not protect. `samara
  // keygen` makes one.
  bool provision(const uint8_t key[SAMARA_KEY_SIZE]);

  // Call it after each reset. False when the board was never provisioned.
  bool begin();

  // Writes what to send for a message; returns its size, 0 on failure.
  size_t seal(uint8_t wire[SAMARA_WIRE_SIZE_MAX], const void *message,
              size_t size);

  // Takes a received byte. True when it completes a genuine message that is
  // new.
  bool receive(uint8_t byte);
  const uint8_t *message() const { return event_.message; }
  size_t size() const { return event_.message_size; }
  uint64_t lost() const { return event_.lost; } // messages before this one

  // SAMARA_OK, or why the last call failed.
  int error() const { return error_; }
  const char *errorText() const;

private:
  bool succeeded(int result);
  bool settings_are_valid();
  bool load_key();
  bool is_ready();
  bool has_key(const uint8_t key[SAMARA_KEY_SIZE]);
  bool open_counter(samara_store_counter &counter);

  samara_store_ring key_ring_;
  samara_store_counter sent_, received_;
  samara_aes128_key key_;
  samara_rfserial_link out_, in_;
  samara_rfserial_sender sender_;
  samara_rfserial_receiver receiver_;
  samara_rfserial_event event_;
  bool ready_;               // begin() has succeeded
  uint64_t received_before_; // counter of the receiver when it got its key
  uint8_t buffer_[SAMARA_WIRE_SIZE_MAX], text_[SAMARA_MESSAGE_SIZE_MAX];
  int error_;
};

#endif
