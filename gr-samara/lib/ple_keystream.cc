/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ple_keystream.h"

#include <algorithm>
#include <array>
#include <samara/memory.h>

namespace gr {
namespace samara {

namespace {

// Bytes of keystream made at a time.
constexpr size_t piece_size = 512;

using piece = std::array<uint8_t, piece_size>;

uint8_t reverse_bits(uint8_t byte)
{
    byte = static_cast<uint8_t>((byte & 0xf0) >> 4 | (byte & 0x0f) << 4);
    byte = static_cast<uint8_t>((byte & 0xcc) >> 2 | (byte & 0x33) << 2);
    return static_cast<uint8_t>((byte & 0xaa) >> 1 | (byte & 0x55) << 1);
}

} // namespace

ple_keystream::ple_keystream(const key& value,
                             const frame_link& link,
                             uint64_t frame)
{
    const frame_nonce nonce =
        make_frame_nonce(nonce_domain::KEYSTREAM, link, frame);
    samara_grain128ple_init(&d_state, value.data(), nonce.data());
}

ple_keystream::~ple_keystream() { samara_grain128ple_wipe(&d_state); }

void ple_keystream::add(bit_format format,
                        const uint8_t* in,
                        uint8_t* out,
                        size_t count)
{
    if (format == bit_format::UNPACKED) {
        add_unpacked(in, out, count);
    } else {
        add_packed(format == bit_format::MSB_FIRST, in, out, count);
    }
}

void ple_keystream::add_unpacked(const uint8_t* in, uint8_t* out, size_t count)
{
    piece bits;
    while (count != 0) {
        const size_t part = std::min(count, 8 * piece_size);
        samara_grain128ple_keystream(&d_state, bits.data(), part);
        for (size_t i = 0; i < part; i++) {
            out[i] = in[i] ^ (bits[i / 8] >> i % 8 & 1);
        }
        in += part;
        out += part;
        count -= part;
    }
    samara_wipe(bits.data(), bits.size());
}

void ple_keystream::add_packed(bool msb_first,
                               const uint8_t* in,
                               uint8_t* out,
                               size_t count)
{
    piece bits;
    while (count != 0) {
        const size_t part = std::min(count, piece_size);
        samara_grain128ple_keystream(&d_state, bits.data(), 8 * part);
        for (size_t i = 0; i < part; i++) {
            out[i] = in[i] ^ (msb_first ? reverse_bits(bits[i]) : bits[i]);
        }
        in += part;
        out += part;
        count -= part;
    }
    samara_wipe(bits.data(), bits.size());
}

void ple_keystream::flip(const float* in, float* out, size_t count)
{
    if (in != out) {
        std::copy(in, in + count, out);
    }
    samara_grain128ple_flip_float32(&d_state, out, count);
}

} // namespace samara
} // namespace gr
