// SPDX-License-Identifier: Apache-2.0

// samara._core: the C library as Python objects. It checks every size before it
// passes a pointer to C, so that no Python caller can reach memory outside a
// buffer. Convenience and documentation are in the Python modules that wrap it.

#include "bindings.h"
#include "call.h"

NB_MODULE(_core, module) {
  using namespace samara::python;
  // Rows of the registry exist as long as the process. An object that still
  // refers to one when Python ends is not a leak.
  nanobind::set_leak_warnings(false);
  module.doc() =
      "The C library as Python objects, which the package's modules wrap.\n\n"
      "Sizes are in bytes. A bytes-like argument may be any object with a\n"
      "C-contiguous buffer; no other thread may change it during the call.";
  bind_constants(module);
  import_errors();
  bind_block_ciphers(module);
  bind_suites(module);
  bind_streams(module);
  bind_grain128ple(module);
  bind_ple_sync(module);
  bind_ieee802154(module);
  bind_ieee802154_security(module);
  bind_rfserial(module);
  bind_6lowpan(module);
  bind_network_events(module);
  bind_datagrams(module);
}
