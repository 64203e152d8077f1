// SPDX-License-Identifier: Apache-2.0

// The sealed framing of the serial radio: its sender and its receiver.

#include "bindings.h"
#include "call.h"

#include <memory>
#include <string>

#include <samara/memory.h>
#include <samara/rfserial.h>
#include <samara/suite.h>

namespace samara::python {

namespace {

constexpr char what[] = "rf-serial";

// The settings of a link with its expanded key, which is wiped in the end.
class Settings {
public:
  Settings(const char *slug, nb::handle key_object, uint16_t identity,
           uint8_t direction, uint8_t packet_size, uint8_t tag_size,
           uint8_t counter_size) {
    const samara_suite *suite = samara_suite_find(slug);
    if (suite == nullptr || suite->aead == nullptr) {
      raise_value_error(std::string(slug) + " is no suite that authenticates");
    }
    const Buffer key(key_object, "key");
    check_size(slug, "key", suite->key_size, key.size());
    words_ = suite->aead->state_size / sizeof(uint64_t) + 1;
    state_.reset(new uint64_t[words_]());
    suite->aead->set_key(state_.get(), key.data());
    link_ = {suite->aead, state_.get(), identity,    direction,
             packet_size, tag_size,     counter_size};
    if (!samara_rfserial_is_valid(&link_)) {
      raise_value_error(std::string(slug) + " has no tag of " +
                        std::to_string(tag_size) +
                        " bytes, or a setting is out of its range");
    }
  }

  ~Settings() { samara_wipe(state_.get(), words_ * sizeof(uint64_t)); }
  Settings(const Settings &) = delete;
  Settings &operator=(const Settings &) = delete;

  const samara_rfserial_link *get() const { return &link_; }

  size_t wire_size(size_t message_size) const {
    const size_t size = samara_rfserial_wire_size(&link_, message_size);
    if (size == 0) {
      check(what, SAMARA_ERROR_MESSAGE_SIZE);
    }
    return size;
  }

private:
  size_t words_ = 0;
  std::unique_ptr<uint64_t[]> state_;
  samara_rfserial_link link_{};
};

class SealedSender {
public:
  SealedSender(const char *slug, nb::handle key, uint16_t identity,
               uint8_t direction, uint8_t packet_size, uint8_t tag_size,
               uint8_t counter_size, uint64_t counter)
      : settings_(slug, key, identity, direction, packet_size, tag_size,
                  counter_size),
        sender_{settings_.get(), counter} {}

  nb::bytes seal(nb::handle message_object) {
    const Buffer message(message_object, "message");
    size_t size = settings_.wire_size(message.size());
    nb::bytes wire = new_bytes(size);
    const Exclusive guard(busy_);
    check(what, unlocked(message.size(), [&] {
            return samara_rfserial_seal(&sender_, contents(wire), &size,
                                        message.data(), message.size());
          }));
    return wire;
  }

  size_t wire_size(size_t message_size) const {
    return settings_.wire_size(message_size);
  }

  uint64_t counter() const { return sender_.counter; }

  void set_counter(uint64_t counter) {
    const Exclusive guard(busy_);
    sender_.counter = counter;
  }

private:
  Settings settings_;
  samara_rfserial_sender sender_;
  bool busy_ = false;
};

nb::bytes copied(const uint8_t *bytes, size_t size) {
  return nb::bytes(reinterpret_cast<const char *>(bytes), size);
}

class SealedReceiver {
public:
  SealedReceiver(const char *slug, nb::handle key, uint16_t identity,
                 uint8_t direction, uint8_t packet_size, uint8_t tag_size,
                 uint8_t counter_size, uint64_t counter, size_t longest,
                 uint32_t effort)
      : settings_(slug, key, identity, direction, packet_size, tag_size,
                  counter_size),
        // Twice what is needed, so that bytes are seldom moved.
        buffer_size_(2 * settings_.wire_size(longest)),
        buffer_(new uint8_t[buffer_size_]()),
        message_(new uint8_t[longest + 1]()) {
    check(what, samara_rfserial_receiver_init(
                    &receiver_, settings_.get(), counter, buffer_.get(),
                    buffer_size_, message_.get(), longest, effort));
  }

  ~SealedReceiver() { samara_rfserial_receiver_wipe(&receiver_); }
  SealedReceiver(const SealedReceiver &) = delete;
  SealedReceiver &operator=(const SealedReceiver &) = delete;

  // (bytes taken, number, lost, noise, unit, message): the number is None when
  // nothing came, the message when it was had before.
  nb::tuple receive(nb::handle bytes_object, size_t offset) {
    const Buffer bytes(bytes_object, "bytes");
    if (offset > bytes.size()) {
      raise_value_error("the offset is behind the end");
    }
    const Exclusive guard(busy_);
    samara_rfserial_event event;
    const size_t taken = unlocked(bytes.size() - offset, [&] {
      return samara_rfserial_receive(&receiver_, &event, bytes.data() + offset,
                                     bytes.size() - offset);
    });
    if (event.kind == SAMARA_RFSERIAL_NOTHING) {
      return nb::make_tuple(taken, nb::none(), 0, 0, nb::none(), nb::none());
    }
    const nb::bytes unit = copied(event.unit, event.unit_size);
    const nb::object message =
        event.kind == SAMARA_RFSERIAL_MESSAGE
            ? nb::object(copied(event.message, event.message_size))
            : nb::object(nb::none());
    return nb::make_tuple(taken, event.number, event.lost, event.noise, unit,
                          message);
  }

  uint64_t counter() const { return receiver_.counter; }

  void set_counter(uint64_t counter) {
    const Exclusive guard(busy_);
    receiver_.counter = counter;
  }

  uint32_t waiting() const {
    return samara_rfserial_receiver_waiting(&receiver_);
  }
  uint32_t attempts() const { return receiver_.attempts; }
  uint32_t skipped() const { return receiver_.skipped; }

private:
  Settings settings_;
  size_t buffer_size_;
  std::unique_ptr<uint8_t[]> buffer_;
  std::unique_ptr<uint8_t[]> message_;
  samara_rfserial_receiver receiver_{};
  bool busy_ = false;
};

} // namespace

void bind_rfserial(nb::module_ &module) {
  nb::class_<SealedSender>(module, "SealedSender")
      .def(nb::init<const char *, nb::handle, uint16_t, uint8_t, uint8_t,
                    uint8_t, uint8_t, uint64_t>(),
           nb::arg(), any_object, nb::arg(), nb::arg(), nb::arg(), nb::arg(),
           nb::arg(), nb::arg())
      .def("seal", &SealedSender::seal, any_object)
      .def("wire_size", &SealedSender::wire_size)
      .def_prop_rw("counter", &SealedSender::counter,
                   &SealedSender::set_counter);
  nb::class_<SealedReceiver>(module, "SealedReceiver")
      .def(nb::init<const char *, nb::handle, uint16_t, uint8_t, uint8_t,
                    uint8_t, uint8_t, uint64_t, size_t, uint32_t>(),
           nb::arg(), any_object, nb::arg(), nb::arg(), nb::arg(), nb::arg(),
           nb::arg(), nb::arg(), nb::arg(), nb::arg())
      .def("receive", &SealedReceiver::receive, any_object, nb::arg())
      .def_prop_rw("counter", &SealedReceiver::counter,
                   &SealedReceiver::set_counter)
      .def_prop_ro("waiting", &SealedReceiver::waiting)
      .def_prop_ro("attempts", &SealedReceiver::attempts)
      .def_prop_ro("skipped", &SealedReceiver::skipped);
}

} // namespace samara::python
