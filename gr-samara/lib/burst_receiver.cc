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

// A burst comes before another one, and is taken out for it, when it has so
// much more power. Below that its decisions are no better than guesses; what
// looks like a burst and is none would take the other one out as its payload.
constexpr float stronger = 2;

// The credit at most, in bursts or stretches that are searched at once,
// whatever is longer: three collisions. One takes four, and one more for each
// frequency that is searched around.
constexpr double most_credit(size_t frequencies)
{
    return 12 + 4 * static_cast<double>(frequencies);
}

float tame(float value)
{
    return std::isfinite(value) ? std::clamp(value, -largest, largest) : 0;
}

// Searches beside one another share a little, so that no offset is at the edge
// of both. Two reach 0.248 cycles a symbol: 100 ppm at 2.48 GHz and 4 MS/s.
constexpr double frequency_step = 1.95 * burst_detector::highest_frequency;

double checked_share(double share)
{
    if (!(share >= 1)) {
        throw std::invalid_argument("the share of work has to be 1 or more");
    }
    return share;
}

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
    const int further =
        std::max(0, static_cast<int>(std::ceil(2 * beyond / frequency_step)));
    std::vector<double> frequencies;
    for (int i = 0; i <= further; i++) {
        frequencies.push_back((i - further / 2.0) * frequency_step);
    }
    return frequencies;
}

} // namespace

// With DSSS the preamble repeats a symbol: what is found a symbol off is the
// same preamble. Without, rays of it may be found some symbols off.
burst_receiver::burst_receiver(burst_modulation modulation,
                               size_t payload_bits,
                               double highest_offset,
                               double share)
    : d_waveform(modulation, payload_bits),
      d_highest_offset(checked(highest_offset)),
      d_frequencies(frequencies_up_to(highest_offset)),
      d_detector(d_waveform),
      d_estimator(d_waveform),
      d_contrast(d_waveform),
      d_demodulator(d_waveform),
      d_canceller(d_waveform),
      d_ahead(
          std::max(d_detector.after(), d_detector.hop() + d_estimator.after())),
      d_margin(
          std::max({ d_detector.before(),
                     d_estimator.before(),
                     d_contrast.before() + burst_waveform::samples_per_symbol,
                     d_demodulator.before() }) +
          d_detector.hop() + 1),
      d_closest(d_waveform.spread()
                    ? static_cast<int>(d_waveform.preamble_observations()) *
                          burst_waveform::samples_per_tick
                    : 8 * burst_waveform::samples_per_symbol),
      d_samples(d_margin),
      d_first(-d_margin),
      d_credit(checked_share(share),
               most_credit(d_frequencies.size()) *
                   std::max<double>(d_waveform.samples(), d_detector.hop()))
{
}

// As a core of an AMD EPYC keeps up with 4 million samples a second: what a
// further frequency takes is left for less work. A burst of DSSS takes less
// time for its length than the others.
double burst_receiver::real_time_share(burst_modulation modulation,
                                       double highest_offset)
{
    const auto further = static_cast<double>(
        frequencies_up_to(checked(highest_offset)).size() - 1);
    const double share = modulation == burst_modulation::OQPSK_DSSS
                             ? 2.5 - 1.3 * further
                             : 1.5 - 0.4 * further;
    return std::max(share, 1.0);
}

std::vector<burst_reception> burst_receiver::feed(const gr_complex* samples,
                                                  size_t count)
{
    append(samples, count);
    std::vector<burst_reception> receptions;
    // In the order of the samples that each step needs, however they come.
    bool has_more = true;
    while (has_more) {
        if (!receive(receptions)) {
            has_more = needed_by_search() <= end();
            if (has_more) {
                search();
            }
        }
    }
    forget();
    return receptions;
}

std::vector<burst_reception> burst_receiver::finish()
{
    const int64_t last = end();
    const std::vector<gr_complex> silence(d_detector.after() +
                                          2 * d_detector.hop() + d_closest +
                                          2 * d_demodulator.after());
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
    for (size_t i = 0; i < count; i++) {
        d_samples.emplace_back(tame(samples[i].real()),
                               tame(samples[i].imag()));
    }
}

gr_complex* burst_receiver::at(int64_t sample)
{
    return d_samples.data() + (sample - d_first);
}

int64_t burst_receiver::end() const
{
    return d_first + static_cast<int64_t>(d_samples.size());
}

int64_t burst_receiver::needed_by_search() const
{
    return d_searched + d_ahead;
}

