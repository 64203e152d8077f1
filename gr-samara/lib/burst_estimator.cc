/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_estimator.h"

#include "burst_share.h"
#include <algorithm>
#include <cmath>
#include <volk/volk.h>

namespace gr {
namespace samara {

namespace {

// exp(-this) is the probability that noise passes at one time and frequency; at
// some fifty frequencies, twice a symbol, that is 1e-9 a symbol.
constexpr float false_alarm_exponent = 25;

// Of the parts of the spectrum a single tone leaves 1/10, or 1/5 between two of
// them, and an echo as strong as the first ray leaves a half.
constexpr float least_spectral_evenness = 0.35F;

constexpr double two_pi = 6.283185307179586;

// Where the parabola through three values is highest, from the middle one.
double vertex(double left, double middle, double right)
{
    const double curve = left - 2 * middle + right;
    return curve < 0 ? std::clamp((left - right) / (2 * curve), -0.5, 0.5) : 0;
}

} // namespace

void turn_back(const gr_complex* samples,
               size_t count,
               gr_complex offset,
               double frequency,
               std::vector<gr_complex>& output)
{
    const double step =
        -two_pi * frequency / burst_waveform::samples_per_symbol;
    const gr_complex turn = std::polar(1.0F, static_cast<float>(step));
    gr_complex phase(1, 0);
    output.assign(samples, samples + count);
    for (gr_complex& sample : output) {
        sample -= offset;
    }
    volk_32fc_s32fc_x2_rotator_32fc(output.data(),
                                    output.data(),
                                    turn,
                                    &phase,
                                    static_cast<unsigned>(count));
}

burst_estimator::burst_estimator(const burst_waveform& waveform)
    : d_filter(waveform),
      d_offset(waveform),
      d_reference(waveform.preamble_ticks()),
      d_parts(d_reference),
      d_spectrum(d_reference),
      d_length(static_cast<int>(d_reference.size())),
      d_noise_share(mean_share_of_noise(waveform, d_reference)),
      d_energy(energy(d_reference))
{
}

bool burst_estimator::is_burst(const burst_arrival& arrival) const
{
    return arrival.share > false_alarm_exponent * arrival.background &&
           arrival.spectral_evenness >= least_spectral_evenness &&
           burst_parts::are_even(
               arrival.evenness, arrival.share, d_noise_share);
}

int burst_estimator::after() const
{
    return d_length * burst_waveform::samples_per_tick + shifts +
           d_filter.reach();
}

burst_arrival burst_estimator::estimate(const gr_complex* samples,
                                        const burst_candidate& candidate)
{
    filter(samples, candidate.frequency);
    grid power;
    int shift = -shifts;
    int turn = -turns;
    for (int i = -shifts; i <= shifts; i++) {
        const burst_parts::row products = d_parts.correlate(ticks_from(i));
        for (int j = -turns; j <= turns; j++) {
            power[i + shifts][j + turns] = d_parts.power_at(products, j);
        }
        for (int j = -turns; j <= turns; j++) {
            if (power[i + shifts][j + turns] >
                power[shift + shifts][turn + turns]) {
                shift = i;
                turn = j;
            }
        }
    }
    const float (*middle)[2 * turns + 1] = &power[shift + shifts];
    const float best = (*middle)[turn + turns];
    double sample = static_cast<double>(candidate.sample) + shift;
    double eighths = turn;
    if (std::abs(shift) < shifts) {
        sample +=
            vertex(middle[-1][turn + turns], best, middle[1][turn + turns]);
    }
    if (std::abs(turn) < turns) {
        eighths += vertex(
            (*middle)[turn + turns - 1], best, (*middle)[turn + turns + 1]);
    }
    return { sample,
             candidate.frequency + 2 * eighths / (8.0 * d_length),
             share(shift, best),
             candidate.background,
             evenness(
                 d_parts.turned(d_parts.correlate(ticks_from(shift)), turn)),
             spectral_evenness(shift, eighths) };
}

void burst_estimator::filter(const gr_complex* samples, double frequency)
{
    turn_back(samples - before(),
              before() + after(),
              d_offset.estimate(samples, frequency),
              frequency,
              d_turned);
    constexpr int step = burst_waveform::samples_per_tick;
    for (int i = 0; i < step; i++) {
        d_filtered[i].resize(d_length + 2 * shifts / step);
        d_filter.ticks(d_turned.data() + before(),
                       i - shifts,
                       step,
                       d_filtered[i].size(),
                       d_filtered[i].data());
    }
}

const gr_complex* burst_estimator::ticks_from(int shift) const
{
    const int place = shift + shifts;
    return &d_filtered[place % burst_waveform::samples_per_tick]
                      [place / burst_waveform::samples_per_tick];
}

float burst_estimator::spectral_evenness(int shift, double eighths)
{
    const double step = -two_pi * eighths / (8.0 * d_length);
    d_heard.resize(d_length);
    const gr_complex turn = std::polar(1.0F, static_cast<float>(step));
    gr_complex phase(1, 0);
    volk_32fc_s32fc_x2_rotator_32fc(d_heard.data(),
                                    ticks_from(shift),
                                    turn,
                                    &phase,
                                    static_cast<unsigned>(d_length));
    return d_spectrum.evenness_of(d_heard);
}

float burst_estimator::share(int shift, float power) const
{
    const gr_complex* from = ticks_from(shift);
    double window = 0;
    for (int tick = 0; tick < d_length; tick++) {
        window += std::norm(from[tick]);
    }
    return window > 0 ? static_cast<float>(power / (window * d_energy)) : 0;
}

} // namespace samara
} // namespace gr
