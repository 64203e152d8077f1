// SPDX-License-Identifier: Apache-2.0
#ifndef SAMARA_PYTHON_BINDINGS_H
#define SAMARA_PYTHON_BINDINGS_H

#include <nanobind/nanobind.h>
#include <samara/suite.h>

#include "buffer.h"

namespace samara::python {

// One function for each part of the module, called in module.cpp.
void bind_block_ciphers(nb::module_ &module);
void bind_suites(nb::module_ &module);
void bind_streams(nb::module_ &module);
void bind_grain128ple(nb::module_ &module);
void bind_ple_sync(nb::module_ &module);
void bind_ieee802154(nb::module_ &module);
void bind_rfserial(nb::module_ &module);

// What every use of a suite begins with, its sizes checked.
struct Parameters {
  // Raises ValueError for a size that the suite does not take, and for
  // associated data that it would not protect.
  Parameters(const samara_suite &suite, nb::handle key_object,
             nb::handle nonce_object, nb::handle associated_data_object);

  // ValueError when writing `output` would change one of them.
  void refuse_overlap(const char *slug, const uint8_t *output,
                      size_t output_size) const;

  Buffer key;
  Buffer nonce;
  Buffer associated_data;
};

// Bytes of ciphertext without tag; ValueError for a message that is too long.
size_t ciphertext_size(const samara_suite &suite, size_t message_size);

nb::list seal_batch(const samara_suite &suite, const nb::list &messages);
nb::list open_batch(const samara_suite &suite, const nb::list &messages);

// Seconds are counted in nanoseconds of the steady clock, and in ticks of the
// processor's time stamp counter (0 where it has none): (nanoseconds, ticks).
nb::tuple time_seal(const samara_suite &suite, size_t message_size,
                    size_t repetitions);

} // namespace samara::python

#endif
