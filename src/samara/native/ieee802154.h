// SPDX-License-Identifier: Apache-2.0
#ifndef SAMARA_PYTHON_IEEE802154_H
#define SAMARA_PYTHON_IEEE802154_H

// What frames and their security share.

#include <samara/ieee802154.h>

#include "buffer.h"

namespace samara::python {

// Nothing for success; otherwise FrameError or TableError.
void check(samara_ieee802154_result result);

// Copies the object's bytes to `output`. ValueError unless there are `size`.
void take(BytesLike object, const char *role, uint8_t *output, size_t size);

} // namespace samara::python

#endif