void burst_receiver::search()
{
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
        if (!is_faint_within(arrival) && is_burst(arrival)) {
            consider(arrival);
        }
    }
    d_found.clear();
    d_searched += d_detector.hop();
    d_searches++;
    d_credit.pass(d_searched);
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

bool burst_receiver::is_within(const burst_arrival& arrival) const
{
    return arrival.sample <
           d_present.sample + static_cast<double>(d_waveform.samples());
}

// With DSSS, symbols of a payload may look like a faint preamble within it.
bool burst_receiver::is_faint_within(const burst_arrival& arrival) const
{
    return d_waveform.spread() && is_within(arrival) &&
           arrival.share < d_present.share / 4;
}

void burst_receiver::consider(const burst_arrival& arrival)
{
    if (!is_within(arrival) || arrival.share > d_present.share) {
        d_present = arrival;
    }
    if (!is_received(arrival.sample)) {
        insert(arrival);
    }
}

bool burst_receiver::is_received(double sample) const
{
    return std::any_of(
        d_received.begin(), d_received.end(), [&](const finished& received) {
            return std::fabs(sample - received.sample) < d_closest;
        });
}

// Of several that are close, the one that explains most of the energy.
void burst_receiver::insert(const burst_arrival& arrival)
{
    for (expected& other : d_arrivals) {
        if (std::fabs(arrival.sample - other.arrival.sample) < d_closest) {
            if (arrival.share > other.arrival.share) {
                other.arrival = arrival;
                other.power = power(arrival);
                other.last.reset();
            }
            return;
        }
    }
    const auto place =
        std::upper_bound(d_arrivals.begin(),
                         d_arrivals.end(),
                         arrival.sample,
                         [](double sample, const expected& other) {
                             return sample < other.arrival.sample;
                         });
    d_arrivals.insert(place, { arrival, power(arrival), false, {} });
}

float burst_receiver::power(const burst_arrival& arrival)
{
    const int count = static_cast<int>(d_waveform.preamble_observations()) *
                      d_waveform.stride() * burst_waveform::samples_per_tick;
    const gr_complex* from =
        at(static_cast<int64_t>(std::floor(arrival.sample)));
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += std::norm(from[i]);
    }
    return static_cast<float>(sum / count) * arrival.share;
}

// Whether something was done; all of it may be done however samples come.
bool burst_receiver::receive(std::vector<burst_reception>& receptions)
{
    if (d_arrivals.empty()) {
        return false;
    }
    const expected& next = d_arrivals.front();
    const auto length = static_cast<double>(d_waveform.samples());
    const auto sample = static_cast<int64_t>(std::floor(next.arrival.sample));
    if (sample + d_closest + burst_waveform::samples_per_symbol > d_searched ||
        !is_complete(next.arrival)) {
        return false;
    }
    const bool is_paid = d_credit.covers(length);
    if (!next.is_disturbed && is_paid) {
        receive_first(receptions);
        return true;
    }
    if (sample + static_cast<int64_t>(d_waveform.samples()) > d_searched) {
        return false;
    }
    const size_t place = strongest_over(0);
    if (!is_complete(d_arrivals[place].arrival)) {
        return false;
    }
    if (is_paid || d_arrivals[place].last) {
        receptions.push_back(receive_strongest(place));
    } else if (place == 0 && !is_below_received(next)) {
        receive_first(receptions);
    } else {
        skip_first(receptions);
    }
    return true;
}

void burst_receiver::receive_first(std::vector<burst_reception>& receptions)
{
    expected& first = d_arrivals.front();
    outcome alone = demodulate(first.arrival);
    first.is_disturbed = d_demodulator.is_disturbed();
    if (first.is_disturbed) {
        first.last = std::move(alone);
    } else {
        receptions.push_back(std::move(alone.reception));
        finish_with(0);
    }
}

burst_reception burst_receiver::receive_strongest(size_t place)
{
    outcome received = outcome_of(d_arrivals[place]);
    const auto length = static_cast<int64_t>(d_waveform.samples());
    const auto sample =
        static_cast<int64_t>(std::floor(d_arrivals[place].arrival.sample));
    // To take it out, search again and demodulate what is found.
    const double work = static_cast<double>(2 * length) + again(sample);
    if (!stands_out(place)) {
        finish_with(place);
    } else if (d_credit.covers(work)) {
        take_out(place, received);
    } else {
        d_skipped++;
        finish_with(place);
    }
    return std::move(received.reception);
}

// What was received of it before a stronger one was found still holds.
void burst_receiver::skip_first(std::vector<burst_reception>& receptions)
{
    d_skipped++;
    expected& first = d_arrivals.front();
    if (first.last) {
        receptions.push_back(std::move(first.last->reception));
    }
    first.power = 0; // nobody is below it
    finish_with(0);
}

