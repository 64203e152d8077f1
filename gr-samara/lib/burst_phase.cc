/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_phase.h"

#include <algorithm>
#include <cmath>
#include <volk/volk.h>

namespace gr {
namespace samara {

namespace {

constexpr float step = 6.28318530718F / phase_grid::size;

// Several at a time, as vector instructions do it.
float highest_of(const float* values)
{
    constexpr int lanes = 8;
    std::array<float, lanes> highest;
    std::copy_n(values, lanes, highest.begin());
    for (int i = lanes; i < phase_grid::size; i += lanes) {
        for (int lane = 0; lane < lanes; lane++) {
            highest[lane] = std::max(highest[lane], values[i + lane]);
        }
    }
    return *std::max_element(highest.begin(), highest.end());
}

// Of each block: how likely each phase is, over the most likely one.
std::vector<float> ratios_of(const std::vector<float>& likelihoods)
{
    std::vector<float> ratios(likelihoods.size());
    for (size_t first = 0; first < ratios.size(); first += phase_grid::size) {
        const float highest = highest_of(&likelihoods[first]);
        for (size_t i = first; i < first + phase_grid::size; i++) {
            ratios[i] = likelihoods[i] - highest;
        }
    }
    volk_32f_exp_32f(
        ratios.data(), ratios.data(), static_cast<unsigned>(ratios.size()));
    return ratios;
}

// Weighs by how likely each is, and lets the sum be 1.
void weigh(std::array<float, phase_grid::size>& values, const float* ratios)
{
    for (int i = 0; i < phase_grid::size; i++) {
        // Whatever happens, nothing becomes impossible.
        values[i] = values[i] * ratios[i] + 1e-12F;
    }
    float sum = 0;
    volk_32f_accumulator_s32f(&sum, values.data(), phase_grid::size);
    const float scale = 1 / sum;
    for (float& value : values) {
        value *= scale;
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
    distribution to;
    for (int i = 0; i < phase_grid::size; i++) {
        to[i] = d_kernel[reach] * round[i + reach];
    }
    // Both sides of the kernel are alike.
    for (int j = 0; j < reach; j++) {
        for (int i = 0; i < phase_grid::size; i++) {
            to[i] += d_kernel[j] * (round[i + j] + round[i + 2 * reach - j]);
        }
    }
    return to;
}

float phase_smoother::mean(const distribution& one,
                           const distribution& other) const
{
    distribution weights;
    for (int i = 0; i < phase_grid::size; i++) {
        weights[i] = one[i] * other[i];
    }
    float real = 0;
    float imaginary = 0;
    volk_32f_x2_dot_prod_32f(
        &real, weights.data(), d_grid.cosine.data(), phase_grid::size);
    volk_32f_x2_dot_prod_32f(
        &imaginary, weights.data(), d_grid.sine.data(), phase_grid::size);
    return std::atan2(imaginary, real);
}

std::vector<float>
phase_smoother::smooth(const std::vector<float>& likelihoods) const
{
    const size_t blocks = likelihoods.size() / phase_grid::size;
    const std::vector<float> ratios = ratios_of(likelihoods);
    std::vector<distribution> forward(blocks);
    distribution state;
    state.fill(1);
    for (size_t i = 0; i < blocks; i++) {
        weigh(state, &ratios[i * phase_grid::size]);
        forward[i] = state;
        state = move(state);
    }
    std::vector<float> phases(blocks);
    state.fill(1);
    for (size_t i = blocks; i-- > 0;) {
        phases[i] = mean(forward[i], state);
        weigh(state, &ratios[i * phase_grid::size]);
        state = move(state);
    }
    return phases;
}

} // namespace samara
} // namespace gr
