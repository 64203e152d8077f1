// SPDX-License-Identifier: Apache-2.0

// samara.link._core: frames and framings of the C library as Python objects.
// As in samara.crypto._core, every size is checked before C sees a pointer;
// convenience and documentation are in the Python modules around it.

#include "bindings.h"
#include "call.h"

NB_MODULE(_core, module) {
  using namespace samara::python;
  nanobind::set_leak_warnings(false);
  import_errors();
  module.doc() = "Frames and framings of the C library.";
  bind_ieee802154(module);
  bind_rfserial(module);
}
