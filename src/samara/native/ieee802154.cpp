// SPDX-License-Identifier: Apache-2.0

// IEEE 802.15.4: frame headers, and the state of a secured link.

#include "bindings.h"
#include "call.h"

#include <algorithm>
#include <cstring>
#include <samara/ieee802154.h>
#include <samara/ieee802154_names.h>
#include <string>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

namespace samara::python {

namespace {

using Result = samara_ieee802154_result;
using RawFrame = samara_ieee802154_frame;
using RawAddress = samara_ieee802154_address;

// Both live as long as the process; exceptions of them may outlive the module.
PyObject *frame_error;
PyObject *table_error;

// The first code of those that tell of the tables, and not of a frame.
constexpr int first_table_code = SAMARA_IEEE802154_ERROR_PLACE;

void check(Result result) {
  if (result == SAMARA_IEEE802154_OK) {
    return;
  }
  nb::handle type(result <= first_table_code ? table_error : frame_error);
  nb::object error = type(samara_ieee802154_result_text(result));
  error.attr("reason") = samara_ieee802154_result_name(result);
  PyErr_SetObject(type.ptr(), error.ptr());
  throw nb::python_error();
}

PyObject *new_error(nb::module_ &module, const char *name, const char *base,
                    const char *doc) {
  nb::object parent = nb::module_::import_("samara.errors").attr(base);
  const std::string path = std::string("samara.link.ieee802154.") + name;
  PyObject *error =
      PyErr_NewExceptionWithDoc(path.c_str(), doc, parent.ptr(), nullptr);
  if (error == nullptr) {
    throw nb::python_error();
  }
  nb::setattr(error, "reason", nb::str(""));
  module.attr(name) = nb::borrow(error);
  return error;
}

nb::bytes bytes_of(const uint8_t *bytes, size_t size) {
  return nb::bytes(reinterpret_cast<const char *>(bytes), size);
}

// Copies the object's bytes to `output`, which takes just `size` of them.
void take(nb::handle object, const char *role, uint8_t *output, size_t size) {
  const Buffer buffer(object, role);
  check_size("IEEE 802.15.4", role, size, buffer.size());
  std::memcpy(output, buffer.data(), size);
}

samara_ieee802154_counter counter_of(uint64_t value) {
  if (value >> 40 != 0) {
    raise_value_error("a counter has at most 40 bits");
  }
  return {static_cast<uint32_t>(value), static_cast<uint8_t>(value >> 32)};
}

uint64_t value_of(const samara_ieee802154_counter &counter) {
  return counter.low | uint64_t{counter.high} << 32;
}

// A frame with room for its MIC, owned: the C library works in place.
std::vector<uint8_t> copy_of(nb::handle object, size_t more) {
  const Buffer buffer(object, "frame");
  std::vector<uint8_t> copy(buffer.size() + more);
  std::copy_n(buffer.data(), buffer.size(), copy.begin());
  return copy;
}

RawFrame parse(nb::handle object, bool has_mic) {
  const Buffer buffer(object, "frame");
  RawFrame frame;
  check(has_mic ? samara_ieee802154_parse(&frame, buffer.data(), buffer.size())
                : samara_ieee802154_parse_unprotected(&frame, buffer.data(),
                                                      buffer.size()));
  return frame;
}

nb::bytes write_header(const RawFrame &frame) {
  uint8_t bytes[samara_ieee802154_header_size_max];
  size_t size = 0;
  check(samara_ieee802154_write_header(&frame, bytes, sizeof bytes, &size));
  return bytes_of(bytes, size);
}

// (id, content) of each element in a list of one kind.
nb::list elements(nb::handle object, bool payload) {
  const Buffer buffer(object, "list");
  nb::list all;
  size_t offset = 0;
  while (offset < buffer.size()) {
    samara_ieee802154_element element;
    check(payload ? samara_ieee802154_payload_element(&element, buffer.data(),
                                                      buffer.size(), &offset)
                  : samara_ieee802154_header_element(&element, buffer.data(),
                                                     buffer.size(), &offset));
    all.append(nb::make_tuple(element.id,
                              bytes_of(buffer.data() + element.content_offset,
                                       element.content_size)));
  }
  return all;
}

size_t payload_elements_size(nb::handle object) {
  const Buffer buffer(object, "payload");
  size_t size = 0;
  check(samara_ieee802154_payload_elements_size(buffer.data(), buffer.size(),
                                                &size));
  return size;
}

// The state, with the memory that it works in.
class Security {
public:
  Security(nb::handle address, uint16_t pan, uint8_t key_count,
           uint8_t device_count)
      : keys_(key_count), devices_(device_count),
        received_(size_t{key_count} * device_count) {
    uint8_t own[samara_ieee802154_address_size];
    take(address, "address", own, sizeof own);
    samara_ieee802154_init(&state_, own, pan, keys_.data(), key_count,
                           devices_.data(), device_count, received_.data());
  }
  ~Security() { samara_ieee802154_wipe(&state_); }
  Security(const Security &) = delete;
  Security &operator=(const Security &) = delete;

