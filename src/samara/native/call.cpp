// SPDX-License-Identifier: Apache-2.0
#include "call.h"

namespace samara::python {

namespace {

PyObject *authentication_error;
PyObject *argument_error;

} // namespace

PyObject *imported_error(const char *name) {
  nb::object error = nb::module_::import_("samara.errors").attr(name);
  return error.release().ptr();
}

void import_errors() {
  authentication_error = imported_error("AuthenticationError");
  argument_error = imported_error("ArgumentError");
}

void raise_authentication_error() {
  PyErr_SetString(authentication_error,
                  samara_result_text(SAMARA_ERROR_AUTHENTICATION));
  throw nb::python_error();
}

void raise_value_error(const std::string &text) {
  PyErr_SetString(argument_error, text.c_str());
  throw nb::python_error();
}

bool not_authentic(samara_result result) {
  return result == SAMARA_ERROR_AUTHENTICATION ||
         result == SAMARA_ERROR_CIPHERTEXT_SIZE;
}

void check(const char *slug, samara_result result) {
  if (result == SAMARA_OK) {
    return;
  }
  if (not_authentic(result)) {
    raise_authentication_error();
  }
  raise_value_error(std::string(slug) + ": " + samara_result_text(result));
}

void check_size(const char *slug, const char *role, size_t expected,
                size_t given) {
  if (given != expected) {
    raise_value_error(std::string(slug) + " takes a " + role + " of " +
                      std::to_string(expected) + " bytes, not " +
                      std::to_string(given));
  }
}

Exclusive::Exclusive(bool &busy) : busy_(busy) {
  if (busy) {
    throw std::runtime_error("another thread is using this object");
  }
  busy_ = true;
}

} // namespace samara::python
