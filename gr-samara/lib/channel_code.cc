/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "channel_code.h"

#include <algorithm>
#include <cmath>
#include <gnuradio/fec/cc_decoder.h>
#include <gnuradio/fec/cc_encoder.h>
#include <gnuradio/fec/polar_decoder_sc.h>
#include <gnuradio/fec/polar_encoder.h>
#include <numeric>
#include <stdexcept>
#include <vector>
#include <volk/volk_alloc.hh>

namespace gr {
namespace samara {

namespace {

constexpr int cc_constraint = 7;
constexpr int cc_rate = 2;
const std::vector<int> cc_polynomials{ 109, 79 };

// Bits that a decoder goes around before and after a frame: ten constraint
// lengths.
constexpr size_t around = 10 * cc_constraint;

// The decoder takes 0 for a sure 0 to 255 for a sure 1; GNU Radio's gr-fec
// blocks use the same step.
uint8_t quantise(float soft)
{
    constexpr float step = 48.0f;
    // In this order a NaN becomes a number.
    const float value = std::min(127.0f, std::max(-127.0f, step * soft));
    return static_cast<uint8_t>(128.5f + value);
}

class uncoded : public channel_code
{
public:
    explicit uncoded(size_t info_bits) : d_size(info_bits) {}

    void encode(const uint8_t* info, uint8_t* coded) override
    {
        std::copy(info, info + d_size, coded);
    }

    void decode(const float* soft, uint8_t* info) override
    {
        std::transform(
            soft, soft + d_size, info, [](float value) { return value > 0; });
    }

private:
    const size_t d_size;
};

class convolutional : public channel_code
{
public:
    explicit convolutional(size_t info_bits)
        : d_encoder(fec::code::cc_encoder::make(static_cast<int>(info_bits),
                                                cc_constraint,
                                                cc_rate,
                                                cc_polynomials,
                                                0,
                                                CC_TERMINATED)),
          d_decoder(fec::code::cc_decoder::make(static_cast<int>(info_bits),
                                                cc_constraint,
                                                cc_rate,
                                                cc_polynomials,
                                                0,
                                                0,
                                                CC_TERMINATED)),
          d_quantised(coded_bits(frame_code::CONVOLUTIONAL, info_bits))
    {
    }

    void encode(const uint8_t* info, uint8_t* coded) override
    {
        // It only reads; its interface is older than const.
        d_encoder->generic_work(const_cast<uint8_t*>(info), coded);
    }

    void decode(const float* soft, uint8_t* info) override
    {
        std::transform(
            soft, soft + d_quantised.size(), d_quantised.begin(), quantise);
        d_decoder->generic_work(d_quantised.data(), info);
    }

private:
    const fec::generic_encoder::sptr d_encoder;
    const fec::generic_decoder::sptr d_decoder;
    volk::vector<uint8_t> d_quantised;
};

/*!
 * A code whose first state is its last one, so that nothing terminates it.
 *
 * The decoder goes around: the soft values of the end stand before the
 * beginning, and those of the beginning behind the end. What it begins with
 * is forgotten after some ten constraint lengths. Source: Ma and Wolf, On Tail
 * Biting Convolutional Codes, IEEE Transactions on Communications 34(2), 1986.
 */
class tailbiting : public channel_code
{
public:
    explicit tailbiting(size_t info_bits)
        : d_info_bits(info_bits),
          d_encoder(fec::code::cc_encoder::make(static_cast<int>(info_bits),
                                                cc_constraint,
                                                cc_rate,
                                                cc_polynomials,
                                                0,
                                                CC_TAILBITING)),
          d_decoder(fec::code::cc_decoder::make(
              static_cast<int>(info_bits + 2 * around),
              cc_constraint,
              cc_rate,
              cc_polynomials,
              0,
              -1,
              CC_TAILBITING)),
          d_quantised(cc_rate * (info_bits + 2 * around)),
          d_decoded(info_bits + 2 * around)
    {
    }

    void encode(const uint8_t* info, uint8_t* coded) override
    {
        d_encoder->generic_work(const_cast<uint8_t*>(info), coded);
    }

