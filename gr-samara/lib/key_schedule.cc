/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "key_schedule.h"

#include <iterator>
#include <stdexcept>

namespace gr {
namespace samara {

key_schedule::key_schedule(const std::string& text)
{
    if (!text.empty()) {
        set(key::from_text(text), 0);
    }
}

void key_schedule::set(const key& value, uint64_t first_frame)
{
    // An earlier plan for the frames from there on is void.
    d_keys.erase(d_keys.lower_bound(first_frame), d_keys.end());
    d_keys.emplace(first_frame, value);
}

void key_schedule::set_by_message(const pmt::pmt_t& message,
                                  uint64_t next_frame)
{
    // A pair may look like a dictionary and is not one that has the entries.
    if (!pmt::is_dict(message)) {
        set(key::from_pmt(message), next_frame);
        return;
    }
    const pmt::pmt_t value =
        pmt::dict_ref(message, pmt::mp("key"), pmt::PMT_NIL);
    const auto first_frame = frame_number_of(pmt::dict_ref(
        message, pmt::mp("first_frame"), pmt::from_uint64(next_frame)));
    if (!first_frame) {
        throw std::invalid_argument("first_frame is not a frame number");
    }
    set(key::from_pmt(value), *first_frame);
}

const key* key_schedule::find(uint64_t frame) const
{
    const auto later = d_keys.upper_bound(frame);
    return later == d_keys.begin() ? nullptr : &std::prev(later)->second;
}

void key_schedule::forget_before(uint64_t frame)
{
    const auto later = d_keys.upper_bound(frame);
    if (std::distance(d_keys.begin(), later) > 2) {
        d_keys.erase(d_keys.begin(), std::prev(later, 2));
    }
}

std::optional<uint64_t> frame_number_of(const pmt::pmt_t& value)
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
