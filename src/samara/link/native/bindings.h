// SPDX-License-Identifier: Apache-2.0
#ifndef SAMARA_LINK_BINDINGS_H
#define SAMARA_LINK_BINDINGS_H

#include <nanobind/nanobind.h>

namespace samara::python {

// One function for each part of the module, called in module.cpp.
void bind_ieee802154(nanobind::module_ &module);
void bind_rfserial(nanobind::module_ &module);

} // namespace samara::python

#endif