    void decode(const float* soft, uint8_t* info) override
    {
        const size_t size = cc_rate * d_info_bits;
        // Short frames go around more than once.
        size_t from = (size - cc_rate * around % size) % size;
        for (uint8_t& value : d_quantised) {
            value = quantise(soft[from]);
            from = from + 1 == size ? 0 : from + 1;
        }
        d_decoder->generic_work(d_quantised.data(), d_decoded.data());
        std::copy_n(d_decoded.begin() + static_cast<ptrdiff_t>(around),
                    d_info_bits,
                    info);
    }

private:
    const size_t d_info_bits;
    const fec::generic_encoder::sptr d_encoder;
    const fec::generic_decoder::sptr d_decoder;
    volk::vector<uint8_t> d_quantised;
    volk::vector<uint8_t> d_decoded;
};

/*!
 * The positions that carry no information: those with the highest Bhattacharyya
 * bounds at a design SNR of 0 dB (Vangala, Viterbi, Hong, "A Comparative Study
 * of Polar Code Constructions for the AWGN Channel", 2015, PCC-0), in
 * logarithms, because the bounds of long blocks are too small for a double.
 */
std::vector<int> frozen_positions(size_t block_bits, size_t info_bits)
{
    std::vector<double> log_bounds{ -1.0 };
    while (log_bounds.size() < block_bits) {
        std::vector<double> split;
        for (const double bound : log_bounds) {
            split.push_back(bound + std::log(2.0 - std::exp(bound)));
            split.push_back(2.0 * bound);
        }
        log_bounds.swap(split);
    }
    std::vector<int> order(block_bits);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int left, int right) {
        return log_bounds[left] > log_bounds[right];
    });
    order.resize(block_bits - info_bits);
    std::sort(order.begin(), order.end());
    return order;
}

class polar : public channel_code
{
public:
    explicit polar(size_t info_bits)
    {
        const size_t block_bits = coded_bits(frame_code::POLAR, info_bits);
        const auto block = static_cast<int>(block_bits);
        const auto info = static_cast<int>(info_bits);
        const std::vector<int> frozen = frozen_positions(block_bits, info_bits);
        const std::vector<uint8_t> values(frozen.size(), 0);
        d_encoder =
            fec::code::polar_encoder::make(block, info, frozen, values, false);
        d_decoder =
            fec::code::polar_decoder_sc::make(block, info, frozen, values);
    }

    void encode(const uint8_t* info, uint8_t* coded) override
    {
        d_encoder->generic_work(const_cast<uint8_t*>(info), coded);
    }

    void decode(const float* soft, uint8_t* info) override
    {
        d_decoder->generic_work(const_cast<float*>(soft), info);
    }

private:
    fec::generic_encoder::sptr d_encoder;
    fec::generic_decoder::sptr d_decoder;
};

size_t polar_block(size_t info_bits)
{
    size_t block = 2;
    while (block < 2 * info_bits) {
        block *= 2;
    }
    return block;
}

} // namespace

size_t channel_code::coded_bits(frame_code code, size_t info_bits)
{
    switch (code) {
    case frame_code::NONE:
        return info_bits;
    case frame_code::CONVOLUTIONAL:
        return cc_rate * (info_bits + cc_constraint - 1);
    case frame_code::POLAR:
        return polar_block(info_bits);
    case frame_code::TAILBITING:
        return cc_rate * info_bits;
    }
    throw std::invalid_argument("there is no such channel code");
}

channel_code::uptr channel_code::make(frame_code code, size_t info_bits)
{
    switch (code) {
    case frame_code::NONE:
        return std::make_unique<uncoded>(info_bits);
    case frame_code::CONVOLUTIONAL:
        return std::make_unique<convolutional>(info_bits);
    case frame_code::POLAR:
        return std::make_unique<polar>(info_bits);
    case frame_code::TAILBITING:
        return std::make_unique<tailbiting>(info_bits);
    }
    throw std::invalid_argument("there is no such channel code");
}

size_t frame_coded_bits(frame_code code, size_t payload_size)
{
    if (payload_size > frame_codec::max_payload) {
        throw std::invalid_argument("a frame has at most " +
                                    std::to_string(frame_codec::max_payload) +
                                    " bytes of payload");
    }
    return channel_code::coded_bits(
        code, 8 * (payload_size + frame_codec::check_size));
}

// The bits grow with the payload: a search by halves.
std::optional<size_t> frame_payload_size(frame_code code, size_t bits)
{
    size_t low = 0;
    size_t high = frame_codec::max_payload;
    while (low < high) {
        const size_t middle = (low + high + 1) / 2;
        if (frame_coded_bits(code, middle) <= bits) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return frame_coded_bits(code, low) == bits ? std::make_optional(low)
                                               : std::nullopt;
}

} // namespace samara
} // namespace gr
