/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_linear_demapper.h"

#include <algorithm>
#include <cmath>

namespace gr {
namespace samara {

namespace {

const float inner = std::sqrt(0.1F); // of 16-QAM, on an axis
const float side = std::sqrt(0.5F);  // of QPSK

// ln cosh(x) to within 0.2: a parabola, and its tangents.
inline float log_cosh(float x)
{
    const float size = std::fabs(x);
    const float inner = std::min(size, 1.0F);
    return inner * (size - inner / 2);
}

// Squared distance from the nearest of the four levels of an axis of 16-QAM.
inline float level_distance(float x)
{
    const float folded = std::fabs(std::fabs(x) - 2 * inner) - inner;
    return folded * folded;
}

float nearest_level(float x)
{
    return std::copysign(std::fabs(x) < 2 * inner ? inner : 3 * inner, x);
}

// Sign and inner level of an axis of 16-QAM, the larger exponent of each sum.
void append_axis(float x, float noise, std::vector<float>& soft)
{
    const float size = std::fabs(x);
    const float sign =
        size < 2 * inner ? 4 * inner * size : 8 * inner * (size - inner);
    soft.push_back(std::copysign(sign, x) / noise);
    soft.push_back(4 * inner * (2 * inner - size) / noise);
}

} // namespace

burst_linear_demapper::burst_linear_demapper(const burst_waveform& waveform)
    : d_waveform(waveform),
      d_period(waveform.modulation() == burst_modulation::BPSK
                   ? phase_grid::size / 2
                   : phase_grid::size / 4)
{
}

bool burst_linear_demapper::known(size_t index, gr_complex& element) const
{
    const auto& preamble = d_waveform.preamble();
    if (index < preamble.size()) {
        element = preamble[index];
        return true;
    }
    const size_t symbol = index - preamble.size();
    if (d_waveform.is_pilot(symbol)) {
        element = burst_waveform::pilot(symbol);
        return true;
    }
    return false;
}

void burst_linear_demapper::likelihoods(const gr_complex* observations,
                                        size_t first,
                                        size_t count,
                                        float noise,
                                        float* logarithms) const
{
    gr_complex product;
    std::array<float, phase_grid::size> sums{};
    for (size_t i = 0; i < count; i++) {
        gr_complex element;
        if (known(first + i, element)) {
            product += observations[i] * std::conj(element);
        } else {
            add_unknown(observations[i], noise, sums.data());
        }
    }
    const float real = 2 * product.real() / noise;
    const float imaginary = 2 * product.imag() / noise;
    for (int i = 0; i < phase_grid::size; i++) {
        logarithms[i] = real * d_grid.cosine[i] + imaginary * d_grid.sine[i] +
                        sums[i % d_period];
    }
}

void burst_linear_demapper::add_unknown(gr_complex observation,
                                        float noise,
                                        float* sums) const
{
    const float x = observation.real();
    const float y = observation.imag();
    const auto real = [&](int i) {
        return x * d_grid.cosine[i] + y * d_grid.sine[i];
    };
    const auto imaginary = [&](int i) {
        return y * d_grid.cosine[i] - x * d_grid.sine[i];
    };
    if (d_waveform.modulation() == burst_modulation::BPSK) {
        const float scale = 2 / noise;
        for (int i = 0; i < phase_grid::size / 2; i++) {
            sums[i] += log_cosh(scale * real(i));
        }
    } else if (d_waveform.modulation() == burst_modulation::QPSK) {
        const float scale = 2 * side / noise;
        for (int i = 0; i < phase_grid::size / 4; i++) {
            sums[i] +=
                log_cosh(scale * real(i)) + log_cosh(scale * imaginary(i));
        }
    } else {
        const float scale = 1 / noise;
        for (int i = 0; i < phase_grid::size / 4; i++) {
            sums[i] -= scale *
                       (level_distance(real(i)) + level_distance(imaginary(i)));
        }
    }
}

gr_complex burst_linear_demapper::nearest(gr_complex observation) const
{
    const float x = observation.real();
    const float y = observation.imag();
    switch (d_waveform.modulation()) {
    case burst_modulation::BPSK:
        return std::copysign(1.0F, x);
    case burst_modulation::QPSK:
        return { std::copysign(side, x), std::copysign(side, y) };
    default:
        return { nearest_level(x), nearest_level(y) };
    }
}

void burst_linear_demapper::decide(const std::vector<gr_complex>& observations,
                                   std::vector<gr_complex>& elements) const
{
    elements.resize(observations.size());
    for (size_t i = 0; i < elements.size(); i++) {
        if (!known(i, elements[i])) {
            elements[i] = nearest(observations[i]);
        }
    }
}

std::vector<float>
burst_linear_demapper::soft_bits(const std::vector<gr_complex>& observations,
                                 float noise) const
{
    std::vector<float> soft;
    soft.reserve(d_waveform.payload_bits());
    for (size_t i = 0; i < d_waveform.payload_symbols(); i++) {
        if (d_waveform.is_pilot(i)) {
            continue;
        }
        const gr_complex value = observations[d_waveform.preamble().size() + i];
        if (d_waveform.modulation() == burst_modulation::BPSK) {
            soft.push_back(4 * value.real() / noise);
        } else if (d_waveform.modulation() == burst_modulation::QPSK) {
            soft.push_back(4 * side * value.real() / noise);
            soft.push_back(4 * side * value.imag() / noise);
        } else {
            append_axis(value.real(), noise, soft);
            append_axis(value.imag(), noise, soft);
        }
    }
    return soft;
}

} // namespace samara
} // namespace gr
