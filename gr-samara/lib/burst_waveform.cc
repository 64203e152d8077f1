/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_waveform.h"

#include <cmath>
#include <stdexcept>

namespace gr {
namespace samara {

namespace {

constexpr float pi = 3.14159265358979F;
constexpr float roll_off = 0.35F;

// Root-raised-cosine, time in symbols; its two removable poles by their limits.
float root_raised_cosine(float time)
{
    const float a = roll_off;
    if (std::fabs(time) < 1e-4F) {
        return 1 - a + 4 * a / pi;
    }
    const float pole = 1 - 16 * a * a * time * time;
    if (std::fabs(pole) < 1e-3F) {
        return a / std::sqrt(2.0F) *
               ((1 + 2 / pi) * std::sin(pi / (4 * a)) +
                (1 - 2 / pi) * std::cos(pi / (4 * a)));
    }
    return (std::sin(pi * time * (1 - a)) +
            4 * a * time * std::cos(pi * time * (1 + a))) /
           (pi * time * pole);
}

float half_sine(float time)
{
    return std::fabs(time) < 0.5F ? std::cos(pi * time) : 0.0F;
}

// The 2^9 - 1 states of x^9 + x^4 + 1 from a given one on, a bit each.
class shift_register
{
public:
    explicit shift_register(unsigned state) : d_state(state) {}

    bool next()
    {
        const bool bit = d_state & 1U;
        const unsigned feedback = (d_state ^ (d_state >> 4U)) & 1U;
        d_state = (d_state >> 1U) | (feedback << 8U);
        return bit;
    }

private:
    unsigned d_state;
};

gr_complex diagonal(bool real, bool imaginary)
{
    const float side = std::sqrt(0.5F);
    return { real ? side : -side, imaginary ? side : -side };
}

std::vector<gr_complex> linear_preamble()
{
    shift_register bits(0x1ff);
    std::vector<gr_complex> symbols;
    for (int i = 0; i < burst_waveform::preamble_symbols; i++) {
        const bool real = bits.next();
        symbols.push_back(diagonal(real, bits.next()));
    }
    return symbols;
}

// Eight symbols 0 and the start-of-frame delimiter 0xa7, low half first:
// IEEE 802.15.4-2020, 12.1.
std::vector<gr_complex> spread_preamble()
{
    std::vector<gr_complex> elements;
    for (const int symbol : { 0, 0, 0, 0, 0, 0, 0, 0, 0x7, 0xa }) {
        const auto& row = burst_waveform::chip_rows()[symbol];
        elements.insert(elements.end(), row.begin(), row.end());
    }
    return elements;
}

std::vector<std::vector<gr_complex>> make_chip_rows()
{
    // Chips of symbol 0, IEEE 802.15.4-2020, table 12-1. Symbols 1 to 7 are it,
    // turned right by 4 chips each; 8 to 15 have the odd chips inverted.
    const char first[] = "11011001110000110101001000101110";
    constexpr int chips = burst_waveform::chips;
    std::vector<std::vector<gr_complex>> rows(16);
    for (int symbol = 0; symbol < 16; symbol++) {
        for (int i = 0; i < chips; i++) {
            const bool bit =
                first[(i - 4 * (symbol % 8) + chips) % chips] == '1';
            const float sign = bit != (symbol >= 8 && i % 2 == 1) ? 1 : -1;
            rows[symbol].push_back(i % 2 == 0 ? gr_complex(sign, 0)
                                              : gr_complex(0, sign));
        }
    }
    return rows;
}

} // namespace

burst_waveform::burst_waveform(burst_modulation modulation, size_t payload_bits)
    : d_modulation(modulation),
      d_mapping(row_of(modulation).mapping),
      d_bits_per_symbol(row_of(modulation).info.bits_per_symbol),
      d_payload_bits(payload_bits)
{
    if (payload_bits == 0 || payload_bits > 1U << 20U ||
        payload_bits % bits_per_symbol() != 0) {
        throw std::invalid_argument("payload_bits must be a multiple of " +
                                    std::to_string(bits_per_symbol()) +
                                    " from 1 to 1048576");
    }
    d_pulse_scale = 1 / std::sqrt(autocorrelation(0));
    d_preamble = spread() ? spread_preamble() : linear_preamble();
}

size_t burst_waveform::payload_symbols() const
{
    const size_t data = d_payload_bits / bits_per_symbol();
    if (spread()) {
        return data;
    }
    const size_t pilots = (data + pilot_period - 2) / (pilot_period - 1);
    return data + pilots;
}

size_t burst_waveform::preamble_observations() const
{
    return d_preamble.size();
}

size_t burst_waveform::observations() const
{
    return d_preamble.size() + payload_symbols() * (spread() ? chips : 1);
}

size_t burst_waveform::samples() const
{
    const size_t last_tick = (observations() - 1) * stride();
    return last_tick * samples_per_tick + 2 * half_span() + 1;
}

float burst_waveform::rms() const
{
    return 1 / std::sqrt(static_cast<float>(stride() * samples_per_tick));
}

float burst_waveform::pulse(float time) const
{
    return d_pulse_scale *
           (spread() ? half_sine(time) : root_raised_cosine(time));
}

float burst_waveform::autocorrelation(float time) const
{
    float sum = 0;
    for (int i = -half_span(); i <= half_span(); i++) {
        const float t = static_cast<float>(i) / samples_per_symbol;
        sum += pulse(t) * pulse(t - time);
    }
    return sum;
}

std::vector<gr_complex> burst_waveform::preamble_samples() const
{
    const int step = stride() * samples_per_tick;
    const int last = static_cast<int>(d_preamble.size() - 1) * step;
    std::vector<gr_complex> samples(last + 1);
    for (int i = 0; i <= last; i++) {
        for (int at = 0; at <= last; at += step) {
            if (std::abs(i - at) <= half_span()) {
                const float time = static_cast<float>(i - at);
                samples[i] +=
                    d_preamble[at / step] * pulse(time / samples_per_symbol);
            }
        }
    }
    return samples;
}

std::vector<gr_complex> burst_waveform::preamble_ticks() const
{
    const int count = static_cast<int>(d_preamble.size()) * stride();
    std::vector<gr_complex> ticks(count);
    for (int tick = 0; tick < count; tick++) {
        for (int i = 0; i < count; i += stride()) {
            if (std::abs(tick - i) * samples_per_tick < 2 * half_span()) {
                ticks[tick] += d_preamble[i / stride()] *
                               autocorrelation(0.5F * (tick - i));
            }
        }
    }
    return ticks;
}

gr_complex burst_waveform::pilot(size_t symbol)
{
    const size_t i = symbol / pilot_period;
    return diagonal(i % 2 == 0, i / 2 % 2 == 0);
}

const std::vector<std::vector<gr_complex>>& burst_waveform::chip_rows()
{
    static const auto rows = make_chip_rows();
    return rows;
}

} // namespace samara
} // namespace gr
