/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_spread_demapper.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <volk/volk.h>

namespace gr {
namespace samara {

namespace {

constexpr int chips = burst_waveform::chips;

} // namespace

burst_spread_demapper::burst_spread_demapper(const burst_waveform& waveform)
    : d_waveform(waveform)
{
    for (int row = 0; row < rotations; row++) {
        for (int i = 0; i < chips; i++) {
            const gr_complex chip = burst_waveform::chip_rows()[row][i];
            d_signs[i][row / 4][row % 4] =
                i % 2 == 0 ? chip.real() : chip.imag();
        }
    }
}

// Even chips are real, odd ones imaginary. The second half of the rows is the
// first one with the odd chips inverted, so the products of both halves are sum
// and difference of the same two.
burst_spread_demapper::products
burst_spread_demapper::correlate(const gr_complex* observations) const
{
    products found;
    for (int four = 0; four < rotations / 4; four++) {
        lanes even_real{};
        lanes even_imaginary{};
        lanes odd_real{};
        lanes odd_imaginary{};
        for (int i = 0; i < chips; i += 2) {
            even_real += d_signs[i][four] * observations[i].real();
            even_imaginary += d_signs[i][four] * observations[i].imag();
            odd_real += d_signs[i + 1][four] * observations[i + 1].imag();
            odd_imaginary -= d_signs[i + 1][four] * observations[i + 1].real();
        }
        float* real = &found.real[4 * four];
        float* imaginary = &found.imaginary[4 * four];
        store(even_real + odd_real, real);
        store(even_real - odd_real, real + rotations);
        store(even_imaginary + odd_imaginary, imaginary);
        store(even_imaginary - odd_imaginary, imaginary + rotations);
    }
    return found;
}

// Noise has the same variance at each chip, and the row that was sent gives the
// sum of their energies: the likelihood of a row is 2 * its product / noise.
void burst_spread_demapper::likelihoods(const gr_complex* observations,
                                        size_t first,
                                        size_t /* count: never less */,
                                        float noise,
                                        float* logarithms) const
{
    const size_t known = d_waveform.preamble().size();
    const float scale = 2 / noise;
    std::array<float, phase_grid::size> highest;
    highest.fill(-std::numeric_limits<float>::infinity());
    products found;
    int count = rows;
    if (first < known) {
        gr_complex product;
        volk_32fc_x2_conjugate_dot_prod_32fc(
            &product, observations, &d_waveform.preamble()[first], chips);
        found.real[0] = product.real();
        found.imaginary[0] = product.imag();
        count = 1;
    } else {
        found = correlate(observations);
    }
    for (int row = 0; row < count; row++) {
        const float x = scale * found.real[row];
        const float y = scale * found.imaginary[row];
        for (int i = 0; i < phase_grid::size; i++) {
            highest[i] =
                std::max(highest[i], x * d_grid.cosine[i] + y * d_grid.sine[i]);
        }
    }
    std::copy(highest.begin(), highest.end(), logarithms);
}

void burst_spread_demapper::decide(const std::vector<gr_complex>& observations,
                                   std::vector<gr_complex>& elements) const
{
    elements = d_waveform.preamble();
    elements.resize(std::min(elements.size(), observations.size()));
    while (elements.size() < observations.size()) {
        const products found = correlate(&observations[elements.size()]);
        const auto best =
            std::max_element(found.real.begin(), found.real.end());
        const auto& row =
            burst_waveform::chip_rows()[best - found.real.begin()];
        elements.insert(elements.end(), row.begin(), row.end());
    }
}

std::vector<float>
burst_spread_demapper::soft_bits(const std::vector<gr_complex>& observations,
                                 const std::vector<float>& noise) const
{
    std::vector<float> soft;
    soft.reserve(d_waveform.payload_bits());
    for (size_t i = d_waveform.preamble().size(); i < observations.size();
         i += chips) {
        const products found = correlate(&observations[i]);
        for (unsigned bit = 0; bit < 4; bit++) {
            float best[2] = { -std::numeric_limits<float>::max(),
                              -std::numeric_limits<float>::max() };
            for (unsigned row = 0; row < rows; row++) {
                float& value = best[(row >> bit) & 1U];
                value = std::max(value, found.real[row]);
            }
            soft.push_back(2 * (best[1] - best[0]) / noise[i / chips]);
        }
    }
    return soft;
}

} // namespace samara
} // namespace gr
