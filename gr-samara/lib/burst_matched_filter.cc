/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_matched_filter.h"

#include "burst_lanes.h"
#include <cstdint>
#include <volk/volk.h>

namespace gr {
namespace samara {

namespace {

// The half-sine has so many taps, too few for a call of VOLK.
constexpr int few_taps = 5;

// No position is so many steps before number 0: what is rounded is positive.
constexpr int64_t origin = int64_t(1) << 32U;

inline gr_complex product_of_few(const gr_complex* samples, const float* taps)
{
    pair_lanes sum = as_lanes(samples[0]) * taps[0];
    for (int i = 1; i < few_taps; i++) {
        sum += as_lanes(samples[i]) * taps[i];
    }
    return as_complex(sum);
}

} // namespace

burst_matched_filter::burst_matched_filter(const burst_waveform& waveform)
    : d_half_span(waveform.half_span()),
      d_size(2 * d_half_span + 1),
      d_row((d_size + 15) / 16 * 16),
      d_taps(steps * d_row)
{
    for (int step = 0; step < steps; step++) {
        for (int i = -d_half_span; i <= d_half_span; i++) {
            const float time =
                static_cast<float>(i) - static_cast<float>(step) / steps;
            if (time >= static_cast<float>(-d_half_span)) {
                d_taps[step * d_row + i + d_half_span] =
                    waveform.pulse(time / burst_waveform::samples_per_symbol);
            }
        }
    }
}

inline gr_complex burst_matched_filter::product(const gr_complex* samples,
                                                int step) const
{
    const float* taps = &d_taps[step * d_row];
    if (d_size == few_taps) {
        return product_of_few(samples, taps);
    }
    gr_complex sum;
    volk_32fc_32f_dot_prod_32fc(&sum, samples, taps, d_size);
    return sum;
}

void burst_matched_filter::ticks(const gr_complex* samples,
                                 double start,
                                 double step,
                                 size_t count,
                                 gr_complex* output) const
{
    const gr_complex* first = samples - d_half_span;
    for (size_t i = 0; i < count; i++) {
        const double position = start + static_cast<double>(i) * step;
        const auto place =
            static_cast<int64_t>(position * steps + 0.5 + origin);
        const int64_t whole = place / steps - origin / steps;
        output[i] = product(first + whole, static_cast<int>(place % steps));
    }
}

} // namespace samara
} // namespace gr
