// SPDX-License-Identifier: Apache-2.0

// IEEE 802.15.4: the state of a secured link.

#include "bindings.h"
#include "call.h"
#include "ieee802154.h"
#include "many_frames.h"

#include <algorithm>
#include <cstring>
#include <samara/ieee802154.h>
#include <samara/ieee802154_names.h>
#include <samara/ieee802154_window.h>
#include <string>
#include <vector>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

namespace samara::python {

namespace {

constexpr uint8_t key_id_mode_max = 3;

enum class Role {
  previous = SAMARA_IEEE802154_KEY_PREVIOUS,
  current = SAMARA_IEEE802154_KEY_CURRENT,
  next = SAMARA_IEEE802154_KEY_NEXT
};

samara_ieee802154_counter counter_of(uint64_t value) {
  if (value >> 40 != 0) {
    raise_value_error("a frame counter or ASN must be below 2^40");
  }
  return {static_cast<uint32_t>(value), static_cast<uint8_t>(value >> 32)};
}

uint64_t value_of(const samara_ieee802154_counter &counter) {
  return counter.low | uint64_t{counter.high} << 32;
}

// A copy of a frame, with room for its MIC: the C library works in place.
std::vector<uint8_t> copy_of(BytesLike object, size_t more) {
  const Buffer buffer(object, "frame");
  std::vector<uint8_t> copy(buffer.size() + more);
  std::copy_n(buffer.data(), buffer.size(), copy.begin());
  return copy;
}

// "No device" and "no key" are a number in C, and None in Python.
std::optional<uint8_t> place_of(uint8_t place) {
  if (place == samara_ieee802154_no_place) {
    return std::nullopt;
  }
  return place;
}

uint8_t raw_place(std::optional<uint8_t> place) {
  return place.value_or(samara_ieee802154_no_place);
}

struct RawOpened {
  nb::bytes frame;
  uint8_t level;
  std::optional<uint8_t> device;
  std::optional<uint8_t> key;
  uint32_t lost;
};

// What is told of each frame of many that were opened, with the layout of
// OPENED_ROW in link/ieee802154/frames/batch.py.
struct OpenedRow {
  uint32_t size;
  uint32_t counter;
  int16_t result;
  uint16_t payload_start;
  uint16_t payload_size;
  uint8_t level;
  uint8_t device;
  uint8_t key;
  uint8_t mic_size;
  uint16_t unused;
};
static_assert(sizeof(OpenedRow) == 20);

// The same of frames that were protected: PROTECTED_ROW.
struct ProtectedRow {
  uint32_t size;
  uint32_t counter;
  int16_t result;
  uint16_t unused;
};
static_assert(sizeof(ProtectedRow) == 12);

// The state, with the memory of its tables.
class Security {
public:
  Security(BytesLike address, uint16_t pan, uint8_t key_count,
           uint8_t device_count, bool late)
      : keys_(key_count), devices_(device_count),
        received_(size_t{key_count} * device_count),
        windows_(late ? size_t{key_count} * device_count : 0), late_(late) {
    uint8_t own[samara_ieee802154_address_size];
    take(address, "address", own, sizeof own);
    samara_ieee802154_init(&state_, own, pan, keys_.data(), key_count,
                           devices_.data(), device_count, received_.data());
  }
  ~Security() { samara_ieee802154_wipe(&state_); }
  Security(const Security &) = delete;
  Security &operator=(const Security &) = delete;

  void set_key(uint8_t place, const std::string &slug, BytesLike key,
               uint8_t mode, BytesLike source_object, uint8_t index,
               uint8_t role, uint8_t family, std::optional<uint8_t> device,
               bool asn, bool encryption_only) {
    const auto *cipher = samara_ieee802154_cipher_find(slug.c_str());
    if (cipher == nullptr) {
      raise_value_error("there is no cipher for frames with the name " + slug);
    }
    if (mode > key_id_mode_max) {
      check(SAMARA_IEEE802154_ERROR_KEY_SETTINGS);
    }
    const Buffer bytes(key, "key");
    check_size(slug.c_str(), "key", cipher->key_size, bytes.size());
    const Buffer source(source_object, "key source");
    check_size("this key id mode", "source",
               samara_ieee802154_key_source_size(mode), source.size());
    const int flags = SAMARA_IEEE802154_KEY_ASN * asn |
                      SAMARA_IEEE802154_KEY_ENCRYPTION_ONLY * encryption_only;
    samara_ieee802154_key_settings settings{};
    settings.cipher = cipher;
    settings.bytes = bytes.data();
    settings.source = source.data();
    settings.mode = mode;
    settings.index = index;
    settings.role = role;
    settings.family = family;
    settings.device = raw_place(device);
    settings.flags = static_cast<uint8_t>(flags);
    check(samara_ieee802154_set_key(&state_, place, &settings));
  }

