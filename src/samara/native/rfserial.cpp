// SPDX-License-Identifier: Apache-2.0

// The sealed framing of serial radios: its sender and its receiver.

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

// What both ends of one direction agree on, with the expanded key, which is
// wiped with it.
class SealedLink {
public:
  SealedLink(const char *slug, BytesLike key_object, uint16_t identity,
             uint8_t direction, uint8_t packet_size, uint8_t tag_size,
             uint8_t counter_size) {
    const samara_suite *suite = samara_suite_find(slug);
    if (suite == nullptr || suite->aead == nullptr) {
      raise_value_error(std::string(slug) +
                        " does not authenticate and cannot seal a link");
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
                        " bytes, or another setting is out of its range");
    }
  }

  ~SealedLink() { samara_wipe(state_.get(), words_ * sizeof(uint64_t)); }
  SealedLink(const SealedLink &) = delete;
  SealedLink &operator=(const SealedLink &) = delete;

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
  SealedSender(const SealedLink &link, uint64_t counter)
      : link_(link), sender_{link.get(), counter} {}

  nb::bytes encode(BytesLike message_object) {
    const Buffer message(message_object, "message");
    size_t size = link_.wire_size(message.size());
    nb::bytes wire = new_bytes(size);
    const Exclusive guard(busy_);
    check(what, unlocked(message.size(), [&] {
            return samara_rfserial_seal(&sender_, contents(wire), &size,
                                        message.data(), message.size());
          }));
    return wire;
  }

  uint64_t counter() const { return sender_.counter; }

  void set_counter(uint64_t counter) {
    const Exclusive guard(busy_);
    sender_.counter = counter;
  }

private:
  const SealedLink &link_;
  samara_rfserial_sender sender_;
  bool busy_ = false;
};

// A genuine unit, and what was lost or was noise before it.
struct SealedUnit {
  uint64_t number;
  uint64_t lost;
  uint32_t noise;
  nb::bytes unit;
  std::optional<nb::bytes> message;
};

using SealedUnits = nb::typed<nb::list, SealedUnit>;

class SealedReceiver {
public:
  SealedReceiver(const SealedLink &link, uint64_t counter, size_t longest,
                 uint32_t effort)
      // Twice what is needed, so that bytes are seldom moved.
      : buffer_size_(2 * link.wire_size(longest)),
        buffer_(new uint8_t[buffer_size_]()),
        message_(new uint8_t[longest + 1]()) {
    check(what, samara_rfserial_receiver_init(&receiver_, link.get(), counter,
                                              buffer_.get(), buffer_size_,
                                              message_.get(), longest, effort));
  }

  ~SealedReceiver() { samara_rfserial_receiver_wipe(&receiver_); }
  SealedReceiver(const SealedReceiver &) = delete;
  SealedReceiver &operator=(const SealedReceiver &) = delete;

  SealedUnits receive(BytesLike bytes_object) {
    const Buffer bytes(bytes_object, "bytes");
    const Exclusive guard(busy_);
    SealedUnits units;
    size_t offset = 0;
    while (offset < bytes.size()) {
      samara_rfserial_event event;
      offset += unlocked(bytes.size() - offset, [&] {
        return samara_rfserial_receive(
            &receiver_, &event, bytes.data() + offset, bytes.size() - offset);
      });
      if (event.kind != SAMARA_RFSERIAL_NOTHING) {
        units.append(unit_of(event));
      }
    }
    return units;
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
  static SealedUnit unit_of(const samara_rfserial_event &event) {
    SealedUnit unit{event.number, event.lost, event.noise,
                    bytes_of(event.unit, event.unit_size), std::nullopt};
    if (event.kind == SAMARA_RFSERIAL_MESSAGE) {
      unit.message = bytes_of(event.message, event.message_size);
    }
    return unit;
  }

  size_t buffer_size_;
  std::unique_ptr<uint8_t[]> buffer_;
  std::unique_ptr<uint8_t[]> message_;
  samara_rfserial_receiver receiver_{};
  bool busy_ = false;
};

void bind_ends(nb::module_ &module) {
  // Each end keeps its link alive: the C library has a pointer to it.
  nb::class_<SealedSender>(
      module, "SealedSender",
      "The sending end of a link. RuntimeError when two threads use it at "
      "once.")
      .def(nb::init<const SealedLink &, uint64_t>(), nb::arg("link"),
           nb::arg("counter"), nb::keep_alive<1, 2>())
      .def("encode", &SealedSender::encode, bytes_argument("message"),
           "Return one message for the wire, and count it.")
      .def_prop_rw("counter", &SealedSender::counter,
                   &SealedSender::set_counter,
                   "The number of the next message.");
  nb::class_<SealedReceiver>(
      module, "SealedReceiver",
      "The receiving end of a link. RuntimeError when two threads use it at "
      "once.")
      .def(nb::init<const SealedLink &, uint64_t, size_t, uint32_t>(),
           nb::arg("link"), nb::arg("counter"), nb::kw_only(),
           nb::arg("longest"), nb::arg("effort"), nb::keep_alive<1, 2>())
      .def("receive", &SealedReceiver::receive, bytes_argument("received"),
           "Take bytes; return the genuine units that end in them.")
      .def_prop_rw("counter", &SealedReceiver::counter,
                   &SealedReceiver::set_counter,
                   "The number of the next message, if none is lost.")
      .def_prop_ro("waiting", &SealedReceiver::waiting,
                   "Bytes received since the last unit.")
      .def_prop_ro("attempts", &SealedReceiver::attempts,
                   "How often a tag was checked, modulo 2^32.")
      .def_prop_ro("skipped", &SealedReceiver::skipped,
                   "How often there was no credit to check a tag, modulo "
                   "2^32.");
}

} // namespace

void bind_rfserial(nb::module_ &module) {
  nb::class_<SealedLink>(module, "SealedLink",
                         "What both ends of one direction agree on:\n"
                         "samara/rfserial.h.")
      .def(nb::init<const char *, BytesLike, uint16_t, uint8_t, uint8_t,
                    uint8_t, uint8_t>(),
           nb::arg("suite"), bytes_argument("key"), nb::kw_only(),
           nb::arg("identity"), nb::arg("direction"), nb::arg("packet_size"),
           nb::arg("tag_size"), nb::arg("counter_size"))
      .def("wire_size", &SealedLink::wire_size, nb::arg("message_size"),
           "Return how many bytes a message takes on the wire.");
  nb::class_<SealedUnit>(module, "SealedUnit",
                         "A genuine unit, as a receiver found it.")
      .def_ro("number", &SealedUnit::number, "The number of its message.")
      .def_ro("lost", &SealedUnit::lost,
              "Messages between the last unit's and this one.")
      .def_ro("noise", &SealedUnit::noise,
              "Bytes since the last unit that belong to none.")
      .def_ro("unit", &SealedUnit::unit, "The unit as it was received.")
      .def_ro("message", &SealedUnit::message,
              "None when it was received before.");
  bind_ends(module);
}

} // namespace samara::python
