/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_modulator.h"

#include <cmath>
#include <stdexcept>

namespace gr {
namespace samara {

burst_modulator::burst_modulator(burst_modulation modulation,
                                 size_t payload_bits,
                                 float amplitude)
    : d_waveform(modulation, payload_bits)
{
    if (!std::isfinite(amplitude) || amplitude <= 0) {
        throw std::invalid_argument("amplitude must be above 0");
    }
    const int half_span = d_waveform.half_span();
    for (int i = -half_span; i <= half_span; i++) {
        const float time =
            static_cast<float>(i) / burst_waveform::samples_per_symbol;
        d_taps.push_back(amplitude / d_waveform.rms() * d_waveform.pulse(time));
    }
}

std::vector<gr_complex>
burst_modulator::elements(const std::vector<uint8_t>& bits) const
{
    if (bits.size() != d_waveform.payload_bits()) {
        throw std::invalid_argument(
            "a burst has " + std::to_string(d_waveform.payload_bits()) +
            " bits, not " + std::to_string(bits.size()));
    }
    std::vector<gr_complex> elements = d_waveform.preamble();
    elements.reserve(d_waveform.observations());
    const uint8_t* next = bits.data();
    for (size_t i = 0; i < d_waveform.payload_symbols(); i++) {
        if (d_waveform.is_pilot(i)) {
            elements.push_back(burst_waveform::pilot(i));
            continue;
        }
        if (d_waveform.spread()) {
            const unsigned value = (next[0] & 1U) | (next[1] & 1U) << 1U |
                                   (next[2] & 1U) << 2U | (next[3] & 1U) << 3U;
            const auto& row = burst_waveform::chip_rows()[value];
            elements.insert(elements.end(), row.begin(), row.end());
        } else {
            elements.push_back(d_waveform.mapping().point(next));
        }
        next += d_waveform.bits_per_symbol();
    }
    return elements;
}

std::vector<gr_complex>
burst_modulator::shape(const std::vector<gr_complex>& elements) const
{
    const size_t step = d_waveform.stride() * burst_waveform::samples_per_tick;
    std::vector<gr_complex> samples((elements.size() - 1) * step +
                                    d_taps.size());
    for (size_t i = 0; i < elements.size(); i++) {
        gr_complex* to = &samples[i * step];
        const float real = elements[i].real();
        const float imaginary = elements[i].imag();
        for (size_t j = 0; j < d_taps.size(); j++) {
            to[j] += gr_complex(real * d_taps[j], imaginary * d_taps[j]);
        }
    }
    return samples;
}

std::vector<gr_complex>
burst_modulator::modulate(const std::vector<uint8_t>& bits) const
{
    return shape(elements(bits));
}

} // namespace samara
} // namespace gr
