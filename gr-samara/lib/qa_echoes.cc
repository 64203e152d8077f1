/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_feedback.h"
#include "burst_mapping.h"
#include "burst_modulator.h"
#include "burst_receiver.h"
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>

using namespace gr::samara;
namespace data = boost::unit_test::data;

namespace {

constexpr size_t size = 1200;
constexpr size_t around = 500; // samples before a burst and its echo, and after

// Bursts with an echo, and what came of them.
struct trial {
    size_t wrong = 0; // bits
    int least_echo = 1000;
    int most_echo = 0;
};

std::vector<uint8_t> random_bits(size_t count, std::mt19937& random)
{
    std::vector<uint8_t> bits(count);
    for (uint8_t& bit : bits) {
        bit = random() & 1U;
    }
    return bits;
}

// With an echo 3 dB below the first ray, a carrier offset and noise.
std::vector<gr_complex> on_air(const std::vector<gr_complex>& burst,
                               size_t late,
                               float phase,
                               float deviation,
                               std::mt19937& random)
{
    std::normal_distribution<float> normal(0, deviation);
    std::vector<gr_complex> samples(burst.size() + late);
    for (size_t i = 0; i < burst.size(); i++) {
        samples[i] += burst[i];
        samples[i + late] += late ? burst[i] * std::polar(0.7F, phase) : 0;
    }
    for (size_t i = 0; i < samples.size(); i++) {
        samples[i] *= std::polar(1.0F, 0.02F * static_cast<float>(i));
        samples[i] += gr_complex(normal(random), normal(random));
    }
    return samples;
}

std::vector<burst_reception> received(burst_modulation modulation,
                                      size_t bits,
                                      const std::vector<gr_complex>& samples)
{
    burst_receiver receiver(modulation, bits);
    auto heard = receiver.feed(samples.data(), samples.size());
    const auto rest = receiver.finish();
    heard.insert(heard.end(), rest.begin(), rest.end());
    return heard;
}

void count(trial& counted,
           const burst_reception& heard,
           const std::vector<uint8_t>& bits)
{
    for (size_t i = 0; i < bits.size(); i++) {
        counted.wrong += (heard.soft_bits[i] > 0) != (bits[i] != 0);
    }
    counted.least_echo = std::min(counted.least_echo, heard.echo);
    counted.most_echo = std::max(counted.most_echo, heard.echo);
}

trial ten_bursts(burst_modulation modulation, size_t late, float deviation)
{
    const burst_modulator maker(modulation, size, 1);
    std::mt19937 random(8);
    trial counted;
    for (unsigned i = 0; i < 10; i++) {
        const auto bits = random_bits(size, random);
        auto samples = on_air(maker.modulate(bits),
                              late,
                              static_cast<float>(i),
                              deviation,
                              random);
        samples.insert(samples.begin(), around, 0);
        samples.insert(samples.end(), around, 0);
        const auto heard = received(modulation, size, samples);
        BOOST_TEST_REQUIRE(!heard.empty());
        count(counted, heard[0], bits);
    }
    return counted;
}

// An echo four symbols late, in ticks; the phase turns from symbol to symbol.
std::vector<gr_complex> ticks_of(const std::vector<gr_complex>& symbols,
                                 int reach,
                                 float turn,
                                 float deviation)
{
    std::mt19937 random(5);
    std::normal_distribution<float> normal(0, deviation);
    std::vector<gr_complex> ticks(2 * symbols.size() + 2 * reach);
    for (size_t i = 0; i < symbols.size(); i++) {
        const gr_complex echo = i < 4 ? 0 : 0.7F * symbols[i - 4];
        gr_complex* here = &ticks[2 * i + reach];
        *here = (symbols[i] + echo) *
                std::polar(1.0F, turn * static_cast<float>(i));
        here[-1] += 0.5F * *here;
        here[1] += 0.5F * *here;
    }
    for (gr_complex& tick : ticks) {
        tick += gr_complex(normal(random), normal(random));
    }
    return ticks;
}

// By what the last quarter of a burst is multiplied in what is given out.
gr_complex gain_at_the_end(float turn, float deviation)
{
    constexpr int reach = 7;
    const burst_modulator maker(burst_modulation::QPSK, size, 1);
    std::mt19937 random(4);
    const auto symbols = maker.elements(random_bits(size, random));
    const auto ticks = ticks_of(symbols, reach, turn, deviation);
    const auto& preamble = maker.waveform().preamble();
    burst_feedback feedback(maker.waveform(), reach);
    BOOST_TEST_REQUIRE(
        feedback.fit(ticks.data(), fit_taps(preamble, ticks.data(), 2, reach)));
    BOOST_TEST(feedback.latest() >= 4);
    BOOST_TEST(feedback.latest() <= 8);
    std::vector<gr_complex> observations(symbols.size());
    feedback.equalise(ticks.data(), observations);
    gr_complex product;
    float energy = 0;
    for (size_t i = symbols.size() * 3 / 4; i < symbols.size(); i++) {
        product += observations[i] * std::conj(symbols[i]);
        energy += std::norm(symbols[i]);
    }
    return product / energy;
}

const auto lags = data::make({ 3, 5, 10, 15 }); // symbols

} // namespace

BOOST_AUTO_TEST_SUITE(qa_echoes)

