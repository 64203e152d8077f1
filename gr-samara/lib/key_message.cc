/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "key_message.h"

#include <stdexcept>

namespace gr {
namespace samara {

key_message key_message::from_pmt(const pmt::pmt_t& message,
                                  uint64_t next_frame)
{
    if (!pmt::is_dict(message)) {
        return { key::from_pmt(message), next_frame };
    }
    const pmt::pmt_t value =
        pmt::dict_ref(message, pmt::mp("key"), pmt::PMT_NIL);
    const auto first_frame = frame_counter_of(pmt::dict_ref(
        message, pmt::mp("first_frame"), pmt::from_uint64(next_frame)));
    if (!first_frame) {
        throw std::invalid_argument(
            "first_frame must be an integer from 0 to 2^64 - 1");
    }
    return { key::from_pmt(value), *first_frame };
}

std::optional<uint64_t> frame_counter_of(const pmt::pmt_t& value)
{
    if (pmt::is_uint64(value)) {
        return pmt::to_uint64(value);
    }
    if (pmt::is_integer(value) && pmt::to_long(value) >= 0) {
        return static_cast<uint64_t>(pmt::to_long(value));
    }
    return std::nullopt;
}

} // namespace samara
} // namespace gr
