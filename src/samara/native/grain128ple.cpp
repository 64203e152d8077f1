// SPDX-License-Identifier: Apache-2.0

// Grain-128PLE: a position in a keystream, over packed bits and soft values.
//
// grain128ple.py checks the types and shapes of arrays. Checked here is what
// memory safety needs.

#include "bindings.h"
#include "call.h"

#include <string>
#include <vector>

#include <samara/grain128ple.h>

namespace samara::python {

namespace {

// Key, nonce and number of bits of each.
using Streams =
    nb::typed<nb::list, nb::typed<nb::tuple, BytesLike, BytesLike, size_t>>;

constexpr char slug[] = "grain128ple";

size_t bytes_of(size_t bit_count) {
  return bit_count / 8 + (bit_count % 8 != 0 ? 1 : 0);
}

void check_parameters(const Buffer &key, const Buffer &nonce) {
  check_size(slug, "key", samara_grain128ple_key_size, key.size());
  check_size(slug, "nonce", samara_grain128ple_nonce_size, nonce.size());
}

class Keystream {
public:
  Keystream(BytesLike key_object, BytesLike nonce_object) {
    const Buffer key(key_object, "key");
    const Buffer nonce(nonce_object, "nonce");
    check_parameters(key, nonce);
    samara_grain128ple_init(&state_, key.data(), nonce.data());
  }

  ~Keystream() { samara_grain128ple_wipe(&state_); }
  Keystream(const Keystream &) = delete;
  Keystream &operator=(const Keystream &) = delete;

  void skip(uint64_t bit_count) {
    const Exclusive guard(busy_);
    unlocked(static_cast<size_t>(bit_count / 8),
             [&] { samara_grain128ple_skip(&state_, bit_count); });
  }

  void keystream_into(BytesLike output_object, size_t bit_count) {
    const Buffer output(output_object, "output", Access::write);
    check_room(output, 0, bit_count);
    const Exclusive guard(busy_);
    unlocked(bit_count / 8, [&] {
      samara_grain128ple_keystream(&state_, output.writable(), bit_count);
    });
  }

  void xor_bits(BytesLike bits_object, size_t bit_offset, size_t bit_count) {
    const Buffer bits(bits_object, "bits", Access::write);
    check_room(bits, bit_offset, bit_count);
    const Exclusive guard(busy_);
    unlocked(bit_count / 8, [&] {
      samara_grain128ple_xor(&state_, bits.writable(), bit_offset, bit_count);
    });
  }

  template <typename Value, void (*flip)(samara_grain128ple *, Value *, size_t)>
  void flip_values(BytesLike values_object) {
    const Buffer values(values_object, "values", Access::write);
    const size_t count = values.size() / sizeof(Value);
    if (reinterpret_cast<uintptr_t>(values.data()) % alignof(Value) != 0) {
      raise_value_error("values must be aligned for their type");
    }
    const Exclusive guard(busy_);
    unlocked(count, [&] {
      flip(&state_, reinterpret_cast<Value *>(values.writable()), count);
    });
  }

private:
  static void check_room(const Buffer &bits, size_t bit_offset,
                         size_t bit_count) {
    const size_t whole = bits.size() * 8;
    if (bit_offset > whole || bit_count > whole - bit_offset) {
      raise_value_error("bits " + std::to_string(bit_offset) + " and the " +
                        std::to_string(bit_count) + " from there are not in " +
                        std::to_string(bits.size()) + " bytes");
    }
  }

  samara_grain128ple state_;
  bool busy_ = false;
};

nb::typed<nb::list, nb::bytes> keystream_batch(const Streams &streams) {
  std::vector<Buffer> parameters;
  std::vector<samara_batch_keystream> entries;
  parameters.reserve(2 * streams.size());
  entries.reserve(streams.size());
  nb::typed<nb::list, nb::bytes> outputs;
  size_t work = 0;
  for (const nb::handle item : streams) {
    const auto stream = nb::cast<nb::tuple>(item);
    const Buffer &key = parameters.emplace_back(nb::handle(stream[0]), "key");
    const Buffer &nonce =
        parameters.emplace_back(nb::handle(stream[1]), "nonce");
    check_parameters(key, nonce);
    const auto bit_count = nb::cast<size_t>(stream[2]);
    const nb::bytes output = new_bytes(bytes_of(bit_count));
    entries.push_back({key.data(), nonce.data(), contents(output), bit_count});
    work += bytes_of(bit_count);
    outputs.append(output);
  }
  unlocked(work, [&] {
    samara_grain128ple_keystream_batch(entries.data(), entries.size());
  });
  return outputs;
}

} // namespace

void bind_grain128ple(nb::module_ &module) {
  const auto values = bytes_argument("values");
  nb::class_<Keystream>(
      module, "Keystream",
      "A position in a keystream of Grain-128PLE: every call goes on where "
      "the\n"
      "last one stopped. RuntimeError when two threads use it at once.")
      .def(nb::init<BytesLike, BytesLike>(), bytes_argument("key"),
           bytes_argument("nonce"))
      .def("skip", &Keystream::skip, nb::arg("bit_count"),
           "Pass over bits; the time grows with their number.")
      .def("keystream_into", &Keystream::keystream_into,
           bytes_argument("output"), nb::arg("bit_count"),
           "Write keystream bits, packed, into a writable buffer.")
      .def("xor_bits", &Keystream::xor_bits, bytes_argument("bits"),
           nb::arg("bit_offset"), nb::arg("bit_count"),
           "Encrypt or decrypt packed bits in place.")
      .def("flip_int8",
           &Keystream::flip_values<int8_t, samara_grain128ple_flip_int8>,
           values, "Decrypt soft values of 8 bits in place.")
      .def("flip_int16",
           &Keystream::flip_values<int16_t, samara_grain128ple_flip_int16>,
           values, "Decrypt soft values of 16 bits in place.")
      .def("flip_float32",
           &Keystream::flip_values<float, samara_grain128ple_flip_float32>,
           values, "Decrypt soft values of 32-bit floating point in place.");
  module.def("keystream_batch", keystream_batch, nb::arg("streams"),
             "Return the first bits of keystreams, packed, for tuples of key,\n"
             "nonce and number of bits.");
  module.def("time_keystream_batch", time_keystream_batch, nb::arg("size"),
             nb::arg("count"), nb::arg("repetitions"),
             "Compute batches of `count` keystreams of `size` bytes, each with "
             "its\n"
             "own key; return how long they took together.");
  // A function: constants in the stub must not depend on the machine.
  module.def(
      "keystream_state_size", [] { return sizeof(samara_grain128ple); },
      "Return the memory of a keystream's state on this machine.");
}

} // namespace samara::python
