/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_canceller.h"
#include "burst_modulator.h"
#include "burst_receiver.h"
#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>

using namespace gr::samara;
namespace data = boost::unit_test::data;

namespace {

constexpr size_t size = 1000;
const std::vector<int> modulations{ 0, 1, 2, 3 };

std::vector<uint8_t> payload(unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<uint8_t> bits(size);
    for (uint8_t& bit : bits) {
        bit = random() & 1U;
    }
    return bits;
}

void add(std::vector<gr_complex>& samples,
         size_t place,
         const std::vector<gr_complex>& burst,
         float amplitude,
         float frequency)
{
    samples.resize(std::max(samples.size(), place + burst.size()));
    for (size_t i = 0; i < burst.size(); i++) {
        samples[place + i] +=
            burst[i] *
            std::polar(amplitude, frequency * static_cast<float>(i) + 1);
    }
}

void add_noise(std::vector<gr_complex>& samples, float deviation)
{
    std::mt19937 random(9);
    std::normal_distribution<float> normal(0, deviation);
    for (gr_complex& sample : samples) {
        sample += gr_complex(normal(random), normal(random));
    }
}

float well_above(burst_modulation modulation)
{
    return modulation == burst_modulation::QAM16 ? 20.0F : 5.0F;
}

// Pairs: the second burst, 14 dB (16-QAM: 26 dB) above the first one, covers
// more and more of it. The pause between them is in bursts.
std::vector<gr_complex>
pairs(burst_modulation modulation, unsigned count, size_t pause = 0)
{
    const burst_modulator maker(modulation, size, 1);
    const size_t length = maker.waveform().samples();
    const float amplitude = well_above(modulation);
    std::vector<gr_complex> samples;
    for (unsigned i = 0; i < count; i++) {
        const size_t start = 777 + samples.size() + (i ? pause * length : 0);
        add(samples, start, maker.modulate(payload(2 * i)), 1, 0.01F);
        const size_t later = length - length * (i + 1) / (count + 1);
        add(samples,
            start + std::max<size_t>(later, 900),
            maker.modulate(payload(2 * i + 1)),
            amplitude,
            -0.02F);
    }
    samples.resize(samples.size() + 100);
    add_noise(samples, 0.05F);
    return samples;
}

// Two networks that send all the time, one a part of a burst after the other:
// its payloads are from 100 on.
std::vector<gr_complex> two_networks(const burst_modulator& maker,
                                     unsigned count,
                                     float amplitude,
                                     double part = 0.5)
{
    const size_t length = maker.waveform().samples();
    const auto later = static_cast<size_t>(part * static_cast<double>(length));
    std::vector<gr_complex> samples;
    for (unsigned i = 0; i < count; i++) {
        add(samples, 100 + i * length, maker.modulate(payload(i)), 1, 0.01F);
        add(samples,
            100 + later + i * length,
            maker.modulate(payload(100 + i)),
            amplitude,
            -0.02F);
    }
    return samples;
}

std::vector<burst_reception> received(burst_receiver& receiver,
                                      const std::vector<gr_complex>& samples,
                                      size_t chunk)
{
    std::vector<burst_reception> all;
    const auto append = [&](const std::vector<burst_reception>& some) {
        all.insert(all.end(), some.begin(), some.end());
    };
    for (size_t i = 0; i < samples.size(); i += chunk) {
        append(receiver.feed(&samples[i], std::min(chunk, samples.size() - i)));
    }
    append(receiver.finish());
    return all;
}

bool brings(const burst_reception& reception, const std::vector<uint8_t>& bits)
{
    size_t errors = 0;
    for (size_t i = 0; i < bits.size(); i++) {
        errors += (reception.soft_bits[i] > 0) != (bits[i] == 1);
    }
    return errors < size / 12;
}

size_t times(const std::vector<burst_reception>& heard, unsigned seed)
{
    const auto bits = payload(seed);
    return static_cast<size_t>(std::count_if(
        heard.begin(), heard.end(), [&](const burst_reception& reception) {
            return brings(reception, bits);
        }));
}

// Samples that were demodulated, or searched again around so many frequencies.
double
work(const burst_receiver& receiver, size_t samples, double frequencies = 1)
{
    const burst_waveform& waveform = receiver.waveform();
    const auto hop = static_cast<double>(burst_detector(waveform).hop());
    const double again = static_cast<double>(receiver.searches()) * hop -
                         static_cast<double>(samples);
    return static_cast<double>(receiver.demodulations() * waveform.samples()) +
           frequencies * again;
}

// The share of it, what may gather before, and what is searched and demodulated
// after the end.
double most_work(const burst_receiver& receiver,
                 size_t samples,
                 double share,
                 size_t frequencies = 1)
{
    const size_t length = receiver.waveform().samples();
    const auto hop =
        static_cast<size_t>(burst_detector(receiver.waveform()).hop());
    return share * static_cast<double>(samples) +
           static_cast<double>((12 + 4 * frequencies) * std::max(length, hop) +
                               4 * (length + frequencies * hop));
}

double longest_gap(const std::vector<burst_reception>& heard)
{
    std::vector<double> places;
    for (const burst_reception& reception : heard) {
        places.push_back(reception.sample);
    }
    std::sort(places.begin(), places.end());
    double longest = 0;
    for (size_t i = 1; i < places.size(); i++) {
        longest = std::max(longest, places[i] - places[i - 1]);
    }
    return longest;
}

} // namespace

