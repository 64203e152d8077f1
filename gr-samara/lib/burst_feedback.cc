/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_feedback.h"

#include <algorithm>
#include <cmath>
#include <volk/volk.h>

namespace gr {
namespace samara {

namespace {

// An echo's product with the symbol that it is of is so many times as strong as
// noise makes it: by chance in one burst of 1000.
constexpr float significant = 10;

// Phase: how far it wanders from symbol to symbol, and how little is known of
// it when the burst begins, variances.
constexpr float wander = 0.02F * 0.02F;
constexpr float at_first = 0.01F;

} // namespace

burst_feedback::burst_feedback(const burst_waveform& waveform, int reach)
    : d_waveform(waveform), d_demapper(d_waveform), d_reach(reach)
{
}

bool burst_feedback::fit(const gr_complex* ticks, const burst_fit& linear)
{
    if (!has_echoes(ticks, linear)) {
        return false;
    }
    const auto found = fit_taps_with_past(
        d_waveform.preamble(), ticks, d_waveform.stride(), d_reach, past);
    if (found.evidence <= linear.evidence) {
        return false;
    }
    // What least squares give is too small by just the error.
    const float signal = std::max(1 - found.error, 1e-3F);
    d_noise = found.error / signal;
    const auto middle = found.taps.begin() + 2 * d_reach + 1;
    d_forward.assign(found.taps.begin(), middle);
    d_backward.assign(middle, found.taps.end());
    std::reverse(d_backward.begin(), d_backward.end());
    for (auto* taps : { &d_forward, &d_backward }) {
        for (gr_complex& tap : *taps) {
            tap /= signal;
        }
    }
    d_latest = latest_echo();
    return true;
}

// Noise alone moves a tap by the noise over the symbols of the preamble.
int burst_feedback::latest_echo() const
{
    const auto count = static_cast<float>(d_waveform.preamble().size());
    const auto oldest = std::find_if(
        d_backward.begin(), d_backward.end(), [&](const gr_complex& tap) {
            return std::norm(tap) > significant * d_noise / count;
        });
    return static_cast<int>(d_backward.end() - oldest);
}

// Whether what the linear equaliser leaves has anything of the symbols before.
bool burst_feedback::has_echoes(const gr_complex* ticks,
                                const burst_fit& linear) const
{
    const auto& preamble = d_waveform.preamble();
    const size_t count = preamble.size();
    std::vector<gr_complex> left(count);
    float energy = 0;
    for (size_t i = 0; i < count; i++) {
        volk_32fc_x2_dot_prod_32fc(&left[i],
                                   ticks + i * d_waveform.stride(),
                                   linear.taps.data(),
                                   2 * d_reach + 1);
        left[i] -= preamble[i];
        energy += std::norm(left[i]);
    }
    for (size_t lag = 1; lag <= past; lag++) {
        gr_complex product;
        volk_32fc_x2_conjugate_dot_prod_32fc(
            &product,
            &left[lag],
            preamble.data(),
            static_cast<unsigned>(count - lag));
        if (std::norm(product) > significant * energy) {
            return true;
        }
    }
    return false;
}

void burst_feedback::equalise(const gr_complex* ticks,
                              std::vector<gr_complex>& observations) const
{
    const size_t count = observations.size();
    std::vector<gr_complex> decided(past + count);
    gr_complex turn = 1;
    float doubt = at_first;
    for (size_t i = 0; i < count; i++) {
        gr_complex heard;
        gr_complex echoes;
        volk_32fc_x2_dot_prod_32fc(&heard,
                                   ticks + i * d_waveform.stride(),
                                   d_forward.data(),
                                   2 * d_reach + 1);
        volk_32fc_x2_dot_prod_32fc(
            &echoes, &decided[i], d_backward.data(), past);
        const gr_complex own = heard * std::conj(turn) + echoes;
        const gr_complex symbol = d_demapper.expected(i, own, d_noise);
        decided[past + i] = symbol;
        observations[i] = own * turn;
        // A Kalman filter of the phase.
        doubt += wander;
        const float certain = 2 * std::norm(symbol) * doubt / d_noise;
        const float error = std::imag(own * std::conj(symbol)) /
                            std::max(std::norm(symbol), 1e-3F);
        turn *= std::polar(1.0F, error * certain / (1 + certain));
        doubt /= 1 + certain;
    }
}

} // namespace samara
} // namespace gr
