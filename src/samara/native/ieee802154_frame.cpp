// SPDX-License-Identifier: Apache-2.0

// IEEE 802.15.4: frames, field by field.

#include "bindings.h"
#include "call.h"
#include "ieee802154.h"

#include <cstring>
#include <optional>

namespace samara::python {

namespace {

using RawFrame = samara_ieee802154_frame;
using RawAddress = samara_ieee802154_address;

enum class FrameType {
  beacon = SAMARA_IEEE802154_BEACON,
  data = SAMARA_IEEE802154_DATA,
  acknowledgement = SAMARA_IEEE802154_ACKNOWLEDGEMENT,
  command = SAMARA_IEEE802154_COMMAND
};

constexpr unsigned version_shift = 12;

enum class Version {
  v2003 = SAMARA_IEEE802154_2003 >> version_shift,
  v2006 = SAMARA_IEEE802154_2006 >> version_shift,
  v2015 = SAMARA_IEEE802154_2015 >> version_shift
};

PyObject *frame_error;
PyObject *table_error;

// The first code of those that tell of the tables, and not of a frame.
constexpr int first_table_code = SAMARA_IEEE802154_ERROR_PLACE;

} // namespace

void check(samara_ieee802154_result result) {
  if (result == SAMARA_IEEE802154_OK) {
    return;
  }
  nb::handle type(result <= first_table_code ? table_error : frame_error);
  nb::object error = type(samara_ieee802154_result_text(result),
                          samara_ieee802154_result_name(result));
  PyErr_SetObject(type.ptr(), error.ptr());
  throw nb::python_error();
}

// Copies the object's bytes to `output`, which takes just `size` of them.
void take(BytesLike object, const char *role, uint8_t *output, size_t size) {
  const Buffer buffer(object, role);
  check_size("IEEE 802.15.4", role, size, buffer.size());
  std::memcpy(output, buffer.data(), size);
}

namespace {

RawFrame parse(BytesLike object, bool is_protected) {
  const Buffer buffer(object, "frame");
  RawFrame frame;
  check(is_protected
            ? samara_ieee802154_parse(&frame, buffer.data(), buffer.size())
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

struct RawElement {
  uint16_t id;
  nb::bytes content;
};

using RawElements = nb::typed<nb::list, RawElement>;

RawElements elements(BytesLike object, bool payload) {
  const Buffer buffer(object, "listed");
  const auto read = payload ? samara_ieee802154_payload_element
                            : samara_ieee802154_header_element;
  RawElements all;
  size_t offset = 0;
  while (offset < buffer.size()) {
    samara_ieee802154_element element;
    check(read(&element, buffer.data(), buffer.size(), &offset));
    all.append(
        RawElement{element.id, bytes_of(buffer.data() + element.content_offset,
                                        element.content_size)});
  }
  return all;
}

RawElements header_elements(BytesLike list) { return elements(list, false); }

RawElements payload_elements(BytesLike list) { return elements(list, true); }

size_t payload_elements_size(BytesLike object) {
  const Buffer buffer(object, "payload");
  size_t size = 0;
  check(samara_ieee802154_payload_elements_size(buffer.data(), buffer.size(),
                                                &size));
  return size;
}

// ---- A frame's header, field by field ----

bool is_2015(const RawFrame &frame) {
  return samara_ieee802154_version(&frame) == SAMARA_IEEE802154_2015;
}

void put_bits(uint16_t &word, unsigned bits, unsigned value) {
  word = static_cast<uint16_t>((word & ~bits) | (value & bits));
}

void put_bits(uint8_t &word, unsigned bits, unsigned value) {
  word = static_cast<uint8_t>((word & ~bits) | (value & bits));
}

template <unsigned bit> bool has_bit(const RawFrame &frame) {
  return (frame.control & bit) != 0;
}

template <unsigned bit> void set_bit(RawFrame &frame, bool value) {
  put_bits(frame.control, bit, value ? bit : 0U);
}

constexpr unsigned type_bits = 0x0007;
constexpr unsigned version_bits = 0x3000;
constexpr unsigned reserved_bit = 0x0080;

FrameType type_of(const RawFrame &frame) {
  return static_cast<FrameType>(samara_ieee802154_type(&frame));
}

void set_type(RawFrame &frame, FrameType type) {
  put_bits(frame.control, type_bits, static_cast<unsigned>(type));
}

Version version_of(const RawFrame &frame) {
  return static_cast<Version>(samara_ieee802154_version(&frame) >>
                              version_shift);
}

void set_version(RawFrame &frame, Version version) {
  put_bits(frame.control, version_bits,
           static_cast<unsigned>(version) << version_shift);
}

std::optional<uint8_t> sequence_of(const RawFrame &frame) {
  if (is_2015(frame) && has_bit<SAMARA_IEEE802154_NO_SEQUENCE>(frame)) {
    return std::nullopt;
  }
  return frame.sequence;
}

void set_sequence(RawFrame &frame, std::optional<uint8_t> sequence) {
  set_bit<SAMARA_IEEE802154_NO_SEQUENCE>(frame, !sequence.has_value());
  frame.sequence = sequence.value_or(0);
}

bool has_elements(const RawFrame &frame) {
  return is_2015(frame) && has_bit<SAMARA_IEEE802154_ELEMENTS>(frame);
}

// Before 2015, what then got a meaning was reserved.
unsigned reserved_bits(const RawFrame &frame) {
  return is_2015(frame) ? reserved_bit
                        : reserved_bit | SAMARA_IEEE802154_NO_SEQUENCE |
                              SAMARA_IEEE802154_ELEMENTS;
}

unsigned reserved_of(const RawFrame &frame) {
  return frame.control & reserved_bits(frame);
}

void set_reserved(RawFrame &frame, uint16_t reserved) {
  put_bits(frame.control, reserved & reserved_bits(frame), reserved);
}

// ---- Its auxiliary security header ----

constexpr unsigned level_bits = 0x07;
constexpr unsigned mode_shift = 3;
constexpr unsigned mode_bits = 0x18;

void set_level(RawFrame &frame, uint8_t level) {
  put_bits(frame.security_control, level_bits, level);
}

void set_key_id_mode(RawFrame &frame, uint8_t mode) {
  put_bits(frame.security_control, mode_bits, unsigned{mode} << mode_shift);
}

size_t key_source_size(const RawFrame &frame) {
  return samara_ieee802154_key_source_size(
      samara_ieee802154_key_id_mode(&frame));
}

nb::bytes key_source_of(const RawFrame &frame) {
  return bytes_of(frame.key_source, key_source_size(frame));
}

void set_key_source(RawFrame &frame, BytesLike source) {
  take(source, "key source", frame.key_source, key_source_size(frame));
}

// The bits of the security control that mean something in this version.
unsigned security_bits(const RawFrame &frame) {
  return is_2015(frame) ? static_cast<unsigned>(SAMARA_IEEE802154_NO_COUNTER) |
                              SAMARA_IEEE802154_ASN_IN_NONCE
                        : 0U;
}

bool has_security_bit(const RawFrame &frame, unsigned bit) {
  return (frame.security_control & security_bits(frame) & bit) != 0;
}

std::optional<uint32_t> frame_counter_of(const RawFrame &frame) {
  if (has_security_bit(frame, SAMARA_IEEE802154_NO_COUNTER)) {
    return std::nullopt;
  }
  return frame.frame_counter;
}

void set_frame_counter(RawFrame &frame, std::optional<uint32_t> counter) {
  put_bits(frame.security_control, SAMARA_IEEE802154_NO_COUNTER,
           SAMARA_IEEE802154_NO_COUNTER * unsigned{!counter.has_value()});
  frame.frame_counter = counter.value_or(0);
}

bool asn_in_nonce(const RawFrame &frame) {
  return has_security_bit(frame, SAMARA_IEEE802154_ASN_IN_NONCE);
}

void set_asn_in_nonce(RawFrame &frame, bool value) {
  put_bits(frame.security_control, SAMARA_IEEE802154_ASN_IN_NONCE,
           SAMARA_IEEE802154_ASN_IN_NONCE * unsigned{value});
}

unsigned security_reserved_bits(const RawFrame &frame) {
  return 0xff & ~(level_bits | mode_bits | security_bits(frame));
}

unsigned security_reserved_of(const RawFrame &frame) {
  return frame.security_control & security_reserved_bits(frame);
}

void set_security_reserved(RawFrame &frame, uint8_t reserved) {
  put_bits(frame.security_control, reserved & security_reserved_bits(frame),
           reserved);
}

// ---- Its addresses ----

std::optional<uint16_t> pan_of(const RawAddress &address) {
  return address.has_pan ? std::optional(address.pan) : std::nullopt;
}

void set_pan(RawAddress &address, std::optional<uint16_t> pan) {
  address.has_pan = pan.has_value();
  address.pan = pan.value_or(0);
}

std::optional<uint16_t> short_of(const RawAddress &address) {
  return address.kind == SAMARA_IEEE802154_SHORT
             ? std::optional(address.short_address)
             : std::nullopt;
}

std::optional<nb::bytes> long_of(const RawAddress &address) {
  if (address.kind != SAMARA_IEEE802154_LONG) {
    return std::nullopt;
  }
  return bytes_of(address.long_address, sizeof address.long_address);
}

// Written where nanobind wants the object to be.
void make_address(RawAddress *made, std::optional<uint16_t> pan,
                  std::optional<uint16_t> short_address,
                  const std::optional<nb::bytes> &long_address) {
  RawAddress address{};
  set_pan(address, pan);
  if (short_address.has_value()) {
    address.kind = SAMARA_IEEE802154_SHORT;
    address.short_address = *short_address;
  } else if (long_address.has_value()) {
    address.kind = SAMARA_IEEE802154_LONG;
    take(*long_address, "address", address.long_address,
         sizeof address.long_address);
  }
  new (made) RawAddress(address);
}

void bind_enums(nb::module_ &module) {
  nb::enum_<FrameType>(module, "FrameType", nb::is_arithmetic(),
                       "The types of frames that are read and written.")
      .value("BEACON", FrameType::beacon)
      .value("DATA", FrameType::data)
      .value("ACKNOWLEDGEMENT", FrameType::acknowledgement)
      .value("COMMAND", FrameType::command);
  nb::enum_<Version>(
      module, "Version", nb::is_arithmetic(),
      "The format of a frame, by the year of the standard; 2020 keeps 2015's.")
      .value("V2003", Version::v2003)
      .value("V2006", Version::v2006)
      .value("V2015", Version::v2015);
}

void bind_address(nb::module_ &module) {
  nb::class_<RawAddress>(module, "RawAddress",
                         "An address in a frame's header: a short one, a long\n"
                         "one, or none.")
      .def("__init__", make_address, nb::kw_only(), nb::arg("pan").none(),
           nb::arg("short").none(), nb::arg("long").none())
      .def_prop_ro("pan", pan_of, "None where the frame does not tell it.")
      .def_prop_ro("short", short_of)
      .def_prop_ro("long", long_of,
                   "The extended address, highest byte first.");
}

void bind_header(nb::class_<RawFrame> &type) {
  type.def_prop_rw("type", type_of, set_type)
      .def_prop_rw("version", version_of, set_version,
                   "Set before the fields whose meaning depends on it.")
      .def_prop_rw("secured", has_bit<SAMARA_IEEE802154_SECURITY>,
                   set_bit<SAMARA_IEEE802154_SECURITY>)
      .def_prop_rw("pending", has_bit<SAMARA_IEEE802154_PENDING>,
                   set_bit<SAMARA_IEEE802154_PENDING>)
      .def_prop_rw("ack_request", has_bit<SAMARA_IEEE802154_ACK_REQUEST>,
                   set_bit<SAMARA_IEEE802154_ACK_REQUEST>)
      .def_prop_rw("pan_compression",
                   has_bit<SAMARA_IEEE802154_PAN_COMPRESSION>,
                   set_bit<SAMARA_IEEE802154_PAN_COMPRESSION>)
      .def_prop_rw("has_elements", has_elements,
                   set_bit<SAMARA_IEEE802154_ELEMENTS>)
      .def_prop_rw("reserved", reserved_of, set_reserved,
                   "Bits of the frame control that the version reserves.")
      .def_prop_rw("sequence", sequence_of, set_sequence,
                   nb::for_setter(nb::arg("value").none()),
                   "None where it is suppressed.")
      .def_rw("destination", &RawFrame::destination)
      .def_rw("source", &RawFrame::source);
}

void bind_security_header(nb::class_<RawFrame> &type) {
  type.def_prop_rw("level", samara_ieee802154_level, set_level,
                   "The security level; 0 of a frame that is not secured.")
      .def_prop_rw("key_id_mode", samara_ieee802154_key_id_mode,
                   set_key_id_mode, "0 to 3; set before the key source.")
      .def_prop_rw("key_source", key_source_of, set_key_source)
      .def_rw("key_index", &RawFrame::key_index)
      .def_prop_rw("frame_counter", frame_counter_of, set_frame_counter,
                   nb::for_setter(nb::arg("value").none()),
                   "None where it is suppressed.")
      .def_prop_rw("asn_in_nonce", asn_in_nonce, set_asn_in_nonce)
      .def_prop_rw("security_reserved", security_reserved_of,
                   set_security_reserved,
                   "Bits of the security control that the version reserves.");
}

void bind_parts(nb::class_<RawFrame> &type) {
  type.def_ro("header_size", &RawFrame::header_size)
      .def_ro("elements_size", &RawFrame::elements_size,
              "The size of the header information elements.")
      .def_ro("open_size", &RawFrame::open_size,
              "The size of what is never encrypted.")
      .def_ro("payload_size", &RawFrame::payload_size)
      .def_ro("mic_size", &RawFrame::mic_size)
      .def_ro("has_payload_elements", &RawFrame::payload_elements,
              "Whether the payload begins with information elements.");
}

void bind_frame(nb::module_ &module) {
  bind_enums(module);
  bind_address(module);
  nb::class_<RawFrame> type(module, "RawFrame",
                            "A frame's header, and where the parts behind it "
                            "are:\nsamara/ieee802154_frame.h.");
  type.def("__init__", [](RawFrame *frame) { new (frame) RawFrame{}; });
  bind_header(type);
  bind_security_header(type);
  bind_parts(type);
  type.def("write_header", write_header, "Return the bytes of the header.")
      .def(
          "acknowledges",
          [](const RawFrame &frame, const RawFrame &sent) {
            check(samara_ieee802154_acknowledges(&sent, &frame));
          },
          nb::arg("sent"),
          "Raise FrameError unless this frame acknowledges the one sent.");
  nb::class_<RawElement>(module, "RawElement", "An information element.")
      .def_ro("id", &RawElement::id)
      .def_ro("content", &RawElement::content);
  module.def("parse_frame", parse, bytes_argument("frame"), nb::kw_only(),
             nb::arg("is_protected") = true,
             "Read a frame without FCS; one not protected yet has no MIC.");
  module.def("header_elements", header_elements, bytes_argument("listed"),
             "Return the elements of a list of header elements.");
  module.def("payload_elements", payload_elements, bytes_argument("listed"),
             "Return the elements of a list of payload elements.");
  module.def("payload_elements_size", payload_elements_size,
             bytes_argument("payload"),
             "Return the size of the elements that a payload begins with.");
  module.def("mic_size", samara_ieee802154_mic_size, nb::arg("level"),
             "Return the size of the MIC of a security level.");
  module.def("key_source_size", samara_ieee802154_key_source_size,
             nb::arg("mode"), "Return the size of the key source of a mode.");
}

} // namespace

void bind_ieee802154(nb::module_ &module) {
  frame_error = imported_error("FrameError");
  table_error = imported_error("TableError");
  bind_frame(module);
}

} // namespace samara::python
