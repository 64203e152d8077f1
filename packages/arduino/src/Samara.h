// SPDX-License-Identifier: Apache-2.0
#ifndef SAMARA_ARDUINO_H
#define SAMARA_ARDUINO_H

// A link between a board and a node of a host (`samara node`): messages are
// encrypted and authenticated, and each is accepted once. Key and counters are
// in EEPROM, so that they survive a reset. It is the node of samara/node.h,
// with what a sketch needs; that header explains the calls.
//
// Every function that can fail answers false; errorText() then says why. The
// texts take 1.5 kB of RAM on an AVR, and are linked only when it is called.
//
// samara/*.h has all else: ciphers, frames of IEEE 802.15.4, 6LoWPAN.

#include <Arduino.h>
#include <samara/samara.h>
#ifdef __AVR__
#include <samara/store_avr_eeprom.h>
#endif

// What error() tells beside the errors of samara/node.h.
enum { SAMARA_LINK_NOT_READY = 1 }; // begin() has not succeeded

// Where a link keeps its key and its counters. It must stay the same while the
// board has a key.
struct SamaraMemory {
  const samara_store_memory *memory;
  uint32_t first, size; // bytes
};

#ifdef __AVR__
// The EEPROM but for its first bytes, which suffer when the voltage drops.
constexpr SamaraMemory samara_eeprom = {&samara_store_avr_eeprom, 16,
                                        E2END + 1 - 16};
#endif

// What links of all kinds have.
class SamaraLink {
public:
  SamaraLink(const SamaraLink &) = delete; // its parts point to each other
  SamaraLink &operator=(const SamaraLink &) = delete;

  // Stores the key of a new board: a record that `samara node init
  // --for-device` made. Never use a record twice: nonces would repeat, and the
  // key then does not protect. Again after a power cut is not twice.
  bool provision(const uint8_t *record, size_t size);

  // Erases the key, and keeps the counters.
  bool forget();

  // Call it after each reset. False when the board was never provisioned.
  bool begin();

  // Sends a message, in parts when it is long.
  bool send(const void *message, size_t size);
  bool send(const char *text) { return send(text, strlen(text)); }

  // The same, and asks for an acknowledgement. `id` is 0 for a new message.
  // Call it again with the same message and id until isDelivered(id), and
  // receive in between: the host hands the message on once.
  bool sendConfirmed(const void *message, size_t size, uint32_t &id);
  bool isDelivered(uint32_t id) const { return id != 0 && id == delivered_; }

  // Of the message that receive() told.
  const uint8_t *message() const { return event_.message; }
  size_t size() const { return event_.message_size; }
  uint64_t lost() const { return event_.lost; } // messages before this one

  // Tells the host, if it asked, that the message was used. Call it after that,
  // before receive().
  bool acknowledge();

  // 0, or why the last call failed.
  int error() const { return error_; }
  const char *errorText() const;

protected:
  SamaraLink(const samara_node_link &link, const SamaraMemory &place);

  // True when the bytes complete a genuine message that is new.
  bool take(const uint8_t *bytes, size_t size);

  samara_node node_;

private:
  bool succeeded(int result);
  bool isReady() { return ready_ || succeeded(SAMARA_LINK_NOT_READY); }

  samara_node_event event_;
  uint32_t delivered_; // id of the message that the host has
  bool ready_;         // begin() has succeeded
  int error_;
};

// A link over a radio modem at a serial port, such as Serial.
//
//   longest   bytes of the longest message in one unit; longer ones go in parts
//   parts     bytes of the longest message that is received in parts
//   Key       of the cipher; record.h names another one samara_node_record_key
//   packet    bytes: the packet size of the modem, at most
template <uint8_t longest = 32, size_t parts = 0,
          typename Key = samara_aes128_key, uint8_t packet = 12>
class SamaraSerialLink : public SamaraLink {
public:
#ifdef __AVR__
  explicit SamaraSerialLink(Stream &modem,
                            const samara_aead &aead = samara_aes128_ccm_aead,
                            const SamaraMemory &place = samara_eeprom)
#else
  SamaraSerialLink(Stream &modem, const samara_aead &aead,
                   const SamaraMemory &place)
#endif
      : SamaraLink(samara_node_rfserial, place), modem_(modem) {
    node_.aead = &aead;
    node_.key_state = &key_;
    node_.key_state_size = sizeof key_;
    node_.write = write;
    node_.context = &modem;
    node_.message_size_max = longest;
    node_.wire = wire_;
    node_.wire_size = node_.buffer_size = unit_size;
    node_.buffer = buffer_;
    node_.message = message_;
    node_.message_room = payload_size;
    node_.parts = parts == 0 ? nullptr : parts_;
    node_.parts_room = parts;
    node_.effort = 64; // a board at 16 MHz keeps up with noise at 9600 baud
  }

  // Takes what has arrived. True when a message is there: call it again after
  // using that.
  bool receive() {
    while (modem_.available() > 0) {
      const uint8_t byte = uint8_t(modem_.read());
      if (take(&byte, 1))
        return true;
    }
    return false;
  }

private:
  enum : size_t {
    payload_size = size_t(longest) + samara_node_overhead,
    // Header, counter and tag; the size of the fill, and the fill.
    unit_size = payload_size + 1 + samara_rfserial_counter_size_max +
        samara_aead_tag_size_max + 2 + packet
  };

  static bool write(void *modem, const uint8_t *bytes, size_t size) {
    return static_cast<Stream *>(modem)->write(bytes, size) == size;
  }

  Stream &modem_;
  Key key_;
  uint8_t wire_[unit_size], buffer_[unit_size], message_[payload_size];
  uint8_t parts_[parts == 0 ? 1 : parts];
};

// A link of IEEE 802.15.4 frames, over any radio for them. `transmit` hands a
// frame without its FCS to the radio, and answers whether it was taken.
template <size_t parts = 0> class SamaraFrameLink : public SamaraLink {
public:
  typedef bool (*Transmit)(void *context, const uint8_t *frame, size_t size);

#ifdef __AVR__
  explicit SamaraFrameLink(
      Transmit transmit, void *context = nullptr,
      const samara_ieee802154_cipher &cipher = samara_ieee802154_aes128,
      const SamaraMemory &place = samara_eeprom)
#else
  SamaraFrameLink(Transmit transmit, void *context,
                  const samara_ieee802154_cipher &cipher,
                  const SamaraMemory &place)
#endif
      : SamaraLink(samara_node_ieee802154, place), frames_() {
    frames_.cipher = &cipher;
    node_.key_state = &frames_;
    node_.key_state_size = sizeof frames_;
    node_.write = transmit;
    node_.context = context;
    node_.wire = wire_;
    node_.buffer = buffer_;
    node_.wire_size = node_.buffer_size = samara_node_frame_size;
    node_.parts = parts == 0 ? nullptr : parts_;
    node_.parts_room = parts;
  }

  // Takes a received frame without its FCS. True when it completes a message.
  bool receive(const uint8_t *frame, size_t size) { return take(frame, size); }

  uint8_t channel() const { return frames_.channel; } // after begin()

private:
  samara_node_frames frames_;
  uint8_t wire_[samara_node_frame_size], buffer_[samara_node_frame_size];
  uint8_t parts_[parts == 0 ? 1 : parts];
};

#endif
