/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_phase.h"

#include <algorithm>
#include <cmath>

namespace gr {
namespace samara {

namespace {

constexpr float step = 6.28318530718F / phase_grid::size;

// Weighs by the likelihoods, and lets the sum be 1.
void weigh(std::array<float, phase_grid::size>& values,
           const float* likelihoods)
{
    const float highest =
        *std::max_element(likelihoods, likelihoods + phase_grid::size);
    float sum = 0;
    for (int i = 0; i < phase_grid::size; i++) {
        values[i] *= std::exp(likelihoods[i] - highest);
        values[i] += 1e-12F; // whatever happens, nothing becomes impossible
        sum += values[i];
    }
    for (float& value : values) {
        value /= sum;
    }
}

} // namespace

phase_grid::phase_grid()
{
    for (int i = 0; i < size; i++) {
        cosine[i] = std::cos(step * static_cast<float>(i));
        sine[i] = std::sin(step * static_cast<float>(i));
    }
}

phase_smoother::phase_smoother(float deviation)
{
    float sum = 0;
    for (int i = -reach; i <= reach; i++) {
        const float way = step * static_cast<float>(i) / deviation;
        d_kernel[i + reach] = std::exp(-0.5F * way * way);
        sum += d_kernel[i + reach];
    }
    for (float& value : d_kernel) {
        value /= sum;
    }
}

phase_smoother::distribution
phase_smoother::move(const distribution& from) const
{
    std::array<float, phase_grid::size + 2 * reach> round;
    std::copy(from.begin(), from.end(), round.begin() + reach);
    std::copy_n(from.end() - reach, reach, round.begin());
    std::copy_n(from.begin(), reach, round.end() - reach);
    distribution to{};
    for (int j = 0; j <= 2 * reach; j++) {
        for (int i = 0; i < phase_grid::size; i++) {
            to[i] += d_kernel[j] * round[i + j];
        }
    }
    return to;
}

float phase_smoother::mean(const distribution& one,
                           const distribution& other) const
{
    float real = 0;
    float imaginary = 0;
    for (int i = 0; i < phase_grid::size; i++) {
        const float weight = one[i] * other[i];
        real += weight * d_grid.cosine[i];
        imaginary += weight * d_grid.sine[i];
    }
    return std::atan2(imaginary, real);
}

std::vector<float>
phase_smoother::smooth(const std::vector<float>& likelihoods) const
{
    const size_t blocks = likelihoods.size() / phase_grid::size;
    std::vector<distribution> forward(blocks);
    distribution state;
    state.fill(1);
    for (size_t i = 0; i < blocks; i++) {
        weigh(state, &likelihoods[i * phase_grid::size]);
        forward[i] = state;
        state = move(state);
    }
    std::vector<float> phases(blocks);
    state.fill(1);
    for (size_t i = blocks; i-- > 0;) {
        phases[i] = mean(forward[i], state);
        weigh(state, &likelihoods[i * phase_grid::size]);
        state = move(state);
    }
    return phases;
}

} // namespace samara
} // namespace gr
