/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_matched_filter.h"

#include <cmath>
#include <volk/volk.h>

namespace gr {
namespace samara {

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

gr_complex burst_matched_filter::at(const gr_complex* samples,
                                    double fraction) const
{
    int step = static_cast<int>(std::lround(fraction * steps));
    if (step == steps) {
        samples++;
        step = 0;
    }
    gr_complex sum;
    volk_32fc_32f_dot_prod_32fc(
        &sum, samples + 1, &d_taps[step * d_row], d_size);
    return sum;
}

void burst_matched_filter::ticks(const gr_complex* samples,
                                 double start,
                                 double step,
                                 size_t count,
                                 gr_complex* output) const
{
    for (size_t i = 0; i < count; i++) {
        const double position = start + static_cast<double>(i) * step;
        const double whole = std::floor(position);
        output[i] = at(samples + static_cast<ptrdiff_t>(whole) - reach(),
                       position - whole);
    }
}

} // namespace samara
} // namespace gr
