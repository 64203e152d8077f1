/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_linear_demapper.h"

namespace gr {
namespace samara {

burst_linear_demapper::burst_linear_demapper(const burst_waveform& waveform)
    : d_waveform(waveform),
      d_mapping(d_waveform.mapping()),
      d_period(d_mapping.period())
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

gr_complex burst_linear_demapper::expected(size_t index,
                                           gr_complex observation,
                                           float noise) const
{
    gr_complex element;
    return known(index, element) ? element
                                 : d_mapping.expected(observation, noise);
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
            d_mapping.add_likelihoods(
                observations[i], noise, d_grid, sums.data());
        }
    }
    const float real = 2 * product.real() / noise;
    const float imaginary = 2 * product.imag() / noise;
    for (int i = 0; i < phase_grid::size; i++) {
        logarithms[i] = real * d_grid.cosine[i] + imaginary * d_grid.sine[i] +
                        sums[i % d_period];
    }
}

void burst_linear_demapper::decide(const std::vector<gr_complex>& observations,
                                   std::vector<gr_complex>& elements) const
{
    elements.resize(observations.size());
    for (size_t i = 0; i < elements.size(); i++) {
        if (!known(i, elements[i])) {
            elements[i] = d_mapping.nearest(observations[i]);
        }
    }
}

std::vector<float>
burst_linear_demapper::soft_bits(const std::vector<gr_complex>& observations,
                                 const std::vector<float>& noise) const
{
    std::vector<float> soft;
    soft.reserve(d_waveform.payload_bits());
    for (size_t i = 0; i < d_waveform.payload_symbols(); i++) {
        if (d_waveform.is_pilot(i)) {
            continue;
        }
        const size_t place = d_waveform.preamble().size() + i;
        d_mapping.append_soft_bits(
            observations[place],
            noise[place / d_waveform.block_observations()],
            soft);
    }
    return soft;
}

} // namespace samara
} // namespace gr
