/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_receiver.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace gr {
namespace samara {

namespace {

constexpr float largest = 1e6F;

float tame(float value)
{
    return std::isfinite(value) ? std::clamp(value, -largest, largest) : 0;
}

// Half of a step less than what one search covers is searched twice, so that no
// offset is at the edge of both.
constexpr double frequency_step = 1.9 * burst_detector::highest_frequency;

double checked(double offset)
{
    if (!(offset >= 0 && offset <= burst_receiver::most_highest_offset)) {
        throw std::invalid_argument(
            "the highest carrier offset has to be from 0 to 1 cycles a symbol");
    }
    return offset;
}

std::vector<double> frequencies_up_to(double highest)
{
    const double beyond = highest - burst_detector::highest_frequency;
    const int steps =
        std::max(0, static_cast<int>(std::ceil(beyond / frequency_step)));
    std::vector<double> frequencies;
    for (int step = -steps; step <= steps; step++) {
        frequencies.push_back(step * frequency_step);
    }
    return frequencies;
}

} // namespace

// With DSSS the preamble repeats a symbol: what is found a symbol off is the
// same preamble. Without, rays of it may be found some symbols off.
burst_receiver::burst_receiver(burst_modulation modulation,
                               size_t payload_bits,
                               double highest_offset)
    : d_waveform(modulation, payload_bits),
      d_highest_offset(checked(highest_offset)),
      d_frequencies(frequencies_up_to(highest_offset)),
      d_detector(d_waveform),
      d_estimator(d_waveform),
      d_contrast(d_waveform),
      d_demodulator(d_waveform),
      d_margin(
          std::max({ d_detector.before(),
                     d_estimator.before(),
                     d_contrast.before() + burst_waveform::samples_per_symbol,
                     d_demodulator.before() }) +
          1),
      d_closest(d_waveform.spread()
                    ? static_cast<int>(d_waveform.preamble_observations()) *
                          burst_waveform::samples_per_tick
                    : 8 * burst_waveform::samples_per_symbol),
      d_samples(d_margin),
      d_first(-d_margin)
{
}

std::vector<burst_reception> burst_receiver::feed(const gr_complex* samples,
                                                  size_t count)
{
    append(samples, count);
    search();
    std::vector<burst_reception> receptions;
    demodulate(receptions);
    forget();
    return receptions;
}

std::vector<burst_reception> burst_receiver::finish()
{
    const int64_t last = end();
    const std::vector<gr_complex> silence(d_detector.after() +
                                          2 * d_detector.hop() + d_closest +
                                          d_demodulator.after());
    auto receptions = feed(silence.data(), silence.size());
    const auto whole =
        static_cast<double>(d_waveform.samples() - 2 * d_waveform.half_span());
    receptions.erase(std::remove_if(receptions.begin(),
                                    receptions.end(),
                                    [=](const burst_reception& reception) {
                                        return reception.sample + whole - 1 >
                                               static_cast<double>(last);
                                    }),
                     receptions.end());
    return receptions;
}

void burst_receiver::append(const gr_complex* samples, size_t count)
{
    d_samples.reserve(d_samples.size() + count);
    for (size_t i = 0; i < count; i++) {
        d_samples.emplace_back(tame(samples[i].real()),
                               tame(samples[i].imag()));
    }
}

const gr_complex* burst_receiver::at(int64_t sample) const
{
    return d_samples.data() + (sample - d_first);
}

int64_t burst_receiver::end() const
{
    return d_first + static_cast<int64_t>(d_samples.size());
}

void burst_receiver::search()
{
    const int ahead =
        std::max(d_detector.after(), d_detector.hop() + d_estimator.after());
    while (d_searched + ahead <= end()) {
        for (const double frequency : d_frequencies) {
            for (const burst_candidate& candidate : candidates(frequency)) {
                d_found.push_back(
                    d_estimator.estimate(at(candidate.sample), candidate));
            }
        }
        // Arrivals are considered in their order, whatever their frequency.
        std::stable_sort(d_found.begin(),
                         d_found.end(),
                         [](const burst_arrival& a, const burst_arrival& b) {
                             return a.sample < b.sample;
                         });
        for (const burst_arrival& arrival : d_found) {
            if (is_burst(arrival)) {
                consider(arrival);
            }
        }
        d_found.clear();
        d_searched += d_detector.hop();
    }
}

// Those of the next stretch around a frequency. A constant is taken out before
// the carrier is turned back: after that it would be a tone.
std::vector<burst_candidate> burst_receiver::candidates(double frequency)
{
    const gr_complex* samples = at(d_searched);
    if (frequency != 0) {
        const gr_complex* from = samples - d_detector.before();
        const int count = d_detector.before() + d_detector.after();
        const gr_complex sum =
            std::accumulate(from, from + count, gr_complex());
        turn_back(from,
                  static_cast<size_t>(count),
                  sum / static_cast<float>(count),
                  frequency,
                  d_turned);
        samples = d_turned.data() + d_detector.before();
    }
    auto found = d_detector.search(samples);
    for (burst_candidate& each : found) {
        each.sample += d_searched;
        each.frequency += frequency;
    }
    return found;
}

// Without DSSS the preamble repeats nothing, and nothing else was seen to pass
// for it.
bool burst_receiver::is_burst(const burst_arrival& arrival)
{
    const auto sample = static_cast<int64_t>(std::floor(arrival.sample));
    return d_estimator.is_burst(arrival) &&
           (!d_waveform.spread() || d_contrast.is_burst(at(sample), arrival));
}

// Of several that are close, the one that explains most of the energy. With
// DSSS, symbols of a payload may look like a faint preamble within it.
void burst_receiver::consider(const burst_arrival& arrival)
{
    const bool within =
        arrival.sample <
        d_present.sample + static_cast<double>(d_waveform.samples());
    if (d_waveform.spread() && within && arrival.share < d_present.share / 4) {
        return;
    }
    if (!within || arrival.share > d_present.share) {
        d_present = arrival;
    }
    if (!d_arrivals.empty() &&
        arrival.sample - d_arrivals.back().sample < d_closest) {
        if (arrival.share > d_arrivals.back().share) {
            d_arrivals.back() = arrival;
        }
        return;
    }
    d_arrivals.push_back(arrival);
}

void burst_receiver::demodulate(std::vector<burst_reception>& receptions)
{
    while (!d_arrivals.empty()) {
        const burst_arrival& arrival = d_arrivals.front();
        const auto sample = static_cast<int64_t>(std::floor(arrival.sample));
        if (sample + d_closest + burst_waveform::samples_per_symbol >
                d_searched ||
            sample + d_demodulator.after() > end()) {
            return;
        }
        receptions.push_back(d_demodulator.demodulate(at(sample), arrival));
        d_arrivals.pop_front();
    }
}

void burst_receiver::forget()
{
    int64_t needed = d_searched;
    if (!d_arrivals.empty()) {
        needed = std::min(
            needed,
            static_cast<int64_t>(std::floor(d_arrivals.front().sample)));
    }
    // Seldom, since what stays is moved.
    const int64_t unused =
        needed - d_margin - burst_waveform::samples_per_symbol - d_first;
    if (unused > static_cast<int64_t>(d_samples.size() / 2)) {
        d_samples.erase(d_samples.begin(), d_samples.begin() + unused);
        d_first += unused;
    }
}

} // namespace samara
} // namespace gr