bool burst_receiver::is_complete(const burst_arrival& arrival) const
{
    const auto sample = static_cast<int64_t>(std::floor(arrival.sample));
    return sample + d_demodulator.after() <=
           std::min(end(), needed_by_search());
}

burst_receiver::outcome burst_receiver::demodulate(const burst_arrival& arrival)
{
    d_demodulations++;
    d_credit.spend(static_cast<double>(d_waveform.samples()));
    const auto sample = static_cast<int64_t>(std::floor(arrival.sample));
    burst_reception reception = d_demodulator.demodulate(at(sample), arrival);
    return { std::move(reception), d_demodulator.elements() };
}

burst_receiver::outcome burst_receiver::outcome_of(expected& one)
{
    return one.last ? std::move(*one.last) : demodulate(one.arrival);
}

// The place of an arrival itself when none over it is clearly stronger.
size_t burst_receiver::strongest_over(size_t place) const
{
    const expected& own = d_arrivals[place];
    const double until =
        own.arrival.sample + static_cast<double>(d_waveform.samples());
    size_t best = place;
    float most = own.power * stronger;
    for (size_t i = place + 1; i < d_arrivals.size(); i++) {
        if (d_arrivals[i].arrival.sample < until &&
            d_arrivals[i].power > most) {
            best = i;
            most = d_arrivals[i].power;
        }
    }
    return best;
}

// Whether all others over an arrival are clearly weaker. Bursts whose pulses
// alone touch are not over one another.
bool burst_receiver::stands_out(size_t place) const
{
    const expected& own = d_arrivals[place];
    const auto length =
        static_cast<double>(d_waveform.samples() - 2 * d_waveform.half_span());
    return std::all_of(
        d_arrivals.begin(), d_arrivals.end(), [&](const expected& other) {
            const double apart = other.arrival.sample - own.arrival.sample;
            return &other == &own || std::fabs(apart) >= length ||
                   own.power > stronger * other.power;
        });
}

// Whether one that was received is over it and not clearly weaker.
bool burst_receiver::is_below_received(const expected& one) const
{
    const auto length =
        static_cast<double>(d_waveform.samples() - 2 * d_waveform.half_span());
    return std::any_of(
        d_received.begin(), d_received.end(), [&](const finished& other) {
            return std::fabs(one.arrival.sample - other.sample) < length &&
                   one.power <= stronger * other.power;
        });
}

void burst_receiver::take_out(size_t place, const outcome& received)
{
    const burst_arrival arrival = d_arrivals[place].arrival;
    const auto sample = static_cast<int64_t>(std::floor(arrival.sample));
    d_canceller.cancel(
        at(sample), arrival, received.reception.clock, received.elements);
    d_credit.spend(static_cast<double>(d_waveform.samples()));
    finish_with(place);
    for (expected& other : d_arrivals) {
        other.last.reset();
    }
    search_again(sample);
}

// From the stretch on in which the burst begins; what was searched again before
// is not searched a third time.
int64_t burst_receiver::again_from(int64_t sample) const
{
    const int64_t hop = d_detector.hop();
    const int64_t from =
        std::max(std::max<int64_t>(sample, 0), d_searched_again) / hop * hop;
    return std::min(d_searched, from);
}

// Samples that this takes, around each frequency.
double burst_receiver::again(int64_t sample) const
{
    return static_cast<double>(d_searched - again_from(sample)) *
           static_cast<double>(d_frequencies.size());
}

void burst_receiver::search_again(int64_t sample)
{
    const int64_t from = again_from(sample);
    d_credit.spend(again(sample));
    d_searched_again = std::max(
        d_searched_again, sample + static_cast<int64_t>(d_waveform.samples()));
    d_searched = from;
    d_present.sample = -1e18;
}

void burst_receiver::finish_with(size_t place)
{
    d_received.push_back(
        { d_arrivals[place].arrival.sample, d_arrivals[place].power });
    d_arrivals.erase(d_arrivals.begin() + static_cast<ptrdiff_t>(place));
}

void burst_receiver::forget()
{
    const auto length = static_cast<double>(d_waveform.samples());
    int64_t needed = d_searched;
    if (!d_arrivals.empty()) {
        needed = std::min(needed,
                          static_cast<int64_t>(
                              std::floor(d_arrivals.front().arrival.sample)));
    }
    while (!d_received.empty() &&
           d_received.front().sample <
               static_cast<double>(needed - d_margin - d_closest) - length) {
        d_received.pop_front();
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
