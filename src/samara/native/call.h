// SPDX-License-Identifier: Apache-2.0
#ifndef SAMARA_PYTHON_CALL_H
#define SAMARA_PYTHON_CALL_H

// What all calls of the C library share: errors, threads, sizes.

#include <cstddef>
#include <string>

#include <nanobind/nanobind.h>
#include <samara/result.h>

namespace samara::python {

namespace nb = nanobind;

// For fewer bytes, releasing the GIL takes longer than the work.
inline constexpr size_t unlocked_size = size_t{8} * 1024;

// Runs `work` over about `size` bytes, without the GIL when they are many.
template <typename Work> auto unlocked(size_t size, Work work) {
  if (size < unlocked_size) {
    return work();
  }
  nb::gil_scoped_release release;
  return work();
}

// The exception class of samara.errors with this name, kept for the life of the
// process. Only for when the module is made: an import may let other threads
// run.
PyObject *imported_error(const char *name);

// Imports AuthenticationError, which the functions below raise.
void import_errors();

[[noreturn]] void raise_authentication_error();

// ValueError with `text`.
[[noreturn]] void raise_value_error(const std::string &text);

// Does nothing for SAMARA_OK. Raises AuthenticationError for what an attacker
// may have caused, ValueError for what only the caller can have caused.
void check(const char *slug, samara_result result);

// Whether the result is about the message, and not about the call.
bool not_authentic(samara_result result);

// ValueError "SLUG takes a ROLE of EXPECTED bytes, not GIVEN".
void check_size(const char *slug, const char *role, size_t expected,
                size_t given);

// Keeps a second thread out of an object while a call on it runs unlocked.
class Exclusive {
public:
  explicit Exclusive(bool &busy);
  ~Exclusive() { busy_ = false; }
  Exclusive(const Exclusive &) = delete;
  Exclusive &operator=(const Exclusive &) = delete;

private:
  bool &busy_;
};

} // namespace samara::python

#endif
