// SPDX-License-Identifier: Apache-2.0
#include "buffer.h"

#include <string>
#include <utility>

namespace samara::python {

namespace {

uint8_t nothing;

// BufferError does not name the argument, and is not a ValueError, which is
// what a wrong argument gets here.
[[noreturn]] void raise_for_buffer(const char *role, Access access) {
  if (PyErr_ExceptionMatches(PyExc_BufferError) == 0 &&
      PyErr_ExceptionMatches(PyExc_ValueError) == 0) {
    throw nb::python_error();
  }
  PyErr_Clear();
  const char *kind = access == Access::write ? "writable C-contiguous buffer"
                                             : "C-contiguous buffer";
  const std::string text = std::string(role) + " must be a " + kind;
  throw nb::value_error(text.c_str());
}

} // namespace

Buffer::Buffer(nb::handle object, const char *role, Access access) {
  const int flags = access == Access::write
                        ? PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE
                        : PyBUF_C_CONTIGUOUS;
  if (PyObject_GetBuffer(object.ptr(), &view_, flags) != 0) {
    raise_for_buffer(role, access);
  }
}

Buffer::Buffer(Buffer &&other) noexcept
    : view_(std::exchange(other.view_, Py_buffer{})) {}

Buffer::~Buffer() { PyBuffer_Release(&view_); }

uint8_t *Buffer::writable() const {
  return view_.buf == nullptr ? &nothing : static_cast<uint8_t *>(view_.buf);
}

const uint8_t *Buffer::data() const { return writable(); }

bool overlap(const uint8_t *left, size_t left_size, const uint8_t *right,
             size_t right_size) {
  // Pointers into different objects may be compared as integers only.
  const auto left_address = reinterpret_cast<uintptr_t>(left);
  const auto right_address = reinterpret_cast<uintptr_t>(right);
  return left_size != 0 && right_size != 0 &&
         left_address < right_address + right_size &&
         right_address < left_address + left_size;
}

nb::bytes new_bytes(size_t size) {
  if (size > static_cast<size_t>(PY_SSIZE_T_MAX)) {
    throw std::bad_alloc();
  }
  PyObject *object =
      PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size));
  if (object == nullptr) {
    throw nb::python_error();
  }
  return nb::steal<nb::bytes>(object);
}

uint8_t *contents(const nb::bytes &object) {
  return reinterpret_cast<uint8_t *>(PyBytes_AS_STRING(object.ptr()));
}

nb::bytes bytes_of(const uint8_t *bytes, size_t size) {
  return nb::bytes(reinterpret_cast<const char *>(bytes), size);
}

nb::bytes shortened(nb::bytes object, size_t size) {
  if (size == object.size()) {
    return object;
  }
  PyObject *raw = object.release().ptr();
  if (_PyBytes_Resize(&raw, static_cast<Py_ssize_t>(size)) != 0) {
    throw nb::python_error();
  }
  return nb::steal<nb::bytes>(raw);
}

} // namespace samara::python
