/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "frame_sealer.h"

#include <stdexcept>

namespace gr {
namespace samara {

namespace {

// Counters that one write to the disk reserves.
constexpr uint64_t reservation = 1024;

} // namespace

frame_sealer::frame_sealer(const frame_settings& settings,
                           const std::string& key_text,
                           const std::string& state_file)
    : d_settings(settings), d_counter(state_file, reservation)
{
    if (!key_text.empty()) {
        set_key({ key::from_text(key_text), 0 });
    }
}

void frame_sealer::set_key(const key_message& change)
{
    d_codecs.set(change.first_frame,
                 std::make_shared<frame_codec_impl>(d_settings, change.value));
}

frame_sealer::sealed frame_sealer::seal(const std::vector<uint8_t>& payload)
{
    const uint64_t number = d_counter.next();
    const frame_codec::sptr* codec = d_codecs.find(number);
    if (!codec) {
        throw std::runtime_error("frame " + std::to_string(number) +
                                 " has no key");
    }
    sealed result{ number, {} };
    result.bits.resize((*codec)->coded_bits(payload.size()));
    if (!d_counter.use(number)) {
        throw std::runtime_error("the frame counter is at its end");
    }
    (*codec)->encode(
        payload.data(), payload.size(), 1, number, result.bits.data());
    d_codecs.forget_before(number);
    return result;
}

} // namespace samara
} // namespace gr
