/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_FRAME_CODEC_IMPL_H
#define INCLUDED_SAMARA_FRAME_CODEC_IMPL_H

#include "channel_code.h"
#include "frame_settings.h"
#include "key.h"
#include <chrono>
#include <mutex>
#include <samara/batch.h>
#include <vector>

namespace gr {
namespace samara {

class frame_codec_impl : public frame_codec
{
public:
    frame_codec_impl(const frame_settings& settings,
                     const std::optional<key>& value);

    frame_code code() const override { return d_settings.code; }
    frame_check check() const override { return d_settings.check; }
    size_t coded_bits(size_t payload_size) const override;
    std::optional<size_t> payload_size(size_t coded_bits) const override;

    void encode(const uint8_t* payloads,
                size_t payload_size,
                size_t count,
                uint64_t first_counter,
                uint8_t* bits) override;
    void decode(const float* soft,
                size_t payload_size,
                size_t count,
                const uint64_t* counters,
                uint8_t* payloads,
                uint8_t* good) override;
    void decode_unverified(const float* soft,
                           size_t payload_size,
                           size_t count,
                           const uint64_t* counters,
                           uint8_t* payloads,
                           uint8_t* good) override;
    double cipher_seconds() const override;

private:
    void set_frame_size(size_t payload_size);
    void make_keystreams(const uint64_t* counters, size_t count);
    void make_check(const uint8_t* payload, uint64_t counter, uint8_t* check);
    void make_tag(const uint8_t* payload, uint64_t counter, uint8_t* tag);
    void encode_frame(const uint8_t* payload, uint64_t counter);
    bool decode_frame(uint64_t counter, uint8_t* payload);
    void add_keystream(size_t frame);
    void interleave(uint8_t* bits) const;
    void scale_and_order(const float* soft);
    void flip(size_t frame);

    const frame_settings d_settings;
    const std::optional<key> d_key;

    mutable std::mutex d_mutex; // for all that follows

    std::chrono::steady_clock::duration d_cipher_time{};

    // Of frames of the size handled last.
    channel_code::uptr d_channel_code;
    size_t d_payload_size = 0;
    size_t d_coded_bits = 0;
    uint32_t d_stride = 1; // of the bits' order on the air

    std::vector<uint8_t> d_keystreams; // packed, of a group of frames
    std::vector<uint8_t> d_bytes;      // of one frame: payload and check
    std::vector<uint8_t> d_info;       // its bits
    std::vector<uint8_t> d_coded;      // its coded bits, in the code's order
    std::vector<float> d_soft;         // its soft values, decrypted

    size_t keystream_size() const { return (d_coded_bits + 7) / 8; }
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_FRAME_CODEC_IMPL_H */
