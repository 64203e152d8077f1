/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_contrast.h"

#include "burst_share.h"
#include <algorithm>
#include <cmath>
#include <volk/volk.h>

namespace gr {
namespace samara {

namespace {

// exp(-this) is about the probability that chance passes at one time and
// frequency. Measured: BPSK and QPSK reach 21, once 28; preambles at the limit
// of the estimator's threshold 25 and more.
constexpr float least_contrast = 23.5F;

// Few values of a symbol gave up to half of this; the windows before an arrival
// are looked at for what is below.
constexpr float share_of_a_strong_burst = 0.4F;

// A stronger burst that has just ended, or silence, says nothing about the
// arrival: only windows of about its own energy are counted.
constexpr double energy_factor = 1.5;
constexpr int fewest_windows = 512;

// The ten symbols of the preamble make lines of its spectrum that are ten bins
// apart; a few lines are too few for a mean, so what is between them counts.
constexpr int half_width = 5;

} // namespace

burst_contrast::burst_contrast(const burst_waveform& waveform)
    : d_filter(waveform),
      d_offset(waveform),
      d_reference(waveform.preamble_ticks()),
      d_length(static_cast<int>(d_reference.size())),
      d_energy(energy(d_reference)),
      d_noise_share(mean_share_of_noise(waveform, d_reference)),
      d_transform(d_length),
      d_spectrum(d_length),
      d_weights(d_length),
      d_ticks(windows + 2 * d_length)
{
    set_reference();
}

void burst_contrast::set_reference()
{
    std::copy(d_reference.begin(), d_reference.end(), d_transform.get_inbuf());
    d_transform.execute();
    std::copy_n(d_transform.get_outbuf(), d_length, d_spectrum.begin());
    for (int i = 0; i < d_length; i++) {
        for (int off = -half_width; off <= half_width; off++) {
            d_weights[i] +=
                std::norm(d_spectrum[(i + off + d_length) % d_length]) /
                (2 * half_width + 1);
        }
    }
}

int burst_contrast::before() const
{
    return (windows + d_length) * burst_waveform::samples_per_tick +
           d_filter.reach();
}

int burst_contrast::after() const
{
    return d_length * burst_waveform::samples_per_tick + d_filter.reach();
}

bool burst_contrast::is_burst(const gr_complex* samples,
                              const burst_arrival& arrival)
{
    const int count = before() + after();
    turn_back(samples - before(),
              count,
              d_offset.estimate(samples, arrival.frequency),
              arrival.frequency,
              d_turned);
    d_filter.ticks(d_turned.data() + d_filter.reach(),
                   arrival.sample - std::floor(arrival.sample),
                   burst_waveform::samples_per_tick,
                   d_ticks.size(),
                   d_ticks.data());
    const float contrast = over_chance(&d_ticks[windows + d_length]);
    return contrast > least_contrast &&
           (arrival.share > share_of_a_strong_burst ||
            contrast > least_contrast * spread(d_ticks.data()));
}

float burst_contrast::over_chance(const gr_complex* heard)
{
    std::copy_n(heard, d_length, d_transform.get_inbuf());
    d_transform.execute();
    const gr_complex* spectrum = d_transform.get_outbuf();
    gr_complex product;
    volk_32fc_x2_conjugate_dot_prod_32fc(
        &product, spectrum, d_spectrum.data(), d_length);
    const float power = d_energy * static_cast<float>(d_length);
    const gr_complex gain = product / power;
    float chance = 0;
    for (int i = 0; i < d_length; i++) {
        chance += std::norm(spectrum[i] - gain * d_spectrum[i]) * d_weights[i];
    }
    return std::norm(product) / std::max(chance, 1e-30F);
}

float burst_contrast::spread(const gr_complex* ticks) const
{
    double window = 0;
    double own = 0;
    for (int i = 0; i < d_length; i++) {
        window += std::norm(ticks[i]);
        own += std::norm(ticks[windows + d_length + i]);
    }
    int count = 0;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < windows; i++) {
        if (window < energy_factor * own && own < energy_factor * window) {
            gr_complex product;
            volk_32fc_x2_conjugate_dot_prod_32fc(
                &product, ticks + i, d_reference.data(), d_length);
            const double share = std::norm(product) / (window * d_energy);
            count++;
            sum += share;
            squares += share * share;
        }
        window += static_cast<double>(std::norm(ticks[i + d_length])) -
                  std::norm(ticks[i]);
    }
    if (count < fewest_windows || sum <= 0) {
        return 1;
    }
    const auto ratio = static_cast<float>(squares / sum - sum / count);
    return std::max(ratio / d_noise_share, 1.0F);
}

} // namespace samara
} // namespace gr
