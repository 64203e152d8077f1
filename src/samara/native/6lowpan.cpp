// SPDX-License-Identifier: Apache-2.0

// 6LoWPAN: payloads of frames from IPv6 packets, and back.

#include "bindings.h"
#include "call.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <nanobind/stl/vector.h>
#include <samara/6lowpan.h>

namespace samara::python {

namespace {

PyObject *packet_error;

[[noreturn]] void raise_packet_error(samara_6lowpan_result result) {
  const nb::object arguments = nb::make_tuple(
      samara_6lowpan_result_text(result), samara_6lowpan_result_name(result));
  PyErr_SetObject(packet_error, arguments.ptr());
  throw nb::python_error();
}

void check(samara_6lowpan_result result) {
  if (result != SAMARA_6LOWPAN_OK) {
    raise_packet_error(result);
  }
}

samara_6lowpan_address address_of(BytesLike object, const char *role) {
  const Buffer bytes(object, role);
  if (bytes.size() != 2 && bytes.size() != 8) {
    raise_value_error(std::string("the ") + role +
                      " address has 2 or 8 bytes, not " +
                      std::to_string(bytes.size()));
  }
  samara_6lowpan_address address{static_cast<uint8_t>(bytes.size()), {}};
  std::copy_n(bytes.data(), bytes.size(), address.bytes);
  return address;
}

// Prefix of 16 bytes, its bits, whether it is used to compress.
using Context = nb::typed<nb::tuple, nb::bytes, int, bool>;
using Contexts = nb::typed<nb::list, Context>;

samara_6lowpan_context context_of(nb::handle row) {
  samara_6lowpan_context context{};
  const Buffer prefix(row[0], "prefix");
  const int bits = nb::cast<int>(row[1]);
  if (prefix.size() != sizeof context.prefix || bits < 0 || bits > 128) {
    raise_value_error("a context has 16 bytes of prefix and 0 to 128 bits");
  }
  std::copy_n(prefix.data(), prefix.size(), context.prefix);
  context.prefix_bits = static_cast<uint8_t>(bits);
  context.compresses = nb::cast<bool>(row[2]);
  return context;
}

// Both link addresses of a frame, and the contexts of its network.
class Hop {
public:
  Hop(BytesLike source, BytesLike destination, const Contexts &contexts) {
    if (contexts.size() > samara_6lowpan_contexts_max) {
      raise_value_error("a network has at most 16 contexts");
    }
    for (const nb::handle row : contexts) {
      contexts_.push_back(context_of(row));
    }
    hop_ = {address_of(source, "source"),
            address_of(destination, "destination"), contexts_.data(),
            static_cast<uint8_t>(contexts_.size())};
  }
  Hop(const Hop &) = delete;
  Hop &operator=(const Hop &) = delete;

  const samara_6lowpan_hop *get() const { return &hop_; }

private:
  std::vector<samara_6lowpan_context> contexts_;
  samara_6lowpan_hop hop_{};
};

nb::typed<nb::list, nb::bytes> payloads(const Hop &hop, BytesLike packet_object,
                                        uint16_t tag, size_t payload_size) {
  const Buffer packet(packet_object, "packet");
  samara_6lowpan_sender sender;
  nb::typed<nb::list, nb::bytes> all;
  check(samara_6lowpan_send(&sender, hop.get(), packet.data(), packet.size(),
                            tag, payload_size));
  std::vector<uint8_t> payload(
      std::min(payload_size, size_t{samara_6lowpan_packet_size_max} +
                                 samara_6lowpan_header_size_max));
  size_t size;
  while (samara_6lowpan_next(&sender, payload.data(), &size)) {
    all.append(bytes_of(payload.data(), size));
  }
  return all;
}

nb::bytes identifier(BytesLike address) {
  uint8_t bytes[8];
  const samara_6lowpan_address link = address_of(address, "link");
  samara_6lowpan_identifier(bytes, &link);
  return bytes_of(bytes, sizeof bytes);
}

class Receiver {
public:
  Receiver(uint8_t slots, uint8_t slots_each, uint32_t lifetime_ms)
      : slots_(slots), packet_(samara_6lowpan_packet_size_max) {
    if (slots_each == 0) {
      raise_value_error("a neighbour needs at least one slot");
    }
    samara_6lowpan_receiver_init(&receiver_, slots_.data(), slots, slots_each,
                                 lifetime_ms, packet_.data());
  }
  ~Receiver() { samara_6lowpan_receiver_wipe(&receiver_); }
  Receiver(const Receiver &) = delete;
  Receiver &operator=(const Receiver &) = delete;

  std::optional<nb::bytes> receive(const Hop &hop, BytesLike payload_object,
                                   uint32_t now_ms) {
    const Buffer payload(payload_object, "payload");
    samara_6lowpan_event event;
    check(samara_6lowpan_receive(&receiver_, &event, hop.get(), payload.data(),
                                 payload.size(), now_ms));
    if (event.packet == nullptr) {
      return std::nullopt;
    }
    return bytes_of(event.packet, event.packet_size);
  }

  uint32_t expired() const { return receiver_.expired; }

  size_t incomplete() const {
    return static_cast<size_t>(
        std::count_if(slots_.begin(), slots_.end(),
                      [](const auto &slot) { return slot.size != 0; }));
  }

private:
  std::vector<samara_6lowpan_slot> slots_;
  std::vector<uint8_t> packet_;
  samara_6lowpan_receiver receiver_{};
};

} // namespace

void bind_6lowpan(nb::module_ &module) {
  packet_error = imported_error("PacketError");
  nb::class_<Hop>(module, "LowpanHop",
                  "What both ends of a hop know of a frame: samara/6lowpan.h.")
      .def(nb::init<BytesLike, BytesLike, const Contexts &>(),
           bytes_argument("source"), bytes_argument("destination"),
           nb::arg("contexts"));
  module.def("lowpan_payloads", &payloads, nb::arg("hop"),
             bytes_argument("packet"), nb::kw_only(), nb::arg("tag"),
             nb::arg("payload_size"),
             "Return the payloads of frames that carry an IPv6 packet.");
  module.def("lowpan_identifier", &identifier, bytes_argument("address"),
             "Return the interface identifier of a link address.");
  nb::class_<Receiver>(module, "LowpanReceiver",
                       "Packets that are being put together.")
      .def(nb::init<uint8_t, uint8_t, uint32_t>(), nb::kw_only(),
           nb::arg("slots"), nb::arg("slots_each"), nb::arg("lifetime_ms"))
      .def("receive", &Receiver::receive, nb::arg("hop"),
           bytes_argument("payload"), nb::arg("now_ms"),
           "Take one payload; return the packet that it completes, if any.")
      .def_prop_ro("expired", &Receiver::expired,
                   "Packets that were given up, modulo 2^32.")
      .def_prop_ro("incomplete", &Receiver::incomplete,
                   "Packets that wait for fragments.");
}

} // namespace samara::python
