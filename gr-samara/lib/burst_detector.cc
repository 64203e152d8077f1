/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_detector.h"

#include "burst_evenness.h"
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

// The mean over a stretch of noise is up to a quarter above what it is by
// chance: no more than this is believed of it.
constexpr float background_trusted = 0.8F;

// Between two steps of frequency the preamble turns by three quarters of a
// cycle at most: midway, 2 dB are lost.
constexpr double turns_a_step = 0.75;

// A constant is taken out of a correlation where it may change a share by more
// than this part of the threshold. There is none in most stretches.
constexpr float negligible = 0.01F;

// The same when the parts of the preamble tell the frequency. Half a tick off,
// a share is 0.7 of that which the estimator finds, and in noise less.
constexpr float exponent_of_parts = 13;
constexpr float evenness_left = 0.8F;

constexpr double two_pi = 6.283185307179586;

// What a preamble adds to the shares of all ticks, over its share where it is:
// with DSSS it correlates with itself at each symbol.
float sum_of_autocorrelation(const std::vector<gr_complex>& ticks)
{
    const double all = energy(ticks);
    const int count = static_cast<int>(ticks.size());
    double sum = 0;
    for (int lag = 1 - count; lag < count; lag++) {
        std::complex<double> product;
        for (int i = std::max(lag, 0); i < std::min(count, count + lag); i++) {
            product += std::complex<double>(ticks[i]) *
                       std::conj(std::complex<double>(ticks[i - lag]));
        }
        sum += std::norm(product) / (all * all);
    }
    return static_cast<float>(sum);
}

} // namespace

burst_detector::burst_detector(const burst_waveform& waveform)
    : d_filter(waveform),
      d_parts(waveform.preamble_ticks()),
      d_length(static_cast<int>(waveform.preamble_observations()) *
               waveform.stride()),
      d_hop(size - d_length - 2 * guard),
      d_step(static_cast<int>(turns_a_step * size / d_length)),
      d_steps(
          static_cast<int>(std::ceil(highest_frequency / 2 * size / d_step))),
      d_forward(size),
      d_backward(size),
      d_ticks(size),
      d_window(d_length),
      d_spectrum(size),
      d_reference(size),
      d_means(size),
      d_energy(size),
      d_per_energy(size),
      d_power(size),
      d_best(size),
      d_best_step(size),
      d_background(2 * d_steps + 1)
{
    set_reference(waveform);
}