  void remove_key(uint8_t place) {
    samara_ieee802154_remove_key(&state_, place);
  }
  void rotate(uint8_t family) {
    check(samara_ieee802154_rotate(&state_, family));
  }
  std::optional<uint8_t> current_key(uint8_t family) const {
    return place_of(samara_ieee802154_current_key(&state_, family));
  }

  void set_device(uint8_t place, BytesLike address, uint16_t pan,
                  std::optional<uint16_t> short_address) {
    uint8_t bytes[samara_ieee802154_address_size];
    take(address, "address", bytes, sizeof bytes);
    check(samara_ieee802154_set_device(
        &state_, place, bytes, pan,
        short_address.value_or(samara_ieee802154_no_short_address)));
  }
  void remove_device(uint8_t place) {
    samara_ieee802154_remove_device(&state_, place);
  }
  void require(std::optional<uint8_t> device, uint8_t type, uint8_t level) {
    check(samara_ieee802154_require(&state_, raw_place(device), type, level));
  }

  uint64_t transmit_counter(uint8_t key) const {
    samara_ieee802154_counter counter;
    check(samara_ieee802154_transmit_counter(&state_, key, &counter));
    return value_of(counter);
  }
  void set_transmit_counter(uint8_t key, uint64_t value) {
    check(samara_ieee802154_set_transmit_counter(&state_, key,
                                                 counter_of(value)));
  }
  uint64_t receive_counter(uint8_t device, uint8_t key) const {
    samara_ieee802154_counter counter;
    check(samara_ieee802154_receive_counter(&state_, device, key, &counter));
    return value_of(counter);
  }
  void set_receive_counter(uint8_t device, uint8_t key, uint64_t value) {
    check(samara_ieee802154_set_receive_counter(&state_, device, key,
                                                counter_of(value)));
  }

  // What is missing below a receive counter: 0 without windows.
  uint64_t missing(uint8_t device, uint8_t key) const {
    uint32_t words[2] = {};
    if (late_) {
      check(samara_ieee802154_missing(&state_, windows_.data(), device, key,
                                      words));
    }
    return words[0] | uint64_t{words[1]} << 32;
  }
  void set_missing(uint8_t device, uint8_t key, uint64_t missing) {
    const uint32_t words[2] = {static_cast<uint32_t>(missing),
                               static_cast<uint32_t>(missing >> 32)};
    if (late_) {
      check(samara_ieee802154_set_missing(&state_, windows_.data(), device, key,
                                          words));
    }
  }

  nb::bytes protect(BytesLike frame, std::optional<uint64_t> asn) {
    std::vector<uint8_t> bytes = copy_of(frame, samara_ieee802154_mic_size_max);
    const auto context = context_of(asn, std::nullopt);
    size_t size = 0;
    check(samara_ieee802154_protect(
        &state_, &size, &context, bytes.data(),
        bytes.size() - samara_ieee802154_mic_size_max, bytes.size()));
    return bytes_of(bytes.data(), size);
  }

  RawOpened open(BytesLike frame, std::optional<uint64_t> asn,
                 std::optional<uint8_t> device) {
    std::vector<uint8_t> bytes = copy_of(frame, 0);
    const auto context = context_of(asn, device);
    samara_ieee802154_opened opened;
    uint32_t lost = 0;
    check(open_in_place(&opened, &lost, context, bytes.data(), bytes.size()));
    return {bytes_of(bytes.data(), bytes.size()), opened.level,
            place_of(opened.device), place_of(opened.key), lost};
  }

