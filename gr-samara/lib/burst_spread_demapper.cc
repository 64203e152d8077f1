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
}

burst_spread_demapper::products
burst_spread_demapper::correlate(const gr_complex* observations) const
{
    products found;
    for (size_t i = 0; i < found.size(); i++) {
        volk_32fc_x2_conjugate_dot_prod_32fc(
            &found[i],
            observations,
            burst_waveform::chip_rows()[i].data(),
            chips);
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
    std::fill_n(
        logarithms, phase_grid::size, -std::numeric_limits<float>::infinity());
    products found;
    int rows = 1;
    if (first < known) {
        volk_32fc_x2_conjugate_dot_prod_32fc(
            &found[0], observations, &d_waveform.preamble()[first], chips);
    } else {
        found = correlate(observations);
        rows = 16;
    }
    for (int row = 0; row < rows; row++) {
        const float x = scale * found[row].real();
        const float y = scale * found[row].imag();
        for (int i = 0; i < phase_grid::size; i++) {
            logarithms[i] = std::max(logarithms[i],
                                     x * d_grid.cosine[i] + y * d_grid.sine[i]);
        }
    }
}

void burst_spread_demapper::decide(const std::vector<gr_complex>& observations,
                                   std::vector<gr_complex>& elements) const
{
    elements = d_waveform.preamble();
    elements.resize(std::min(elements.size(), observations.size()));
    while (elements.size() < observations.size()) {
        const products found = correlate(&observations[elements.size()]);
        const auto best = std::max_element(
            found.begin(), found.end(), [](gr_complex a, gr_complex b) {
                return a.real() < b.real();
            });
        const auto& row = burst_waveform::chip_rows()[best - found.begin()];
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
            for (unsigned row = 0; row < found.size(); row++) {
                float& value = best[(row >> bit) & 1U];
                value = std::max(value, found[row].real());
            }
            soft.push_back(2 * (best[1] - best[0]) / noise[i / chips]);
        }
    }
    return soft;
}

} // namespace samara
} // namespace gr