  void set_key(uint8_t place, const std::string &slug, nb::handle bytes_object,
               uint8_t mode, nb::handle source_object, uint8_t index,
               uint8_t role, uint8_t family, uint8_t device, uint8_t flags) {
    static constexpr size_t source_sizes[] = {0, 0, 4, 8};
    const auto *cipher = samara_ieee802154_cipher_find(slug.c_str());
    if (cipher == nullptr) {
      raise_value_error("no cipher for frames is called " + slug);
    }
    const Buffer bytes(bytes_object, "key");
    const Buffer source(source_object, "source");
    check_size(slug.c_str(), "key", cipher->key_size, bytes.size());
    if (mode > 3) {
      check(SAMARA_IEEE802154_ERROR_KEY_SETTINGS);
    }
    check_size("the key id mode", "source", source_sizes[mode], source.size());
    const samara_ieee802154_key_settings settings = {
        cipher, bytes.data(), source.data(), mode,  index,
        role,   family,       device,        flags,
    };
    check(samara_ieee802154_set_key(&state_, place, &settings));
  }

  void remove_key(uint8_t place) {
    samara_ieee802154_remove_key(&state_, place);
  }
  void rotate(uint8_t family) {
    check(samara_ieee802154_rotate(&state_, family));
  }
  uint8_t current_key(uint8_t family) const {
    return samara_ieee802154_current_key(&state_, family);
  }

