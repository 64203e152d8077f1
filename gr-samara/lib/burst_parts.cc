/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_parts.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <volk/volk.h>

namespace gr {
namespace samara {

namespace {

// Noise makes the parts of a preamble differ; from rays and a drifting phase
// comes at most what is left to the second. Noise may do that much more than it
// does on average.
constexpr float uneven_noise = 2.2F;
constexpr float most_even_needed = 0.8F;

constexpr double two_pi = 6.283185307179586;

} // namespace

burst_parts::burst_parts(const std::vector<gr_complex>& reference)
    : d_reference(reference)
{
    for (int turn = -turns; turn <= turns; turn++) {
        for (int i = 0; i < count; i++) {
            const double angle = -two_pi * turn * i / (8.0 * count);
            d_phases[turn + turns][i] =
                std::polar(1.0F, static_cast<float>(angle));
        }
    }
}

bool burst_parts::are_even(float evenness, float share, float noise_share)
{
    const float noise = count * noise_share * (1 / share - 1);
    return evenness >
           std::min(most_even_needed, 1 / (1 + uneven_noise * noise));
}

// Tick i is of part i * count / ticks.
int burst_parts::first_of(int part) const
{
    const int ticks = static_cast<int>(d_reference.size());
    return (part * ticks + count - 1) / count;
}

burst_parts::row burst_parts::correlate(const gr_complex* ticks) const
{
    row products{};
    for (int i = 0; i < count; i++) {
        const int first = first_of(i);
        volk_32fc_x2_conjugate_dot_prod_32fc(
            &products[i],
            ticks + first,
            &d_reference[first],
            static_cast<unsigned>(first_of(i + 1) - first));
    }
    return products;
}

burst_parts::row burst_parts::turned(row products, int turn) const
{
    for (int i = 0; i < count; i++) {
        products[i] *= d_phases[turn + turns][i];
    }
    return products;
}

float burst_parts::power_at(const row& products, int turn) const
{
    const row back = turned(products, turn);
    return std::norm(std::accumulate(back.begin(), back.end(), gr_complex()));
}

} // namespace samara
} // namespace gr
