// SPDX-License-Identifier: Apache-2.0
#ifndef SAMARA_PYTHON_BUFFER_H
#define SAMARA_PYTHON_BUFFER_H

// Memory of Python objects, borrowed for the duration of a call.
//
// Any object with a C-contiguous buffer is accepted: bytes, bytearray,
// memoryview, NumPy arrays of any type. While a Buffer exists, its memory is
// neither moved nor freed. The caller must ensure that no other thread changes
// it.

#include <cstddef>
#include <cstdint>

#include <nanobind/nanobind.h>

namespace samara::python {

namespace nb = nanobind;

// An argument that Buffer checks, and not nanobind: the error then names the
// argument. In stubs it has the type that the Python modules use.
class BytesLike : public nb::handle {
public:
  static constexpr auto Name =
      nb::detail::const_name("samara.crypto.bytes_like.BytesLike");

  BytesLike(nb::handle object) : nb::handle(object) {}
  BytesLike(std::nullptr_t, nb::detail::steal_t) {}
  static bool check_(nb::handle) { return true; }
};

// The name of such an argument. None is left to Buffer, too.
constexpr auto bytes_argument(const char *name) { return nb::arg(name).none(); }

enum class Access { read, write };

class Buffer {
public:
  // `role` names the argument in an error: "nonce", "output".
  // Raises TypeError for an object without a buffer, ValueError for one that
  // is not contiguous, or not writable where it has to be.
  Buffer(nb::handle object, const char *role, Access access = Access::read);
  ~Buffer();

  Buffer(Buffer &&other) noexcept;
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  Buffer &operator=(Buffer &&) = delete;

  // Never null, so that it may be handed to C with a size of 0.
  const uint8_t *data() const;
  uint8_t *writable() const;
  size_t size() const { return static_cast<size_t>(view_.len); }

private:
  Py_buffer view_;
};

// Whether two pieces of memory have a byte in common.
bool overlap(const uint8_t *left, size_t left_size, const uint8_t *right,
             size_t right_size);

// A bytes object of `size` bytes, not yet written and not yet visible to
// Python: its contents may still be changed.
nb::bytes new_bytes(size_t size);
uint8_t *contents(const nb::bytes &object);

// A copy as a bytes object.
nb::bytes bytes_of(const uint8_t *bytes, size_t size);

// The first `size` bytes of `object`, which nobody else refers to.
nb::bytes shortened(nb::bytes object, size_t size);

} // namespace samara::python

#endif