  void set_device(uint8_t place, nb::handle address, uint16_t pan,
                  uint16_t short_address) {
    uint8_t bytes[samara_ieee802154_address_size];
    take(address, "address", bytes, sizeof bytes);
    check(samara_ieee802154_set_device(&state_, place, bytes, pan,
                                       short_address));
  }
  void remove_device(uint8_t place) {
    samara_ieee802154_remove_device(&state_, place);
  }
  void require(uint8_t device, uint8_t type, uint8_t level) {
    check(samara_ieee802154_require(&state_, device, type, level));
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

  nb::bytes protect(nb::handle frame, std::optional<uint64_t> asn) {
    std::vector<uint8_t> bytes = copy_of(frame, samara_ieee802154_mic_size_max);
    const auto context = context_of(asn, samara_ieee802154_no_place);
    size_t size = 0;
    check(samara_ieee802154_protect(
        &state_, &size, &context, bytes.data(),
        bytes.size() - samara_ieee802154_mic_size_max, bytes.size()));
    return bytes_of(bytes.data(), size);
  }

  // (the frame opened, level, device, key)
  nb::tuple open(nb::handle frame, std::optional<uint64_t> asn,
                 uint8_t device) {
    std::vector<uint8_t> bytes = copy_of(frame, 0);
    const auto context = context_of(asn, device);
    samara_ieee802154_opened opened;
    check(samara_ieee802154_open(&state_, &opened, &context, bytes.data(),
                                 bytes.size()));
    return nb::make_tuple(bytes_of(bytes.data(), bytes.size()), opened.level,
                          opened.device, opened.key);
  }

private:
  static samara_ieee802154_context context_of(std::optional<uint64_t> asn,
                                              uint8_t device) {
    return {asn.has_value(), counter_of(asn.value_or(0)), device};
  }

  std::vector<samara_ieee802154_key> keys_;
  std::vector<samara_ieee802154_device> devices_;
  std::vector<samara_ieee802154_counter> received_;
  samara_ieee802154_security state_;
};

nb::list ciphers() {
  nb::list all;
  const char *slug = nullptr;
  for (size_t i = 0; const auto *cipher = samara_ieee802154_cipher_at(i, &slug);
       i++) {
    all.append(nb::make_tuple(slug, cipher->key_size, cipher->tag_size,
                              cipher->whole_nonce));
  }
  return all;
}

void bind_frame(nb::module_ &module) {
  nb::class_<RawAddress>(module, "RawAddress")
      .def(nb::init<>())
      .def_rw("kind", &RawAddress::kind)
      .def_rw("has_pan", &RawAddress::has_pan)
      .def_rw("pan", &RawAddress::pan)
      .def_rw("short_address", &RawAddress::short_address)
      .def_prop_rw(
          "long_address",
          [](const RawAddress &address) {
            return bytes_of(address.long_address, sizeof address.long_address);
          },
          [](RawAddress &address, const nb::bytes &bytes) {
            take(bytes, "address", address.long_address,
                 sizeof address.long_address);
          });
  nb::class_<RawFrame>(module, "RawFrame")
      .def("__init__", [](RawFrame *frame) { new (frame) RawFrame{}; })
      .def_rw("control", &RawFrame::control)
      .def_rw("sequence", &RawFrame::sequence)
      .def_rw("destination", &RawFrame::destination)
      .def_rw("source", &RawFrame::source)
      .def_rw("security_control", &RawFrame::security_control)
      .def_rw("key_index", &RawFrame::key_index)
      .def_rw("frame_counter", &RawFrame::frame_counter)
      .def_prop_rw(
          "key_source",
          [](const RawFrame &frame) {
            return bytes_of(frame.key_source, sizeof frame.key_source);
          },
          [](RawFrame &frame, const nb::bytes &bytes) {
            take(bytes, "key source", frame.key_source,
                 sizeof frame.key_source);
          })
      .def_ro("header_size", &RawFrame::header_size)
      .def_ro("elements_size", &RawFrame::elements_size)
      .def_ro("open_size", &RawFrame::open_size)
      .def_ro("payload_size", &RawFrame::payload_size)
      .def_ro("mic_size", &RawFrame::mic_size)
      .def_ro("payload_elements", &RawFrame::payload_elements)
      .def_prop_ro("level", samara_ieee802154_level)
      .def("write_header", write_header)
      .def("acknowledges", [](const RawFrame &frame, const RawFrame &sent) {
        check(samara_ieee802154_acknowledges(&sent, &frame));
      });
  module.def("parse_frame", parse);
  module.def("elements", elements);
  module.def("payload_elements_size", payload_elements_size);
}

void bind_security(nb::module_ &module) {
  nb::class_<Security>(module, "RawSecurity")
      .def(nb::init<nb::handle, uint16_t, uint8_t, uint8_t>())
      .def("set_key", &Security::set_key)
      .def("remove_key", &Security::remove_key)
      .def("rotate", &Security::rotate)
      .def("current_key", &Security::current_key)
      .def("set_device", &Security::set_device)
      .def("remove_device", &Security::remove_device)
      .def("require", &Security::require)
      .def("transmit_counter", &Security::transmit_counter)
      .def("set_transmit_counter", &Security::set_transmit_counter)
      .def("receive_counter", &Security::receive_counter)
      .def("set_receive_counter", &Security::set_receive_counter)
      .def("protect", &Security::protect, any_object, nb::arg().none())
      .def("open", &Security::open, any_object, nb::arg().none(), nb::arg());
  module.def("frame_ciphers", ciphers);
}

} // namespace

void bind_ieee802154(nb::module_ &module) {
  frame_error = new_error(
      module, "FrameError", "RefusedError",
      "A frame is refused: `reason` names why, in a word such as \"replay\".");
  table_error = new_error(
      module, "TableError", "MisuseError",
      "A table of keys or devices cannot be changed so: `reason` names why.");
  bind_frame(module);
  bind_security(module);
}

} // namespace samara::python
