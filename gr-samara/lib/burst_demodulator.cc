/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_demodulator.h"

#include "burst_lanes.h"
#include "burst_noise.h"
#include "burst_regression.h"
#include <algorithm>
#include <cmath>
#include <volk/volk.h>

namespace gr {
namespace samara {

namespace {

constexpr int reach = 7;   // taps of equaliser and rake to each side, ticks
constexpr int kernel = 2;  // elements around one that are heard with it
constexpr int refined = 2; // blocks to each side that move a block's phase
constexpr int first_part = 1024; // symbols that the worst clock does not harm
constexpr double drift_left = 0.01; // symbols, not worth another look
constexpr int most_looks = 2;       // at the whole burst, for its clock
constexpr float pi = 3.14159265358979F;

// What is expected before anything is known. Clocks of both ends together: two
// in three are within 60 ppm. Phase: 0.02 radians from symbol to symbol.
constexpr double clock_deviation = 60e-6;
constexpr float phase_deviation = 0.02F;

// What is left when a phase was found on the grid, and by averaging.
constexpr float phase_left = 0.04F;

// Noise that the phase is smoothed with at least: the grid's own.
constexpr float grid_noise = 0.01F;

// Chance disturbs a block or two; the noise of a preamble is known to a third.
constexpr int fewest_disturbed = 4;
constexpr float noisier = 3;

// The same angle, at most half a turn to either side.
float shortest(float angle)
{
    if (angle > pi) {
        return angle - 2 * pi;
    }
    return angle < -pi ? angle + 2 * pi : angle;
}

} // namespace

burst_demodulator::burst_demodulator(const burst_waveform& waveform)
    : d_waveform(waveform),
      d_filter(waveform),
      d_offset(waveform),
      d_demapper(burst_demapper::make(waveform)),
      d_known(waveform.preamble_ticks()),
      d_feedback(waveform.spread()
                     ? nullptr
                     : std::make_unique<burst_feedback>(waveform, reach)),
      d_smoother(phase_deviation *
                 std::sqrt(static_cast<float>(waveform.block_observations() *
                                              waveform.stride()) /
                           2))
{
    constexpr float nearby = 1.0F / 16;
    for (int i = -kernel; i <= kernel; i++) {
        const float time = 0.5F * static_cast<float>(i * waveform.stride());
        const float here = waveform.autocorrelation(time);
        d_reference_taps.push_back(waveform.spread() || i == 0 ? here : 0);
        d_derivative_taps.push_back((waveform.autocorrelation(time + nearby) -
                                     waveform.autocorrelation(time - nearby)) /
                                    (2 * nearby));
    }
}

int burst_demodulator::before() const
{
    return d_filter.reach() + reach * burst_waveform::samples_per_tick + 8;
}

int burst_demodulator::after() const
{
    const auto ticks =
        static_cast<double>(d_waveform.observations() * d_waveform.stride());
    const double drift = 5 * clock_deviation * ticks;
    return static_cast<int>((ticks + drift + reach) *
                            burst_waveform::samples_per_tick) +
           d_filter.reach() + 8;
}

burst_reception burst_demodulator::demodulate(const gr_complex* samples,
                                              const burst_arrival& arrival)
{
    const double fraction = arrival.sample - std::floor(arrival.sample);
    // The first element's middle is less than half a sample from here.
    const gr_complex* first = samples + std::lround(fraction);
    turn_back(samples - before(),
              before() + after(),
              d_offset.estimate(first, arrival.frequency),
              arrival.frequency,
              d_turned);
    d_clock = 0;
    const size_t all = d_waveform.observations();
    size_t count = std::min<size_t>(all, 2 * first_part / d_waveform.stride());
    double drift = 0;
    // Half of the burst does not tell the clock well enough for good decisions
    // over all of it; a second look has better decisions than the first.
    int looks_at_all = 0;
    while (count < all || looks_at_all == 0 ||
           (looks_at_all < most_looks && std::fabs(drift) > drift_left)) {
        looks_at_all += count == all ? 1 : 0;
        filter(fraction, count);
        observe(count);
        const double change = clock_change();
        d_clock += change;
        drift = change * static_cast<double>(all * d_waveform.stride()) / 2;
        count = more_than(count);
    }
    if (std::fabs(drift) > drift_left) {
        filter(fraction, all);
        observe(all);
    }
    return { arrival.sample,
             arrival.frequency,
             d_clock,
             -10 * std::log10(d_noise),
             d_feeds_back ? d_feedback->latest() : 0,
             d_demapper->soft_bits(d_observations, noise_of_blocks()),
             { d_observations.begin() + d_waveform.preamble_observations(),
               d_observations.end() } };
}

// The clock is known well enough for twice as much, and for 3 % more when that
// is all.
size_t burst_demodulator::more_than(size_t count) const
{
    const size_t all = d_waveform.observations();
    return 33 * count >= 16 * all ? all : 2 * count;
}

// The clock turns around the middle of the preamble, where the time is known.
void burst_demodulator::filter(double fraction, size_t count)
{
    const double step = burst_waveform::samples_per_tick * (1 + d_clock);
    const auto middle = static_cast<double>(d_waveform.preamble_observations() *
                                            d_waveform.stride() / 2);
    const double start = fraction + before() +
                         burst_waveform::samples_per_tick * middle -
                         step * (middle + reach);
    d_ticks.resize(count * d_waveform.stride() + 2 * reach);
    d_filter.ticks(
        d_turned.data(), start, step, d_ticks.size(), d_ticks.data());
}

void burst_demodulator::fit()
{
    if (d_waveform.spread()) {
        fit_rake();
    } else {
        fit_equaliser();
    }
    d_noise = std::clamp(d_noise, 1e-6F, 1e6F);
}

// The equaliser makes the error least, which leaves what it gives too small by
// just that error.
void burst_demodulator::fit_equaliser()
{
    const auto fit = fit_taps(
        d_waveform.preamble(), d_ticks.data(), d_waveform.stride(), reach);
    d_feeds_back = d_feedback->fit(d_ticks.data(), fit);
    if (d_feeds_back) {
        d_noise = d_feedback->noise();
        return;
    }
    const float signal = std::max(1 - fit.error, 1e-3F);
    d_taps = fit.taps;
    for (gr_complex& tap : d_taps) {
        tap /= signal;
    }
    d_noise = fit.error / signal;
}

void burst_demodulator::fit_rake()
{
    const std::vector<gr_complex> heard(d_ticks.begin() + 2 * reach,
                                        d_ticks.begin() + d_known.size());
    const auto fit = fit_taps(heard, d_known.data(), 1, reach);
    float power = 0;
    for (const gr_complex& tap : fit.taps) {
        power += std::norm(tap);
    }
    power = std::max(power, 1e-30F);
    d_taps.assign(fit.taps.rbegin(), fit.taps.rend());
    for (gr_complex& tap : d_taps) {
        tap = std::conj(tap) / power;
    }
    d_noise = fit.error / power;
}

void burst_demodulator::observe(size_t count)
{
    fit();
    combine(count);
    track_phase();
    refer();
    weigh();
    refine_phase();
}

void burst_demodulator::combine(size_t count)
{
    d_observations.resize(count);
    if (d_feeds_back) {
        d_feedback->equalise(d_ticks.data(), d_observations);
        return;
    }
    const int stride = d_waveform.stride();
    const auto taps =
        std::count_if(d_taps.begin(), d_taps.end(), [](const gr_complex& tap) {
            return tap != gr_complex();
        });
    if (taps == 1 && d_taps[reach] != gr_complex()) {
        for (size_t i = 0; i < count; i++) {
            d_observations[i] = d_taps[reach] * d_ticks[i * stride + reach];
        }
        return;
    }
    for (size_t i = 0; i < count; i++) {
        volk_32fc_x2_dot_prod_32fc(&d_observations[i],
                                   &d_ticks[i * stride],
                                   d_taps.data(),
                                   2 * reach + 1);
    }
}

void burst_demodulator::track_phase()
{
    const size_t size = d_waveform.block_observations();
    const size_t count = d_observations.size();
    std::vector<float> likelihoods((count + size - 1) / size *
                                   phase_grid::size);
    const std::vector<float> noise = noise_of_energies();
    for (size_t first = 0; first < count; first += size) {
        d_demapper->likelihoods(&d_observations[first],
                                first,
                                std::min(size, count - first),
                                noise[first / size],
                                &likelihoods[first / size * phase_grid::size]);
    }
    turn(d_smoother.smooth(likelihoods));
}

// Turns back by the phases of the middles of the blocks and those in between.
void burst_demodulator::turn(std::vector<float> phases)
{
    const size_t size = d_waveform.block_observations();
    // From the middle of a block to that of the next one.
    phases.push_back(phases.back());
    float from = phases.front();
    float way = 0;
    size_t first = 0;
    for (size_t next = 0; next < phases.size(); next++) {
        const size_t end =
            std::min(size / 2 + next * size, d_observations.size());
        gr_complex phase = std::polar(1.0F, -from - way / 2);
        const gr_complex step = std::polar(1.0F, -way);
        volk_32fc_s32fc_x2_rotator_32fc(&d_observations[first],
                                        &d_observations[first],
                                        step,
                                        &phase,
                                        static_cast<unsigned>(end - first));
        first = end;
        from = phases[next];
        if (next + 1 < phases.size()) {
            way = shortest(phases[next + 1] - from) / static_cast<float>(size);
        }
    }
}

void burst_demodulator::refer()
{
    d_demapper->decide(d_observations, d_elements);
    const auto count = static_cast<ptrdiff_t>(d_elements.size());
    d_reference.resize(count);
    d_derivative.resize(count);
    d_padded.assign(kernel, 0);
    d_padded.insert(d_padded.end(), d_elements.begin(), d_elements.end());
    d_padded.resize(count + 2 * kernel);
    for (ptrdiff_t i = 0; i < count; i++) {
        pair_lanes reference{};
        pair_lanes derivative{};
        for (int j = 0; j <= 2 * kernel; j++) {
            const pair_lanes element = as_lanes(d_padded[i + j]);
            reference += element * d_reference_taps[2 * kernel - j];
            derivative += element * d_derivative_taps[2 * kernel - j];
        }
        d_reference[i] = as_complex(reference);
        d_derivative[i] = as_complex(derivative);
    }
}

// The phase of a block by the decisions in it and around it, weighed against
// what the smoother is expected to leave.
void burst_demodulator::refine_phase()
{
    const size_t size = d_waveform.block_observations();
    const size_t blocks = (d_observations.size() + size - 1) / size;
    std::vector<gr_complex> products(blocks + 2 * refined);
    for (size_t block = 0; block < blocks; block++) {
        const size_t first = block * size;
        gr_complex& product = products[block + refined];
        volk_32fc_x2_conjugate_dot_prod_32fc(
            &product,
            &d_observations[first],
            &d_reference[first],
            static_cast<unsigned>(end_of(block) - first));
        product *= weight(block);
    }
    std::vector<float> phases(blocks);
    const float expected = phase_left * phase_left;
    for (size_t i = 0; i < blocks; i++) {
        gr_complex sum;
        for (int j = 0; j <= 2 * refined; j++) {
            sum += products[i + j];
        }
        const float variance = d_noise / (2 * std::max(std::abs(sum), 1e-30F));
        phases[i] = std::arg(sum) * expected / (expected + variance);
    }
    turn(phases);
}

// An observation that is late by t symbols has t times the derivative too much:
// least squares over the burst, with the expected deviation as a further value.
double burst_demodulator::clock_change() const
{
    const auto middle =
        static_cast<double>(d_waveform.preamble_observations()) / 2;
    double product = 0;
    double square = 0;
    size_t i = 0;
    for (size_t block = 0; block < d_excess.size(); block++) {
        const double own = weight(block);
        for (const size_t end = end_of(block); i < end; i++) {
            const double time =
                (static_cast<double>(i) - middle) * d_waveform.stride() / 2;
            const gr_complex left = d_observations[i] - d_reference[i];
            product +=
                own * time * std::real(left * std::conj(d_derivative[i]));
            square += own * time * time * std::norm(d_derivative[i]);
        }
    }
    const double doubt = d_noise / (2 * clock_deviation * clock_deviation);
    return (-product - d_clock * doubt) / (square + doubt);
}

// Before there are decisions, what is too strong for the elements is noise.
std::vector<float> burst_demodulator::noise_of_energies() const
{
    const size_t size = d_waveform.block_observations();
    std::vector<float> noise(d_observations.size());
    for (size_t i = 0; i < d_observations.size(); i++) {
        noise[i] = std::norm(d_observations[i]);
    }
    noise = excess_of_blocks(noise, size, static_cast<float>(size), grid_noise);
    const float usual = std::max(d_noise, grid_noise);
    for (float& value : noise) {
        value = usual + (value - 1) * (1 + usual);
    }
    return noise;
}

// What is across the decisions: a gain that changes is no noise.
void burst_demodulator::weigh()
{
    const size_t size = d_waveform.block_observations();
    std::vector<float> across(d_observations.size());
    for (size_t i = 0; i < d_observations.size(); i++) {
        const float part =
            std::imag(d_observations[i] * std::conj(d_reference[i]));
        across[i] =
            2 * part * part / std::max(std::norm(d_reference[i]), 0.05F);
    }
    d_excess =
        excess_of_blocks(across, size, static_cast<float>(size), grid_noise);
}

bool burst_demodulator::is_disturbed() const
{
    const auto disturbed = std::count_if(d_excess.begin(),
                                         d_excess.end(),
                                         [](float ratio) { return ratio > 1; });
    return disturbed >= fewest_disturbed ||
           d_usual_noise > noisier * std::max(d_noise, grid_noise);
}

size_t burst_demodulator::end_of(size_t block) const
{
    return std::min((block + 1) * d_waveform.block_observations(),
                    d_observations.size());
}

// The usual noise is that of the preamble and of the decisions: the latter hold
// what came later, the former does not make decisions look right that are not.
std::vector<float> burst_demodulator::noise_of_blocks()
{
    float sum = 0;
    float count = 0;
    size_t i = 0;
    for (size_t block = 0; block < d_excess.size(); block++) {
        const float own = weight(block);
        for (const size_t end = end_of(block); i < end; i++) {
            sum += own * std::norm(d_observations[i] - d_reference[i]);
            count += own;
        }
    }
    d_usual_noise = sum / count;
    std::vector<float> noise = d_excess;
    for (float& value : noise) {
        value *= std::max(d_noise, d_usual_noise);
    }
    return noise;
}

} // namespace samara
} // namespace gr
