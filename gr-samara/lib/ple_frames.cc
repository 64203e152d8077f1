/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ple_frames.h"

#include <algorithm>
#include <stdexcept>

namespace gr {
namespace samara {

namespace {

// Counters that one write to the disk reserves.
constexpr uint64_t reservation = 1024;

} // namespace

ple_frames::ple_frames(ple_role role,
                       const std::string& text,
                       const frame_link& link,
                       const std::string& state_file)
    : d_link(link)
{
    if (!text.empty()) {
        d_keys.set(0, key::from_text(text));
    }
    if (role == ple_role::ENCRYPT) {
        d_counter = std::make_unique<counter_file>(state_file, reservation);
        d_next = d_counter->next();
    }
}

void ple_frames::set_key(const key_message& change)
{
    d_keys.set(change.first_frame, change.value);
}

std::unique_ptr<ple_keystream> ple_frames::begin(const pmt::pmt_t& number)
{
    const auto frame = frame_counter_of(number);
    if (!frame) {
        throw std::runtime_error("a frame has no valid frame counter: " +
                                 pmt::write_string(number));
    }
    const std::string name = "frame " + std::to_string(*frame);
    const key* value = d_keys.find(*frame);
    if (!value) {
        throw std::runtime_error(name + " has no key");
    }
    if (d_counter && !d_counter->use(*frame)) {
        throw std::runtime_error(name +
                                 " may have been sent before; the next is " +
                                 std::to_string(d_counter->next()));
    }
    auto keystream = std::make_unique<ple_keystream>(*value, d_link, *frame);
    d_next = std::max(d_next, *frame + 1);
    d_keys.forget_before(*frame);
    return keystream;
}

} // namespace samara
} // namespace gr
