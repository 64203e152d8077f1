// SPDX-License-Identifier: Apache-2.0

// samara._core: the C library as Python objects. It checks every size
// before C sees a pointer, so that no Python caller can reach outside memory;
// convenience and documentation are in the Python modules around it.

#include "bindings.h"
#include "call.h"

NB_MODULE(_core, module) {
  using namespace samara::python;
  // Rows of the registry are kept for the life of the process; whoever holds
  // one when Python ends leaks nothing worth a warning.
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
}
