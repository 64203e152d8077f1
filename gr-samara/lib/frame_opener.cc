/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "frame_opener.h"

#include "likelihood.h"
#include <algorithm>
#include <samara/memory.h>
#include <stdexcept>

namespace gr {
namespace samara {

namespace {

// Counters that one write to the disk reserves: fewer than a transmitter's,
// because frames that were sent are lost with them.
constexpr uint64_t reservation = 32;

// Counters tried for a frame without a syndrome after misses. With each, noise
// passes for a frame with a probability of 2^-32.
constexpr uint32_t widest_check = 256;

//! A key in the form that the search takes, wiped when it goes.
struct search_link : samara_ple_link {
    search_link(const gr::samara::key& value, const frame_link& link)
    {
        std::copy_n(value.data(), gr::samara::key::size, key);
        direction = link.direction;
        link_id = link.link_id;
    }
    ~search_link() { samara_wipe(key, sizeof key); }
};

} // namespace

frame_opener::frame_opener(const frame_settings& settings,
                           const std::string& key_text,
                           const std::string& state_file,
                           size_t payload_size,
                           bool likelihoods)
    : d_settings(settings),
      d_payload_size(payload_size),
      d_likelihoods(likelihoods),
      d_counter(state_file, reservation)
{
    samara_ple_sync_init(&d_sync, d_counter.next());
    if (!key_text.empty()) {
        set_key({ key::from_text(key_text), 0 });
    }
}

void frame_opener::set_key(const key_message& change)
{
    d_keys.set(
        change.first_frame,
        { change.value,
          std::make_shared<frame_codec_impl>(d_settings, change.value) });
}

frame_opener::opened frame_opener::open(const std::vector<float>& soft,
                                        std::optional<uint64_t> number)
{
    const size_t size = payload_size_of(soft.size());
    if (number && *number < d_sync.next) {
        throw std::runtime_error("frame " + std::to_string(*number) +
                                 " is not above the last one accepted");
    }
    const candidate found =
        number ? try_number(soft, size, *number) : search(soft, size);
    if (!found) {
        samara_ple_sync_miss(&d_sync);
        throw std::runtime_error(
            "it is no genuine frame with any of the counters tried");
    }
    accept(found->number);
    return *found;
}

size_t frame_opener::payload_size_of(size_t bits) const
{
    const auto size = d_payload_size != 0
                          ? std::make_optional(d_payload_size)
                          : frame_payload_size(d_settings.code, bits);
    if (!size || frame_coded_bits(d_settings.code, *size) != bits) {
        throw std::runtime_error("no payload has " + std::to_string(bits) +
                                 " bits on the air");
    }
    return *size;
}

frame_opener::candidate frame_opener::search(const std::vector<float>& soft,
                                             size_t size)
{
    return d_settings.code == frame_code::CONVOLUTIONAL
               ? search_by_syndrome(soft, size)
               : search_by_check(soft, size);
}

frame_opener::candidate
frame_opener::search_by_syndrome(const std::vector<float>& soft, size_t size)
{
    const std::vector<int8_t> likelihoods =
        log_likelihoods(soft, d_likelihoods ? 1.0 : likelihood_scale(soft));
    samara_ple_sync_found found{};
    const keyed* present = d_keys.find(d_sync.next);
    if (present) {
        const search_link link(present->value, d_settings.link);
        if (samara_ple_sync_search(&d_sync,
                                   &found,
                                   &link,
                                   likelihoods.data(),
                                   likelihoods.size())) {
            return try_number(soft, size, found.counter);
        }
    }
    const uint64_t* change = d_keys.next_change(d_sync.next);
    if (!change) {
        return std::nullopt;
    }
    // Frames were lost and with them the first one under the next key.
    const search_link link(d_keys.find(*change)->value, d_settings.link);
    if (!samara_ple_sync_scan(&found,
                              &link,
                              *change,
                              samara_ple_sync_wide_window,
                              found.tested,
                              likelihoods.data(),
                              likelihoods.size())) {
        return std::nullopt;
    }
    return try_number(soft, size, found.counter);
}

// LOCKED's second window is the rest of the wide one: the next counters
// are tried first, and the others in the same frame when none of them fits.
frame_opener::candidate
frame_opener::search_by_check(const std::vector<float>& soft, size_t size)
{
    uint32_t left = widest_check;
    for (unsigned window = 0; window < 2; window++) {
        uint64_t first = 0;
        const uint32_t count =
            std::min(samara_ple_sync_window(&d_sync, window, &first), left);
        for (uint32_t i = 0; i < count; i++) {
            const candidate found = try_number(soft, size, first + i);
            if (found) {
                return found;
            }
        }
        left -= count;
    }
    return std::nullopt;
}

frame_opener::candidate frame_opener::try_number(const std::vector<float>& soft,
                                                 size_t size,
                                                 uint64_t number)
{
    const keyed* entry = d_keys.find(number);
    if (!entry) {
        return std::nullopt;
    }
    opened result{ number, std::vector<uint8_t>(size) };
    uint8_t good = 0;
    entry->codec->decode(
        soft.data(), size, 1, &number, result.payload.data(), &good);
    return good ? std::make_optional(result) : std::nullopt;
}

// The counter is on the disk before anybody sees the payload.
void frame_opener::accept(uint64_t number)
{
    if (!d_counter.use(number) ||
        samara_ple_sync_accept(&d_sync, number) != SAMARA_OK) {
        throw std::runtime_error("the frame counter is at its end");
    }
    d_keys.forget_before(number);
}

} // namespace samara
} // namespace gr
