// SPDX-License-Identifier: Apache-2.0

// Limits and sizes of the C library's headers. Python has no copy of them.

#include "bindings.h"

#include <samara/grain128ple.h>
#include <samara/ieee802154.h>
#include <samara/ple_interleave.h>
#include <samara/ple_sync.h>
#include <samara/rfserial.h>
#include <samara/version.h>

namespace samara::python {

namespace {

struct Constant {
  const char *name;
  long long value;
};

constexpr Constant constants[] = {
    {"GRAIN128PLE_KEY_SIZE", samara_grain128ple_key_size},
    {"GRAIN128PLE_NONCE_SIZE", samara_grain128ple_nonce_size},
    {"PLE_AIR_VERSION", samara_ple_air_version},
    {"PLE_LOCKED_WINDOW", samara_ple_sync_locked_window},
    {"PLE_WIDE_WINDOW", samara_ple_sync_wide_window},
    {"IEEE802154_FRAME_SIZE_MAX", samara_ieee802154_size_max},
    {"IEEE802154_PSDU_SIZE_MAX", samara_ieee802154_psdu_size_max},
    {"IEEE802154_FCS_SIZE", samara_ieee802154_fcs_size},
    {"IEEE802154_MIC_SIZE_MAX", samara_ieee802154_mic_size_max},
    {"IEEE802154_ADDRESS_SIZE", samara_ieee802154_address_size},
    {"IEEE802154_NONCE_SIZE", samara_ieee802154_nonce_size},
    {"IEEE802154_ENCRYPTION_ONLY", SAMARA_IEEE802154_ENC},
    {"RFSERIAL_MESSAGE_SIZE_MAX", SAMARA_RFSERIAL_MESSAGE_SIZE_MAX},
    {"RFSERIAL_PACKET_SIZE_MAX", samara_rfserial_packet_size_max},
    {"RFSERIAL_TAG_SIZE_MIN", samara_rfserial_tag_size_min},
    {"RFSERIAL_TAG_SIZE_MAX", samara_aead_tag_size_max},
    {"RFSERIAL_COUNTER_SIZE_MAX", samara_rfserial_counter_size_max},
};

} // namespace

void bind_constants(nb::module_ &module) {
  module.attr("VERSION") = SAMARA_VERSION;
  for (const Constant &constant : constants) {
    module.attr(constant.name) = constant.value;
  }
}

} // namespace samara::python
