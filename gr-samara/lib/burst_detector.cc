/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_detector.h"

#include "burst_share.h"
#include <algorithm>
#include <cmath>
#include <volk/volk.h>

namespace gr {
namespace samara {

namespace {

// In noise, a share above the threshold has probability exp(-this) at each tick
// and frequency. The estimator looks at what passes, and is stricter.
constexpr float false_alarm_exponent = 11;

// Between two steps of frequency the preamble turns by three quarters of a
// cycle at most: midway, 2 dB are lost.
constexpr double turns_a_step = 0.75;

} // namespace

burst_detector::burst_detector(const burst_waveform& waveform)
    : d_filter(waveform),
      d_length(static_cast<int>(waveform.preamble_observations()) *
               waveform.stride()),
      d_hop(size - d_length - 2 * guard),
      d_step(static_cast<int>(turns_a_step * size / d_length)),
      d_steps(
          static_cast<int>(std::ceil(highest_frequency / 2 * size / d_step))),
      d_forward(size),
      d_backward(size),
      d_ticks(size),
      d_spectrum(size),
      d_reference(size),
      d_energy(size),
      d_power(size),
      d_best(size),
      d_best_step(size)
{
    set_reference(waveform);
}

void burst_detector::set_reference(const burst_waveform& waveform)
{
    const auto ticks = waveform.preamble_ticks();
    d_threshold = false_alarm_exponent * mean_share_of_noise(waveform, ticks);
    // The transforms multiply by the square root of the size each; the share is
    // to come out as it is.
    const float scale = 1 / (std::sqrt(energy(ticks)) * size);
    gr_complex* input = d_forward.get_inbuf();
    std::fill_n(input, size, gr_complex());
    std::transform(ticks.begin(), ticks.end(), input, [scale](gr_complex x) {
        return x * scale;
    });
    d_forward.execute();
    volk_32fc_conjugate_32fc(d_reference.data(), d_forward.get_outbuf(), size);
}

int burst_detector::before() const
{
    return guard * burst_waveform::samples_per_tick + d_filter.reach();
}

int burst_detector::after() const
{
    return (size - guard) * burst_waveform::samples_per_tick + d_filter.reach();
}

std::vector<burst_candidate> burst_detector::search(const gr_complex* samples)
{
    d_filter.ticks(samples,
                   -guard * burst_waveform::samples_per_tick,
                   burst_waveform::samples_per_tick,
                   size,
                   d_ticks.data());
    sum_energy();
    std::copy(d_ticks.begin(), d_ticks.end(), d_forward.get_inbuf());
    d_forward.execute();
    std::copy_n(d_forward.get_outbuf(), size, d_spectrum.begin());
    std::fill(d_best.begin(), d_best.end(), 0.0F);
    for (int step = -d_steps; step <= d_steps; step++) {
        correlate(step);
    }

    // In exact silence beside a burst there is the transforms' rounding.
    const float rounding =
        1e-10F * *std::max_element(d_energy.begin(), d_energy.end());
    std::vector<burst_candidate> candidates;
    for (int tick = guard; tick < guard + d_hop; tick++) {
        if (d_best[tick] > d_threshold * d_energy[tick] + rounding &&
            is_peak(tick)) {
            candidates.push_back(
                { (tick - guard) * burst_waveform::samples_per_tick,
                  2.0 * d_best_step[tick] * d_step / size });
        }
    }
    return candidates;
}

// Sums are taken in double precision, so a strong burst leaves nothing behind
// in the sums after it.
void burst_detector::sum_energy()
{
    double sum = 0;
    for (int i = 0; i < d_length; i++) {
        sum += std::norm(d_ticks[i]);
    }
    for (int i = 0; i + d_length < size; i++) {
        d_energy[i] = static_cast<float>(std::max(sum, 0.0));
        sum += static_cast<double>(std::norm(d_ticks[i + d_length])) -
               std::norm(d_ticks[i]);
    }
}

void burst_detector::correlate(int step)
{
    const int shift = (step * d_step + size) % size;
    gr_complex* product = d_backward.get_inbuf();
    volk_32fc_x2_multiply_32fc(product + shift,
                               d_spectrum.data() + shift,
                               d_reference.data(),
                               size - shift);
    volk_32fc_x2_multiply_32fc(
        product, d_spectrum.data(), d_reference.data() + size - shift, shift);
    d_backward.execute();
    const int count = d_hop + 2 * guard;
    volk_32fc_magnitude_squared_32f(
        d_power.data(), d_backward.get_outbuf(), count);
    for (int i = 0; i < count; i++) {
        d_best_step[i] = d_power[i] > d_best[i] ? step : d_best_step[i];
        d_best[i] = std::max(d_power[i], d_best[i]);
    }
}

// Ties go to the earlier tick, so that there is exactly one peak.
bool burst_detector::is_peak(int tick) const
{
    for (int i = 1; i <= guard; i++) {
        if (d_best[tick - i] >= d_best[tick] ||
            d_best[tick + i] > d_best[tick]) {
            return false;
        }
    }
    return true;
}

} // namespace samara
} // namespace gr
