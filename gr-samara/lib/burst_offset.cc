/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_offset.h"

#include <complex>

namespace gr {
namespace samara {

namespace {

// exp(-this) is the probability that noise alone passes for an offset.
constexpr double false_alarm_exponent = 6;

constexpr double two_pi = 6.283185307179586;

using complex = std::complex<double>;

} // namespace

burst_offset::burst_offset(const burst_waveform& waveform)
    : d_preamble(waveform.preamble_samples())
{
}

// For samples x and a preamble p on its carrier, both over n samples:
// x = gain p + offset + noise.
gr_complex burst_offset::estimate(const gr_complex* samples,
                                  double frequency) const
{
    const auto count = static_cast<double>(d_preamble.size());
    const complex step = std::polar(
        1.0, two_pi * frequency / burst_waveform::samples_per_symbol);
    complex carrier = 1;
    complex sum;          // of x
    complex preamble_sum; // of p
    complex product;      // of x and the conjugate of p
    double energy = 0;    // of x
    double preamble_energy = 0;
    for (size_t i = 0; i < d_preamble.size(); i++) {
        const complex x(samples[i]);
        const complex p = complex(d_preamble[i]) * carrier;
        sum += x;
        preamble_sum += p;
        product += x * std::conj(p);
        energy += std::norm(x);
        preamble_energy += std::norm(p);
        carrier *= step;
    }
    const double apart = preamble_energy - std::norm(preamble_sum) / count;
    const complex gain =
        (product - sum * std::conj(preamble_sum) / count) / apart;
    const complex offset = (sum - gain * preamble_sum) / count;
    const double without = energy - std::norm(sum) / count;
    const double noise = without - std::norm(gain) * apart;
    return std::norm(offset) * count * count > false_alarm_exponent * noise
               ? gr_complex(offset)
               : gr_complex();
}

} // namespace samara
} // namespace gr