  // One frame after the other, each in its place of one piece of memory: they
  // may come from one device, with counters that rise.
  std::pair<nb::bytes, nb::bytes> open_many(const ManyFrames &frames,
                                            BytesLike asns_object) {
    const auto contexts = contexts_of(asns_object, frames.count());
    nb::bytes data = new_bytes(frames.total());
    nb::bytes rows = new_bytes(sizeof(OpenedRow) * frames.count());
    uint8_t *bytes = contents(data);
    for (size_t i = 0; i < frames.count(); i++) {
      const Memory frame = frames.at(i);
      std::copy_n(frame.bytes, frame.size, bytes);
      const OpenedRow row = open_one(bytes, frame.size, contexts[i]);
      std::memcpy(contents(rows) + sizeof row * i, &row, sizeof row);
      bytes += frame.size;
    }
    return {std::move(data), std::move(rows)};
  }

  // The same for sending: a frame that is refused takes no bytes.
  std::pair<nb::bytes, nb::bytes> protect_many(const ManyFrames &frames,
                                               BytesLike asns_object) {
    const auto contexts = contexts_of(asns_object, frames.count());
    nb::bytes data = new_bytes(frames.total() +
                               frames.count() * samara_ieee802154_mic_size_max);
    nb::bytes rows = new_bytes(sizeof(ProtectedRow) * frames.count());
    uint8_t *bytes = contents(data);
    for (size_t i = 0; i < frames.count(); i++) {
      const ProtectedRow row = protect_one(bytes, frames.at(i), contexts[i]);
      std::memcpy(contents(rows) + sizeof row * i, &row, sizeof row);
      bytes += row.size;
    }
    const auto size = static_cast<size_t>(bytes - contents(data));
    return {shortened(std::move(data), size), std::move(rows)};
  }

private:
  // All of them, before the first frame changes a counter.
  static std::vector<samara_ieee802154_context>
  contexts_of(BytesLike asns_object, size_t count) {
    const Buffer asns(asns_object, "asns");
    std::vector<samara_ieee802154_context> contexts(
        count, context_of(std::nullopt, std::nullopt));
    if (asns.size() == 0) {
      return contexts;
    }
    check_size("this list of frames", "asns", sizeof(uint64_t) * count,
               asns.size());
    for (size_t i = 0; i < count; i++) {
      uint64_t asn = 0;
      std::memcpy(&asn, asns.data() + sizeof asn * i, sizeof asn);
      contexts[i] = context_of(asn, std::nullopt);
    }
    return contexts;
  }

  samara_ieee802154_result
  open_in_place(samara_ieee802154_opened *opened, uint32_t *lost,
                const samara_ieee802154_context &context, uint8_t *bytes,
                size_t size) {
    *lost = 0;
    return late_
               ? samara_ieee802154_open_late(&state_, windows_.data(), opened,
                                             lost, &context, bytes, size)
               : samara_ieee802154_open(&state_, opened, &context, bytes, size);
  }

  // A refused frame is zeros afterwards, whatever it was refused for.
  OpenedRow open_one(uint8_t *bytes, size_t size,
                     const samara_ieee802154_context &context) {
    OpenedRow row{};
    row.size = static_cast<uint32_t>(size);
    row.device = samara_ieee802154_no_place;
    row.key = samara_ieee802154_no_place;
    samara_ieee802154_opened opened;
    uint32_t lost = 0;
    const auto result = open_in_place(&opened, &lost, context, bytes, size);
    row.result = static_cast<int16_t>(result);
    if (result != SAMARA_IEEE802154_OK) {
      std::fill_n(bytes, size, uint8_t{0});
      return row;
    }
    const samara_ieee802154_frame &frame = opened.frame;
    row.counter = frame.frame_counter;
    row.payload_start = static_cast<uint16_t>(
        frame.header_size + frame.elements_size + frame.open_size);
    row.payload_size = frame.payload_size;
    row.level = opened.level;
    row.device = opened.device;
    row.key = opened.key;
    row.mic_size = frame.mic_size;
    return row;
  }