void burst_detector::set_reference(const burst_waveform& waveform)
{
    const auto ticks = waveform.preamble_ticks();
    d_noise_share = mean_share_of_noise(waveform, ticks);
    d_reference_energy = energy(ticks);
    d_own =
        sum_of_autocorrelation(ticks) / static_cast<float>(d_hop + 2 * guard);
    set_constants(ticks);
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

void burst_detector::set_constants(const std::vector<gr_complex>& ticks)
{
    const double scale = 1 / std::sqrt(static_cast<double>(energy(ticks)));
    for (int step = -d_steps; step <= d_steps; step++) {
        std::complex<double> sum;
        for (size_t i = 0; i < ticks.size(); i++) {
            const double angle =
                two_pi * step * d_step * static_cast<double>(i) / size;
            sum += std::complex<double>(ticks[i]) * std::polar(1.0, angle);
        }
        d_constants.emplace_back(std::conj(sum) * scale);
    }
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

    std::vector<burst_candidate> candidates;
    for (int tick = guard; tick < guard + d_hop; tick++) {
        const int step = d_best_step[tick];
        const float share = d_best[tick] * d_per_energy[tick];
        const float around = d_background[step + d_steps] - d_own * share;
        const float background =
            std::max(d_noise_share, background_trusted * around);
        if (share > false_alarm_exponent * background && is_peak(tick) &&
            has_all_parts(tick, step, background)) {
            candidates.push_back(
                { (tick - guard) * burst_waveform::samples_per_tick,
                  2.0 * step * d_step / size,
                  background });
        }
    }
    return candidates;
}

// Sums are taken in double precision, so a strong burst leaves nothing behind
// in the sums after it.
void burst_detector::sum_energy()
{
    double all = 0;
    std::complex<double> sum;
    double largest = 0;
    for (int i = 0; i < d_length; i++) {
        all += std::norm(d_ticks[i]);
        sum += std::complex<double>(d_ticks[i]);
    }
    for (int i = 0; i + d_length < size; i++) {
        largest = std::max(largest, all);
        d_means[i] = gr_complex(sum / static_cast<double>(d_length));
        d_energy[i] =
            static_cast<float>(std::max(all - std::norm(sum) / d_length, 0.0));
        all += static_cast<double>(std::norm(d_ticks[i + d_length])) -
               std::norm(d_ticks[i]);
        sum += std::complex<double>(d_ticks[i + d_length]) -
               std::complex<double>(d_ticks[i]);
    }
    // In exact silence beside a burst there is the transforms' rounding.
    const auto rounding = static_cast<float>(1e-9 * largest) + 1e-30F;
    d_offset_ratio = 0;
    for (int i = 0; i + d_length < size; i++) {
        d_per_energy[i] = 1 / (d_energy[i] + rounding);
        d_offset_ratio = std::max(
            d_offset_ratio, std::norm(d_means[i]) * d_length * d_per_energy[i]);
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
    take_powers(step);
    const int count = d_hop + 2 * guard;
    float sum = 0;
    volk_32f_x2_dot_prod_32f(&sum, d_power.data(), d_per_energy.data(), count);
    d_background[step + d_steps] = sum / static_cast<float>(count);
    for (int i = 0; i < count; i++) {
        d_best_step[i] = d_power[i] > d_best[i] ? step : d_best_step[i];
        d_best[i] = std::max(d_power[i], d_best[i]);
    }
}

// Of the correlation without what a constant adds to it.
void burst_detector::take_powers(int step)
{
    const int count = d_hop + 2 * guard;
    gr_complex* correlation = d_backward.get_outbuf();
    const gr_complex constant = d_constants[step + d_steps];
    const float share = std::norm(constant) / static_cast<float>(d_length);
    const bool matters = share * d_offset_ratio >
                         negligible * false_alarm_exponent * d_noise_share;
    if (matters) {
        for (int i = 0; i < count; i++) {
            correlation[i] -= constant * d_means[i];
        }
    }
    volk_32fc_magnitude_squared_32f(d_power.data(), correlation, count);
    if (matters) {
        volk_32f_s32f_multiply_32f(
            d_power.data(), d_power.data(), 1 / (1 - share), count);
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

bool burst_detector::has_all_parts(int tick, int step, float background)
{
    const gr_complex mean = d_means[tick];
    for (int i = 0; i < d_length; i++) {
        d_window[i] = d_ticks[tick + i] - mean;
    }
    const double angle = -two_pi * step * d_step / size;
    const gr_complex turn = std::polar(1.0F, static_cast<float>(angle));
    gr_complex phase(1, 0);
    volk_32fc_s32fc_x2_rotator_32fc(d_window.data(),
                                    d_window.data(),
                                    turn,
                                    &phase,
                                    static_cast<unsigned>(d_length));
    const auto products = d_parts.correlate(d_window.data());
    int best = 0;
    float most = 0;
    for (int i = -burst_parts::turns; i <= burst_parts::turns; i++) {
        const float power = d_parts.power_at(products, i);
        if (power > most) {
            most = power;
            best = i;
        }
    }
    const float share = most * d_per_energy[tick] / d_reference_energy;
    return share > exponent_of_parts * background &&
           burst_parts::are_even(evenness(d_parts.turned(products, best)) /
                                     evenness_left,
                                 share,
                                 d_noise_share);
}

} // namespace samara
} // namespace gr
