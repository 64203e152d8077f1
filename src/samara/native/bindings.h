// SPDX-License-Identifier: Apache-2.0
#ifndef SAMARA_PYTHON_BINDINGS_H
#define SAMARA_PYTHON_BINDINGS_H

#include <cstdint>
#include <optional>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <samara/suite.h>

#include "buffer.h"

namespace samara::python {

// One function for each part of the module, called in module.cpp.
void bind_constants(nb::module_ &module);
void bind_block_ciphers(nb::module_ &module);
void bind_suites(nb::module_ &module);
void bind_streams(nb::module_ &module);
void bind_grain128ple(nb::module_ &module);
void bind_ple_sync(nb::module_ &module);
void bind_ieee802154(nb::module_ &module);
void bind_ieee802154_security(nb::module_ &module);
void bind_rfserial(nb::module_ &module);
void bind_6lowpan(nb::module_ &module);
void bind_network_events(nb::module_ &module);
void bind_datagrams(nb::module_ &module);

// Key, nonce and associated data of a call, with sizes that the suite accepts.
struct Parameters {
  // Raises ValueError for a size that the suite does not accept, and for
  // associated data that it does not authenticate.
  Parameters(const samara_suite &suite, BytesLike key_object,
             BytesLike nonce_object, BytesLike associated_data_object);

  // ValueError if `output` overlaps one of them.
  void refuse_overlap(const char *slug, const uint8_t *output,
                      size_t output_size) const;

  Buffer key;
  Buffer nonce;
  Buffer associated_data;
};

// Size of the ciphertext without tag. ValueError for a message that is too
// long.
size_t ciphertext_size(const samara_suite &suite, size_t message_size);

// Key, nonce, message (or sealed message) and associated data.
using BatchMessage =
    nb::typed<nb::tuple, BytesLike, BytesLike, BytesLike, BytesLike>;
using BatchMessages = nb::typed<nb::list, BatchMessage>;

nb::typed<nb::list, nb::bytes> seal_batch(const samara_suite &suite,
                                          const BatchMessages &messages);
// None for each message that is not genuine.
nb::typed<nb::list, std::optional<nb::bytes>>
open_batch(const samara_suite &suite, const BatchMessages &messages);

// How long a number of calls took together.
struct Timing {
  int64_t nanoseconds; // of the steady clock
  uint64_t ticks;      // of the time stamp counter; 0 where there is none
};

Timing time_seal(const samara_suite &suite, size_t message_size,
                 size_t repetitions);
// The same for batches of `count` messages.
Timing time_seal_batch(const samara_suite &suite, size_t message_size,
                       size_t count, size_t repetitions);
// The same for keystreams of Grain-128PLE.
Timing time_keystream_batch(size_t size, size_t count, size_t repetitions);

} // namespace samara::python

#endif