  // The memory has room for the frame and the longest MIC. A refused frame is
  // not left in it.
  ProtectedRow protect_one(uint8_t *bytes, const Memory &frame,
                           const samara_ieee802154_context &context) {
    std::copy_n(frame.bytes, frame.size, bytes);
    size_t size = 0;
    const auto result =
        samara_ieee802154_protect(&state_, &size, &context, bytes, frame.size,
                                  frame.size + samara_ieee802154_mic_size_max);
    ProtectedRow row{};
    row.result = static_cast<int16_t>(result);
    samara_ieee802154_frame header;
    if (result != SAMARA_IEEE802154_OK ||
        samara_ieee802154_parse(&header, bytes, size) != SAMARA_IEEE802154_OK) {
      std::fill_n(bytes, frame.size, uint8_t{0});
      return row;
    }
    row.size = static_cast<uint32_t>(size);
    row.counter = header.frame_counter;
    return row;
  }

  static samara_ieee802154_context context_of(std::optional<uint64_t> asn,
                                              std::optional<uint8_t> device) {
    return {asn.has_value(), counter_of(asn.value_or(0)), raw_place(device)};
  }

  std::vector<samara_ieee802154_key> keys_;
  std::vector<samara_ieee802154_device> devices_;
  std::vector<samara_ieee802154_counter> received_;
  std::vector<samara_ieee802154_window> windows_;
  bool late_;
  samara_ieee802154_security state_;
};

// A row of samara/ieee802154_names.h.
struct FrameCipher {
  const char *slug;
  const samara_ieee802154_cipher *cipher;
};

nb::typed<nb::list, FrameCipher> ciphers() {
  nb::typed<nb::list, FrameCipher> all;
  const char *slug = nullptr;
  for (size_t i = 0; const auto *cipher = samara_ieee802154_cipher_at(i, &slug);
       i++) {
    all.append(FrameCipher{slug, cipher});
  }
  return all;
}

void bind_ciphers(nb::module_ &module) {
  nb::class_<FrameCipher>(module, "FrameCipher",
                          "A cipher that may secure frames.")
      .def_prop_ro("slug", [](const FrameCipher &row) { return row.slug; })
      .def_prop_ro("key_size",
                   [](const FrameCipher &row) { return row.cipher->key_size; })
      .def_prop_ro(
          "tag_size",
          [](const FrameCipher &row) { return row.cipher->tag_size; },
          "The size of the longest MIC.")
      .def_prop_ro(
          "takes_asn",
          [](const FrameCipher &row) { return row.cipher->whole_nonce; },
          "Whether nonces may be made of the ASN.");
  module.def("frame_ciphers", ciphers,
             "Return the ciphers for frames, in the order of the registry.");
}

void bind_security(nb::module_ &module) {
  nb::enum_<Role>(module, "Role", nb::is_arithmetic(),
                  "What a key does while keys are rotated: the current one\n"
                  "sends, all open.")
      .value("PREVIOUS", Role::previous)
      .value("CURRENT", Role::current)
      .value("NEXT", Role::next);
  nb::class_<RawOpened>(module, "RawOpened", "A frame that was accepted.")
      .def_ro("frame", &RawOpened::frame, "The frame, opened.")
      .def_ro("level", &RawOpened::level, "Its security level.")
      .def_ro("device", &RawOpened::device,
              "The place of the device that sent it; None only at level 0.")
      .def_ro("key", &RawOpened::key, "The place of its key; None at level 0.")
      .def_ro("lost", &RawOpened::lost,
              "How many counters left the window of late frames by it.");
  nb::class_<Security>(module, "SecurityState",
                       "Keys, devices and counters of one end of a link:\n"
                       "samara/ieee802154.h.")
      .def(nb::init<BytesLike, uint16_t, uint8_t, uint8_t, bool>(),
           bytes_argument("address"), nb::arg("pan"), nb::kw_only(),
           nb::arg("keys"), nb::arg("devices"), nb::arg("late") = false)
      .def("set_key", &Security::set_key, nb::arg("place"), nb::kw_only(),
           nb::arg("cipher"), bytes_argument("key"), nb::arg("mode"),
           bytes_argument("source"), nb::arg("index"), nb::arg("role"),
           nb::arg("family"), nb::arg("device").none(), nb::arg("asn"),
           nb::arg("encryption_only"),
           "Put a key into a place of the table, its counters at 0.")
      .def("remove_key", &Security::remove_key, nb::arg("place"),
           "Wipe a key and its counters.")
      .def("rotate", &Security::rotate, nb::arg("family"),
           "Make a family's next key current and its current key previous.\n\n"
           "The previous one is wiped. Each key keeps its own counters.\n"
           "TableError (\"no-next-key\"), and nothing changes, without a next\n"
           "key.")
      .def("current_key", &Security::current_key, nb::arg("family"),
           "Return the place of the key that a family sends with, if any.")
      .def("set_device", &Security::set_device, nb::arg("place"),
           bytes_argument("address"), nb::kw_only(), nb::arg("pan"),
           nb::arg("short_address").none(),
           "Put a device into a place of the table. The same device there\n"
           "keeps its receive counters.")
      .def("remove_device", &Security::remove_device, nb::arg("place"),
           "Forget a device and its receive counters.")
      .def("require_level", &Security::require, nb::arg("device").none(),
           nb::arg("type"), nb::arg("level"),
           "Require a level of frames of a type, from a device or, with None,\n"
           "from all that are not in the table.")
      .def("transmit_counter", &Security::transmit_counter, nb::arg("key"),
           "Return the lowest counter (or ASN) that a key has not sent with.")
      .def("set_transmit_counter", &Security::set_transmit_counter,
           nb::arg("key"), nb::arg("counter"),
           "Raise the transmit counter of a key; TableError if it would fall.")
      .def("receive_counter", &Security::receive_counter, nb::arg("device"),
           nb::arg("key"),
           "Return the lowest counter that is accepted from a device.")
      .def("set_receive_counter", &Security::set_receive_counter,
           nb::arg("device"), nb::arg("key"), nb::arg("counter"),
           "Raise the receive counter of a device; TableError if it would "
           "fall.")
      .def("missing", &Security::missing, nb::arg("device"), nb::arg("key"),
           "Return which counters below a receive counter are still accepted,\n"
           "late: bit i stands for the one that is i + 2 below.")
      .def("set_missing", &Security::set_missing, nb::arg("device"),
           nb::arg("key"), nb::arg("missing"),
           "Set what `missing` returned, after the receive counter was set.")
      .def("protect_bytes", &Security::protect, bytes_argument("frame"),
           nb::kw_only(), nb::arg("asn").none(), "Return a frame with its MIC.")
      .def("open_bytes", &Security::open, bytes_argument("frame"),
           nb::kw_only(), nb::arg("asn").none(), nb::arg("device").none(),
           "Open a frame, and count it as received once its MIC was right.")
      .def(
          "open_many_bytes",
          [](Security &self, const FrameList &frames, BytesLike asns) {
            return self.open_many(ManyFrames(frames), asns);
          },
          nb::arg("frames"), nb::kw_only(), bytes_argument("asns"),
          "Open frames in their order; the bytes of all, one behind the "
          "other,\n"
          "and a row for each: samara.link.ieee802154.frames.batch.")
      .def(
          "open_packed_bytes",
          [](Security &self, BytesLike data, BytesLike sizes, BytesLike asns) {
            return self.open_many(ManyFrames(data, sizes), asns);
          },
          bytes_argument("data"), bytes_argument("sizes"), nb::kw_only(),
          bytes_argument("asns"),
          "The same for frames that lie one behind the other, with the size\n"
          "of each as a number of 32 bits.")
      .def(
          "protect_many_bytes",
          [](Security &self, const FrameList &frames, BytesLike asns) {
            return self.protect_many(ManyFrames(frames), asns);
          },
          nb::arg("frames"), nb::kw_only(), bytes_argument("asns"),
          "Protect frames in their order; the bytes of those that were not\n"
          "refused, one behind the other, and a row for each.")
      .def(
          "protect_packed_bytes",
          [](Security &self, BytesLike data, BytesLike sizes, BytesLike asns) {
            return self.protect_many(ManyFrames(data, sizes), asns);
          },
          bytes_argument("data"), bytes_argument("sizes"), nb::kw_only(),
          bytes_argument("asns"),
          "The same for frames that lie one behind the other, with the size\n"
          "of each as a number of 32 bits.");
  module.def(
      "frame_reason",
      [](int result) {
        return samara_ieee802154_result_name(
            static_cast<samara_ieee802154_result>(result));
      },
      nb::arg("result"), "Return the name of a result, such as \"replay\".");
}

} // namespace

void bind_ieee802154_security(nb::module_ &module) {
  bind_ciphers(module);
  bind_security(module);
}

} // namespace samara::python