// Of 12,000 bits; without decision feedback more than a tenth is wrong.
BOOST_DATA_TEST_CASE(of_16_qam_are_taken_out_by_what_was_decided, lags, lag)
{
    const auto found = ten_bursts(burst_modulation::QAM16, 4 * lag, 0.05F);
    BOOST_TEST(found.wrong <= 12U);
    BOOST_TEST(found.least_echo >= lag);
}

BOOST_DATA_TEST_CASE(of_qpsk_are_taken_out_by_what_was_decided, lags, lag)
{
    const auto found = ten_bursts(burst_modulation::QPSK, 4 * lag, 0.15F);
    BOOST_TEST(found.wrong <= 12U);
    BOOST_TEST(found.least_echo >= lag);
}

// Where noise is most of what the linear equaliser leaves.
BOOST_AUTO_TEST_CASE(of_faint_bursts_are_taken_out)
{
    const auto found = ten_bursts(burst_modulation::BPSK, 16, 0.95F);
    BOOST_TEST(found.wrong <= size);
    BOOST_TEST(found.least_echo >= 4);
}

// Decided as if they were in no doubt, they spoil 1414 of 24,000 bits.
BOOST_AUTO_TEST_CASE(of_symbols_in_doubt_spoil_little)
{
    const auto early = ten_bursts(burst_modulation::QAM16, 24, 0.3F);
    const auto late = ten_bursts(burst_modulation::QAM16, 48, 0.3F);
    BOOST_TEST(early.wrong + late.wrong <= 1280U);
}

// Least squares make what they give out too small in noise.
BOOST_AUTO_TEST_CASE(of_faint_bursts_leave_the_amplitude)
{
    for (const float deviation : { 0.1F, 0.4F }) {
        BOOST_TEST(std::abs(gain_at_the_end(0, deviation) - 1.0F) < 0.2F);
    }
}

// The phase is followed, and left in what is given out: it is the task of
// others. Where the taps are fitted, it is that of the preamble's middle.
BOOST_AUTO_TEST_CASE(leave_the_phase_as_it_is)
{
    const burst_waveform waveform(burst_modulation::QPSK, size);
    const auto count = static_cast<float>(waveform.observations());
    const auto begin = static_cast<float>(waveform.preamble().size()) / 2;
    const float turned = 0.002F * (count * 7 / 8 - begin);
    BOOST_TEST(turned > 1);
    BOOST_TEST(std::fabs(std::arg(gain_at_the_end(0.002F, 0.1F)) - turned) <
               0.1F);
}

BOOST_AUTO_TEST_CASE(that_are_not_there_are_not_taken_out)
{
    for (const auto modulation : { burst_modulation::BPSK,
                                   burst_modulation::QPSK,
                                   burst_modulation::QAM16,
                                   burst_modulation::OQPSK_DSSS }) {
        const auto found = ten_bursts(modulation, 0, 0.1F);
        BOOST_TEST(found.wrong == 0U);
        BOOST_TEST(found.most_echo == 0);
    }
}

// The first sample of what is heard is the first one of a burst, and the last
// one the last of its first ray: what is read beyond must be there.
BOOST_DATA_TEST_CASE(of_bursts_at_both_ends_of_what_is_heard,
                     data::make({ 4, 8, 1200 }),
                     bits_of_burst)
{
    const auto modulation = burst_modulation::QAM16;
    const burst_modulator maker(modulation, bits_of_burst, 1);
    std::mt19937 random(3);
    const auto bits = random_bits(bits_of_burst, random);
    const auto burst = maker.modulate(bits);
    auto samples = on_air(burst, 24, 1, 0.03F, random);
    samples.resize(burst.size());
    const auto heard = received(modulation, bits_of_burst, samples);
    BOOST_TEST_REQUIRE(heard.size() == 1U);
    trial counted;
    count(counted, heard[0], bits);
    BOOST_TEST(counted.wrong == 0U);
    BOOST_TEST(counted.least_echo >= 6);
}

// The mean over all points, weighed by their likelihoods.
BOOST_AUTO_TEST_CASE(of_symbols_in_doubt_are_those_of_their_mean)
{
    for (const burst_mapping* mapping :
         { &bpsk_mapping(), &qpsk_mapping(), &qam16_mapping() }) {
        for (const float noise : { 0.05F, 0.3F, 2.0F }) {
            const gr_complex heard(0.4F, -0.75F);
            std::complex<double> sum;
            double likelihoods = 0;
            for (unsigned symbol = 0; symbol < 16; symbol++) {
                const std::vector<uint8_t> bits{
                    static_cast<uint8_t>(symbol & 1U),
                    static_cast<uint8_t>(symbol >> 1U & 1U),
                    static_cast<uint8_t>(symbol >> 2U & 1U),
                    static_cast<uint8_t>(symbol >> 3U & 1U)
                };
                const gr_complex point = mapping->point(bits.data());
                const double likelihood =
                    std::exp(-std::norm(heard - point) / noise);
                sum += likelihood * std::complex<double>(point);
                likelihoods += likelihood;
            }
            const gr_complex mean = mapping->expected(heard, noise);
            BOOST_TEST(std::abs(std::complex<double>(mean) -
                                sum / likelihoods) < 1e-5);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
