/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_canceller.h"

#include "burst_regression.h"
#include <algorithm>
#include <cmath>
#include <volk/volk.h>

namespace gr {
namespace samara {

namespace {

constexpr int reach = 5;      // taps of the channel to each side, samples
constexpr size_t piece = 256; // samples with one channel
constexpr double two_pi = 6.283185307179586;

} // namespace

burst_canceller::burst_canceller(const burst_waveform& waveform)
    : d_modulator(waveform.modulation(), waveform.payload_bits(), 1),
      d_half_span(waveform.half_span()),
      d_middle(static_cast<double>(waveform.preamble_observations() *
                                   waveform.stride()) /
               2 * burst_waveform::samples_per_tick)
{
}

// With as many zeros on each side as the channel reaches.
std::vector<gr_complex>
burst_canceller::sent(double frequency,
                      const std::vector<gr_complex>& elements) const
{
    const auto samples = d_modulator.shape(elements);
    std::vector<gr_complex> padded(samples.size() + 2 * reach);
    const double step = two_pi * frequency / burst_waveform::samples_per_symbol;
    const gr_complex turn = std::polar(1.0F, static_cast<float>(step));
    gr_complex phase(1, 0);
    volk_32fc_s32fc_x2_rotator_32fc(padded.data() + reach,
                                    samples.data(),
                                    turn,
                                    &phase,
                                    static_cast<unsigned>(samples.size()));
    return padded;
}

void burst_canceller::cancel(gr_complex* samples,
                             const burst_arrival& arrival,
                             double clock,
                             const std::vector<gr_complex>& elements) const
{
    const double fraction = arrival.sample - std::floor(arrival.sample);
    const auto padded = sent(arrival.frequency, elements);
    const size_t size = padded.size() - 2 * reach;
    for (size_t first = 0; first < size; first += piece) {
        const size_t count = std::min(piece, size - first);
        const double middle =
            static_cast<double>(first + count / 2) - d_half_span;
        const double late = fraction + (middle - d_middle) * clock;
        gr_complex* heard = samples + static_cast<ptrdiff_t>(first) -
                            d_half_span + std::lround(late);
        const std::vector<gr_complex> targets(heard, heard + count);
        const auto fit = fit_taps(targets, &padded[first], 1, reach);
        for (size_t i = 0; i < count; i++) {
            gr_complex own;
            volk_32fc_x2_dot_prod_32fc(
                &own, &padded[first + i], fit.taps.data(), 2 * reach + 1);
            heard[i] -= own;
        }
    }
}

} // namespace samara
} // namespace gr
