/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "frame_codec_impl.h"

#include <algorithm>
#include <boost/crc.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <samara/grain128aead.h>
#include <samara/grain128ple.h>
#include <samara/memory.h>
#include <samara/ple_interleave.h>
#include <stdexcept>

namespace gr {
namespace samara {

namespace {

// Frames whose keystreams are made in one call.
constexpr size_t group_size = 64;

void unpack(const uint8_t* bytes, size_t size, uint8_t* bits)
{
    for (size_t i = 0; i < 8 * size; i++) {
        bits[i] = bytes[i / 8] >> (7 - i % 8) & 1;
    }
}

void pack(const uint8_t* bits, size_t size, uint8_t* bytes)
{
    for (size_t i = 0; i < size; i++) {
        unsigned byte = 0;
        for (size_t j = 0; j < 8; j++) {
            byte = byte << 1 | bits[8 * i + j];
        }
        bytes[i] = static_cast<uint8_t>(byte);
    }
}

void make_crc(const uint8_t* payload, size_t size, uint8_t* check)
{
    boost::crc_32_type crc;
    crc.process_bytes(payload, size);
    const uint32_t value = crc.checksum();
    for (size_t i = 0; i < frame_codec::check_size; i++) {
        check[i] = static_cast<uint8_t>(value >> (24 - 8 * i));
    }
}

//! What brings the mean magnitude to 1; 0 when there is none.
float scale_of(const float* soft, size_t size)
{
    float sum = 0;
    for (size_t i = 0; i < size; i++) {
        sum += std::abs(soft[i]);
    }
    const float scale = static_cast<float>(size) / sum;
    return std::isfinite(sum) && std::isfinite(scale) ? scale : 0;
}

//! Adds the time that it lives to a sum.
class stopwatch
{
public:
    explicit stopwatch(std::chrono::steady_clock::duration& sum) : d_sum(sum) {}
    ~stopwatch() { d_sum += std::chrono::steady_clock::now() - d_start; }
    stopwatch(const stopwatch&) = delete;
    stopwatch& operator=(const stopwatch&) = delete;

private:
    std::chrono::steady_clock::duration& d_sum;
    const std::chrono::steady_clock::time_point d_start =
        std::chrono::steady_clock::now();
};

} // namespace

frame_codec::sptr frame_codec::make(frame_code code,
                                    frame_check check,
                                    const std::string& key,
                                    uint8_t direction,
                                    uint16_t link_id,
                                    frame_cipher cipher)
{
    const frame_settings settings{
        code, check, frame_link{ direction, link_id }, cipher
    };
    return std::make_shared<frame_codec_impl>(
        settings,
        key.empty() ? std::nullopt
                    : std::make_optional(samara::key::from_text(key)));
}

frame_codec_impl::frame_codec_impl(const frame_settings& settings,
                                   const std::optional<key>& value)
    : d_settings(settings), d_key(value)
{
    if (!d_key && (settings.check == frame_check::TAG ||
                   settings.cipher == frame_cipher::PLE)) {
        throw std::invalid_argument("encryption and keyed tags need a key");
    }
}

size_t frame_codec_impl::coded_bits(size_t payload_size) const
{
    return frame_coded_bits(d_settings.code, payload_size);
}

std::optional<size_t> frame_codec_impl::payload_size(size_t bits) const
{
    return frame_payload_size(d_settings.code, bits);
}

void frame_codec_impl::set_frame_size(size_t payload_size)
{
    if (d_channel_code && payload_size == d_payload_size) {
        return;
    }
    const size_t bits = coded_bits(payload_size);
    const size_t frame_size = payload_size + check_size;
    d_channel_code = channel_code::make(d_settings.code, 8 * frame_size);
    d_payload_size = payload_size;
    d_coded_bits = bits;
    d_stride = samara_ple_stride(static_cast<uint32_t>(bits));
    d_keystreams.resize(group_size * keystream_size());
    d_bytes.resize(frame_size);
    d_info.resize(8 * frame_size);
    d_coded.resize(bits);
    d_soft.resize(bits);
}

void frame_codec_impl::make_keystreams(const uint64_t* counters, size_t count)
{
    if (d_settings.cipher == frame_cipher::NONE) {
        return;
    }
    const stopwatch watch(d_cipher_time);
    std::array<frame_nonce, group_size> nonces;
    std::array<samara_batch_keystream, group_size> streams;
    for (size_t i = 0; i < count; i++) {
        nonces[i] = make_frame_nonce(
            nonce_domain::KEYSTREAM, d_settings.link, counters[i]);
        streams[i] = { d_key->data(),
                       nonces[i].data(),
                       d_keystreams.data() + i * keystream_size(),
                       d_coded_bits };
    }
    samara_grain128ple_keystream_batch(streams.data(), count);
}

void frame_codec_impl::make_check(const uint8_t* payload,
                                  uint64_t counter,
                                  uint8_t* check)
{
    if (d_settings.check == frame_check::TAG) {
        make_tag(payload, counter, check);
    } else {
        make_crc(payload, d_payload_size, check);
    }
}

// The payload is associated data of an empty message.
void frame_codec_impl::make_tag(const uint8_t* payload,
                                uint64_t counter,
                                uint8_t* tag)
{
    const stopwatch watch(d_cipher_time);
    const frame_nonce nonce =
        make_frame_nonce(nonce_domain::TAG, d_settings.link, counter);
    uint8_t nothing = 0;
    const samara_result result =
        samara_grain128aead_seal_truncated(d_key->data(),
                                           &nothing,
                                           tag,
                                           check_size,
                                           nonce.data(),
                                           payload,
                                           d_payload_size,
                                           &nothing,
                                           0);
    if (result != SAMARA_OK) {
        throw std::logic_error(samara_result_text(result));
    }
}

void frame_codec_impl::add_keystream(size_t frame)
{
    const stopwatch watch(d_cipher_time);
    const uint8_t* keystream = d_keystreams.data() + frame * keystream_size();
    for (size_t i = 0; i < d_coded_bits; i++) {
        d_coded[i] ^= keystream[i / 8] >> i % 8 & 1;
    }
}

void frame_codec_impl::interleave(uint8_t* bits) const
{
    const auto count = static_cast<uint32_t>(d_coded_bits);
    uint32_t place = 0;
    for (const uint8_t bit : d_coded) {
        bits[place] = bit;
        place = samara_ple_next_place(place, d_stride, count);
    }
}

void frame_codec_impl::encode_frame(const uint8_t* payload, uint64_t counter)
{
    std::copy(payload, payload + d_payload_size, d_bytes.begin());
    make_check(payload, counter, d_bytes.data() + d_payload_size);
    unpack(d_bytes.data(), d_bytes.size(), d_info.data());
    d_channel_code->encode(d_info.data(), d_coded.data());
}

void frame_codec_impl::encode(const uint8_t* payloads,
                              size_t payload_size,
                              size_t count,
                              uint64_t first_counter,
                              uint8_t* bits)
{
    // The highest counter is never used, so that there is always a next one.
    if (count > std::numeric_limits<uint64_t>::max() - first_counter) {
        throw std::invalid_argument("the frame counter is at its end");
    }
    const std::lock_guard<std::mutex> guard(d_mutex);
    set_frame_size(payload_size);
    std::array<uint64_t, group_size> counters;
    while (count != 0) {
        const size_t part = std::min(count, group_size);
        std::iota(counters.begin(), counters.end(), first_counter);
        make_keystreams(counters.data(), part);
        for (size_t i = 0; i < part; i++) {
            encode_frame(payloads, counters[i]);
            if (d_settings.cipher == frame_cipher::PLE) {
                add_keystream(i);
            }
            interleave(bits);
            payloads += payload_size;
            bits += d_coded_bits;
        }
        first_counter += part;
        count -= part;
    }
}

// The soft values in the order of the code.
void frame_codec_impl::scale_and_order(const float* soft)
{
    const float scale = scale_of(soft, d_coded_bits);
    const auto count = static_cast<uint32_t>(d_coded_bits);
    uint32_t place = 0;
    for (float& value : d_soft) {
        value = scale * soft[place];
        place = samara_ple_next_place(place, d_stride, count);
    }
}

// The sign is flipped by multiplication with 1 or -1: without a branch.
void frame_codec_impl::flip(size_t frame)
{
    const stopwatch watch(d_cipher_time);
    const uint8_t* keystream = d_keystreams.data() + frame * keystream_size();
    for (size_t i = 0; i < d_coded_bits; i++) {
        const int bit = keystream[i / 8] >> i % 8 & 1;
        d_soft[i] *= static_cast<float>(1 - 2 * bit);
    }
}

bool frame_codec_impl::decode_frame(uint64_t counter, uint8_t* payload)
{
    std::array<uint8_t, check_size> expected;
    d_channel_code->decode(d_soft.data(), d_info.data());
    pack(d_info.data(), d_bytes.size(), d_bytes.data());
    make_check(d_bytes.data(), counter, expected.data());
    std::copy(d_bytes.begin(), d_bytes.end() - check_size, payload);
    return samara_equal(
        expected.data(), d_bytes.data() + d_payload_size, expected.size());
}

void frame_codec_impl::decode_unverified(const float* soft,
                                         size_t payload_size,
                                         size_t count,
                                         const uint64_t* counters,
                                         uint8_t* payloads,
                                         uint8_t* good)
{
    const std::lock_guard<std::mutex> guard(d_mutex);
    set_frame_size(payload_size);
    while (count != 0) {
        const size_t part = std::min(count, group_size);
        make_keystreams(counters, part);
        for (size_t i = 0; i < part; i++) {
            scale_and_order(soft);
            if (d_settings.cipher == frame_cipher::PLE) {
                flip(i);
            }
            good[i] = decode_frame(counters[i], payloads);
            soft += d_coded_bits;
            payloads += payload_size;
        }
        counters += part;
        good += part;
        count -= part;
    }
}

void frame_codec_impl::decode(const float* soft,
                              size_t payload_size,
                              size_t count,
                              const uint64_t* counters,
                              uint8_t* payloads,
                              uint8_t* good)
{
    decode_unverified(soft, payload_size, count, counters, payloads, good);
    for (size_t i = 0; i < count; i++) {
        if (!good[i]) {
            std::fill_n(payloads + i * payload_size, payload_size, 0);
        }
    }
}

double frame_codec_impl::cipher_seconds() const
{
    const std::lock_guard<std::mutex> guard(d_mutex);
    return std::chrono::duration<double>(d_cipher_time).count();
}

} // namespace samara
} // namespace gr