BOOST_AUTO_TEST_SUITE(collisions)

BOOST_DATA_TEST_CASE(bring_both_bursts, data::make(modulations), number)
{
    const auto modulation = static_cast<burst_modulation>(number);
    const auto samples = pairs(modulation, 4);
    burst_receiver receiver(modulation, size);
    const auto heard = received(receiver, samples, 4096);
    for (unsigned i = 0; i < 8; i++) {
        BOOST_TEST(times(heard, i) == 1U);
    }
    BOOST_TEST(heard.size() == 8U);
}

BOOST_DATA_TEST_CASE(are_the_same_in_chunks_of_any_size,
                     data::make(modulations),
                     number)
{
    const auto modulation = static_cast<burst_modulation>(number);
    const auto samples = pairs(modulation, 3);
    burst_receiver receiver(modulation, size);
    const auto whole = received(receiver, samples, samples.size());
    for (const size_t chunk : { 97U, 1024U, 9001U }) {
        burst_receiver other(modulation, size);
        const auto parts = received(other, samples, chunk);
        BOOST_REQUIRE_EQUAL(parts.size(), whole.size());
        for (size_t i = 0; i < parts.size(); i++) {
            BOOST_TEST(parts[i].sample == whole[i].sample);
            BOOST_TEST(parts[i].soft_bits == whole[i].soft_bits);
        }
        BOOST_TEST(other.demodulations() == receiver.demodulations());
    }
}

// Two networks that send all the time: each place is searched once, and once
// more after each of the bursts over it was taken out.
BOOST_AUTO_TEST_CASE(cost_bounded_work)
{
    const auto modulation = burst_modulation::QPSK;
    const burst_modulator maker(modulation, size, 1);
    const size_t length = maker.waveform().samples();
    auto samples = two_networks(maker, 40, 3);
    add_noise(samples, 0.05F);
    burst_receiver receiver(modulation, size);
    const auto heard = received(receiver, samples, 4096);
    BOOST_TEST(heard.size() >= 70U);
    BOOST_TEST(receiver.skipped() == 0U);
    BOOST_TEST(receiver.demodulations() <= 2 * heard.size());
    const burst_detector detector(maker.waveform());
    const size_t stretches = samples.size() / detector.hop() + 4;
    BOOST_TEST(receiver.searches() <= stretches + 2 * heard.size());
    // Without a neighbour there is one search, and each burst is received once.
    burst_receiver alone(modulation, size);
    std::vector<gr_complex> single(length * 40);
    for (unsigned i = 0; i < 20; i++) {
        add(single, 2 * i * length, maker.modulate(payload(i)), 1, 0.01F);
    }
    add_noise(single, 0.05F);
    BOOST_TEST(received(alone, single, 4096).size() == 20U);
    BOOST_TEST(alone.demodulations() == 20U);
    BOOST_TEST(alone.searches() <= single.size() / detector.hop() + 4);
}

// Each burst of the stronger network is received, and each that is alone; no
// burst is skipped for one that was skipped.
BOOST_DATA_TEST_CASE(without_a_pause_cost_no_more_than_the_share,
                     data::make(modulations) * data::make({ false, true }),
                     number,
                     are_alike)
{
    const auto modulation = static_cast<burst_modulation>(number);
    const burst_modulator maker(modulation, size, 1);
    const size_t length = maker.waveform().samples();
    const unsigned count = 60;
    auto samples =
        two_networks(maker, count, are_alike ? 1.2F : well_above(modulation));
    for (unsigned i = 200; i < 205; i++) {
        add(samples, samples.size(), maker.modulate(payload(i)), 1, 0.01F);
    }
    add_noise(samples, 0.05F);
    for (const double share :
         { 1.0, burst_receiver::real_time_share(modulation) }) {
        burst_receiver receiver(
            modulation, size, burst_detector::highest_frequency, share);
        const auto heard = received(receiver, samples, 4096);
        BOOST_TEST(work(receiver, samples.size()) <=
                   most_work(receiver, samples.size(), share));
        BOOST_TEST((share > 1 || receiver.skipped() > 0U));
        for (unsigned i = 0; i < count && !are_alike; i++) {
            BOOST_TEST(times(heard, 100 + i) == 1U);
        }
        for (unsigned i = 200; i < 205; i++) {
            BOOST_TEST(times(heard, i) == 1U);
        }
        BOOST_TEST(longest_gap(heard) < 1.6 * static_cast<double>(length));
    }
}

// What is searched again is so around each frequency.
BOOST_DATA_TEST_CASE(in_a_wide_search_cost_no_more_than_the_share,
                     data::make(modulations),
                     number)
{
    const auto modulation = static_cast<burst_modulation>(number);
    const burst_modulator maker(modulation, size, 1);
    const unsigned count = 60;
    auto samples = two_networks(maker, count, well_above(modulation));
    add_noise(samples, 0.05F);
    constexpr double wide = 0.36; // cycles a symbol: three searches
    for (const double share :
         { burst_receiver::real_time_share(modulation, wide), 2.0 }) {
        burst_receiver receiver(modulation, size, wide, share);
        const auto heard = received(receiver, samples, 4096);
        BOOST_TEST(work(receiver, samples.size(), 3) <=
                   most_work(receiver, samples.size(), share, 3));
        BOOST_TEST(receiver.skipped() > 0U);
        for (unsigned i = 0; i < count; i++) {
            BOOST_TEST(times(heard, 100 + i) == 1U);
        }
    }
}

// With each frequency that is searched around, a sample takes as long as 1.3
// that are demodulated (others than DSSS: 0.4). Two reach 0.248 cycles a
// symbol.
BOOST_AUTO_TEST_CASE(have_less_of_the_time_in_a_wide_search)
{
    const auto share = burst_receiver::real_time_share;
    const auto dsss = burst_modulation::OQPSK_DSSS;
    BOOST_TEST(share(dsss, 0) == 2.5);
    BOOST_TEST(share(dsss, 0.126) == 2.5);
    BOOST_TEST(share(dsss, 0.248) == 1.2, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(share(dsss, 0.25) == 1);
    BOOST_TEST(share(burst_modulation::QPSK, 0.126) == 1.5);
    for (int modulation : modulations) {
        BOOST_TEST(share(static_cast<burst_modulation>(modulation), 1) == 1);
    }
    BOOST_CHECK_THROW(share(dsss, 1.1), std::invalid_argument);
}

// The weaker one begins in the clear; it is not worked on before the stronger
// one that covers its end.
BOOST_DATA_TEST_CASE(in_pairs_without_a_pause_bring_the_stronger_ones,
                     data::make(modulations),
                     number)
{
    const auto modulation = static_cast<burst_modulation>(number);
    const unsigned count = 100;
    const auto samples = pairs(modulation, count);
    burst_receiver receiver(
        modulation, size, burst_detector::highest_frequency, 1);
    const auto heard = received(receiver, samples, 4096);
    BOOST_TEST(work(receiver, samples.size()) <=
               most_work(receiver, samples.size(), 1));
    BOOST_TEST(receiver.skipped() > count / 4);
    for (unsigned i = 0; i < count; i++) {
        BOOST_TEST(times(heard, 2 * i + 1) == 1U);
    }
}

BOOST_DATA_TEST_CASE(without_a_pause_are_the_same_in_chunks_of_any_size,
                     data::make(modulations) * data::make({ 1.2F, 5.0F }),
                     number,
                     amplitude)
{
    const auto modulation = static_cast<burst_modulation>(number);
    auto samples =
        two_networks(burst_modulator(modulation, size, 1), 60, amplitude, 0.8);
    add_noise(samples, 0.05F);
    burst_receiver receiver(
        modulation, size, burst_detector::highest_frequency, 1);
    const auto whole = received(receiver, samples, samples.size());
    BOOST_TEST(receiver.skipped() > 0U);
    for (const size_t chunk : { 97U, 1024U, 9001U }) {
        burst_receiver other(
            modulation, size, burst_detector::highest_frequency, 1);
        const auto parts = received(other, samples, chunk);
        BOOST_REQUIRE_EQUAL(parts.size(), whole.size());
        for (size_t i = 0; i < parts.size(); i++) {
            BOOST_TEST(parts[i].sample == whole[i].sample);
            BOOST_TEST(parts[i].soft_bits == whole[i].soft_bits);
        }
        BOOST_TEST(other.demodulations() == receiver.demodulations());
        BOOST_TEST(other.searches() == receiver.searches());
        BOOST_TEST(other.skipped() == receiver.skipped());
    }
}

// The second burst begins long after the first one, which has been received
// when it is its turn: what is over it must still be known then.
BOOST_DATA_TEST_CASE(by_late_bursts_cost_no_more_than_the_share,
                     data::make(modulations),
                     number)
{
    const auto modulation = static_cast<burst_modulation>(number);
    const burst_modulator maker(modulation, size, 1);
    const size_t later = maker.waveform().samples() * 7 / 10;
    std::vector<gr_complex> samples;
    for (unsigned i = 0; i < 120; i++) {
        const size_t start = samples.size();
        add(samples, start, maker.modulate(payload(2 * i)), 1.2F, 0.01F);
        add(samples,
            start + later,
            maker.modulate(payload(2 * i + 1)),
            1,
            -0.02F);
    }
    add_noise(samples, 0.05F);
    burst_receiver receiver(
        modulation, size, burst_detector::highest_frequency, 1);
    received(receiver, samples, 512);
    BOOST_TEST(receiver.skipped() > 0U);
    BOOST_TEST(work(receiver, samples.size()) <=
               most_work(receiver, samples.size(), 1));
}

// Their work is more than the credit at the beginning: it comes back.
BOOST_DATA_TEST_CASE(with_pauses_bring_both_bursts_in_real_time,
                     data::make(modulations) * data::make({ 0.126, 0.36, 1.0 }),
                     number,
                     highest)
{
    const auto modulation = static_cast<burst_modulation>(number);
    const unsigned count = 8;
    const size_t pause = highest > 0.5 ? 40 : highest > 0.2 ? 20 : 10;
    const auto samples = pairs(modulation, count, pause);
    burst_receiver receiver(
        modulation,
        size,
        highest,
        burst_receiver::real_time_share(modulation, highest));
    const auto heard = received(receiver, samples, 4096);
    for (unsigned i = 0; i < 2 * count; i++) {
        BOOST_TEST(times(heard, i) == 1U);
    }
    BOOST_TEST(receiver.skipped() == 0U);
}

BOOST_AUTO_TEST_CASE(refuse_a_share_that_bursts_alone_exceed)
{
    const double nothing = std::nan("");
    for (const double share : { 0.0, 0.99, -1.0, nothing }) {
        BOOST_CHECK_THROW(burst_receiver(burst_modulation::QPSK,
                                         size,
                                         burst_detector::highest_frequency,
                                         share),
                          std::invalid_argument);
    }
}

// A pulse over a burst disturbs it, but nothing is taken out: what was received
// at first still holds.
BOOST_DATA_TEST_CASE(cost_no_second_demodulation_without_another_burst,
                     data::make(modulations),
                     number)
{
    const auto modulation = static_cast<burst_modulation>(number);
    const burst_modulator maker(modulation, size, 1);
    const auto bits = payload(3);
    std::vector<gr_complex> samples;
    add(samples, 300, maker.modulate(bits), 1, 0.01F);
    const size_t middle = 300 + maker.waveform().samples() / 2;
    for (size_t i = middle; i < middle + maker.waveform().samples() / 20; i++) {
        samples[i] += std::polar(4.0F, 0.7F * static_cast<float>(i * i % 97));
    }
    samples.resize(samples.size() + 20000);
    add_noise(samples, 0.05F);
    burst_receiver receiver(modulation, size);
    const auto heard = received(receiver, samples, 4096);
    BOOST_REQUIRE_EQUAL(heard.size(), 1U);
    BOOST_TEST(brings(heard[0], bits));
    BOOST_TEST(receiver.demodulations() == 1U);
}

BOOST_DATA_TEST_CASE(end_when_a_burst_is_taken_out,
                     data::make(modulations),
                     number)
{
    const auto modulation = static_cast<burst_modulation>(number);
    const burst_modulator maker(modulation, size, 1);
    const auto bits = payload(5);
    const auto burst = maker.modulate(bits);
    std::vector<gr_complex> samples(200);
    add(samples, 100, burst, 2, 0.05F);
    samples.resize(samples.size() + 200);
    // An echo, which the channel of each piece holds.
    for (size_t i = samples.size() - 1; i >= 3; i--) {
        samples[i] += gr_complex(0.2F, 0.3F) * samples[i - 3];
    }
    const double cycles = 0.05 * 4 / 6.283185307179586;
    const burst_arrival arrival{
        100.0 + maker.waveform().half_span(), cycles, 1, 1, 1, 1
    };
    burst_canceller(maker.waveform())
        .cancel(&samples[100 + maker.waveform().half_span()],
                arrival,
                0,
                maker.elements(bits));
    double left = 0;
    for (const gr_complex& sample : samples) {
        left += std::norm(sample);
    }
    const auto power = left / static_cast<double>(burst.size());
    // 26 dB below the burst at least.
    BOOST_TEST(power < 4 / 400.0);
}

BOOST_AUTO_TEST_SUITE_END()
