/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_contrast.h"
#include "burst_modulator.h"
#include "burst_offset.h"
#include "burst_phase.h"
#include "burst_receiver.h"
#include "burst_regression.h"
#include "burst_share.h"
#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <random>

using namespace gr::samara;
namespace data = boost::unit_test::data;

namespace {

constexpr size_t size = 240;
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

void add_noise(std::vector<gr_complex>& samples, float deviation)
{
    std::mt19937 random(9);
    std::normal_distribution<float> normal(0, deviation);
    for (gr_complex& sample : samples) {
        sample += gr_complex(normal(random), normal(random));
    }
}

std::vector<gr_complex> tone(size_t count, float frequency, float amplitude)
{
    std::vector<gr_complex> samples(count);
    for (size_t i = 0; i < count; i++) {
        const double turns = frequency * static_cast<double>(i);
        samples[i] = std::polar(
            amplitude,
            static_cast<float>(6.283185 * (turns - std::floor(turns))));
    }
    return samples;
}

// Candidates of the whole stretches in the samples.
size_t candidates(burst_detector& detector,
                  const std::vector<gr_complex>& samples)
{
    size_t count = 0;
    const auto hop = static_cast<size_t>(detector.hop());
    const auto reach = static_cast<size_t>(detector.after());
    for (size_t i = detector.before(); i + reach < samples.size(); i += hop) {
        count += detector.search(&samples[i]).size();
    }
    return count;
}

// Bursts with silences of odd lengths, a carrier offset and some noise.
std::vector<gr_complex> train(burst_modulation modulation, unsigned bursts)
{
    const burst_modulator maker(modulation, size, 1);
    std::vector<gr_complex> samples;
    for (unsigned i = 0; i < bursts; i++) {
        samples.resize(samples.size() + 777 * i);
        const auto burst = maker.modulate(payload(i));
        samples.insert(samples.end(), burst.begin(), burst.end());
    }
    for (size_t i = 0; i < samples.size(); i++) {
        samples[i] *= std::polar(1.0F, 0.1F * static_cast<float>(i % 6283185));
    }
    add_noise(samples, 0.1F);
    return samples;
}

// A burst of DSSS whose first pulse is at \p place, at an Eb/N0 of 3 dB with
// the code of rate 1/2, and some carrier offset.
std::vector<gr_complex>
faint(size_t count, size_t place, float frequency, std::mt19937& random)
{
    const burst_modulator maker(burst_modulation::OQPSK_DSSS, size, 1);
    const size_t start = place - maker.waveform().half_span();
    const auto burst = maker.modulate(payload(random()));
    const auto carrier = tone(burst.size(), frequency / 4, 1);
    std::normal_distribution<float> normal(0, 2.85F);
    std::vector<gr_complex> samples(count);
    for (size_t i = 0; i < count; i++) {
        samples[i] = { normal(random), normal(random) };
    }
    for (size_t i = 0; i < burst.size() && start + i < count; i++) {
        samples[start + i] += burst[i] * carrier[i];
    }
    return samples;
}

std::vector<burst_reception> received(burst_modulation modulation,
                                      const std::vector<gr_complex>& samples,
                                      size_t chunk,
                                      double highest_offset = 0.126)
{
    burst_receiver receiver(modulation, size, highest_offset);
    std::vector<burst_reception> all;
    for (size_t i = 0; i < samples.size(); i += chunk) {
        const auto some =
            receiver.feed(&samples[i], std::min(chunk, samples.size() - i));
        all.insert(all.end(), some.begin(), some.end());
    }
    const auto rest = receiver.finish();
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
}

size_t errors(const burst_reception& reception,
              const std::vector<uint8_t>& bits)
{
    size_t count = 0;
    for (size_t i = 0; i < bits.size(); i++) {
        count += (reception.soft_bits[i] > 0) != (bits[i] == 1);
    }
    return count;
}

} // namespace

BOOST_AUTO_TEST_SUITE(bursts)

// The carrier of the train is turned on to each offset up to the highest one.
// A constant that is as strong as the signal is beside it.
BOOST_DATA_TEST_CASE(are_found_up_to_the_highest_offset,
                     data::make(modulations) * data::xrange(-12, 13) *
                         data::make({ 0.36, 0.248 }),
                     number,
                     step,
                     highest)
{
    const auto modulation = static_cast<burst_modulation>(number);
    const double offset = highest * step / 12;
    const double turn = offset / 4 - 0.4 / 6.283185 / 4;
    auto samples = train(modulation, 2);
    const auto carrier = tone(samples.size(), static_cast<float>(turn), 1);
    for (size_t i = 0; i < samples.size(); i++) {
        samples[i] = samples[i] * carrier[i] + 0.5F;
    }
    const auto found = received(modulation, samples, samples.size(), highest);
    BOOST_REQUIRE_EQUAL(found.size(), 2U);
    for (unsigned i = 0; i < 2; i++) {
        BOOST_TEST(errors(found[i], payload(i)) == 0U);
        BOOST_TEST(std::fabs(found[i].frequency - offset) < 2e-3);
    }
}

BOOST_AUTO_TEST_CASE(offsets_that_cannot_be_searched_are_refused)
{
    for (const double offset : { -0.1, 1.01, std::nan("") }) {
        BOOST_CHECK_THROW(burst_receiver(burst_modulation::QPSK, size, offset),
                          std::invalid_argument);
    }
}

BOOST_DATA_TEST_CASE(come_back_in_chunks_of_any_size,
                     data::make(modulations),
                     number)
{
    const auto modulation = static_cast<burst_modulation>(number);
    const auto samples = train(modulation, 4);
    const auto whole = received(modulation, samples, samples.size());
    BOOST_REQUIRE_EQUAL(whole.size(), 4U);
    for (unsigned i = 0; i < 4; i++) {
        BOOST_TEST(errors(whole[i], payload(i)) == 0U);
        BOOST_TEST(std::fabs(whole[i].frequency - 0.4 / 6.283185) < 1e-3);
    }
    for (const size_t chunk : { 1U, 13U, 1024U, 4097U }) {
        const auto parts = received(modulation, samples, chunk);
        BOOST_REQUIRE_EQUAL(parts.size(), whole.size());
        for (size_t i = 0; i < parts.size(); i++) {
            BOOST_TEST(parts[i].sample == whole[i].sample);
            BOOST_TEST(parts[i].soft_bits == whole[i].soft_bits);
        }
    }
}

BOOST_DATA_TEST_CASE(have_the_announced_length, data::make(modulations), number)
{
    const auto modulation = static_cast<burst_modulation>(number);
    const burst_modulator maker(modulation, size, 1);
    BOOST_TEST(maker.modulate(payload(1)).size() == maker.waveform().samples());
    BOOST_CHECK_THROW(maker.modulate({}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(survive_any_samples)
{
    const float infinity = std::numeric_limits<float>::infinity();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const float value : { infinity, -infinity, nan, 3e38F, 1e-42F }) {
        std::vector<gr_complex> samples(10000, gr_complex(value, value));
        auto good = train(burst_modulation::QPSK, 2);
        samples.insert(samples.end(), good.begin(), good.end());
        const auto heard = received(burst_modulation::QPSK, samples, 5000);
        BOOST_TEST(heard.size() >= 1U);
        BOOST_TEST(errors(heard.back(), payload(1)) == 0U);
    }
}

// Symbol 1 of IEEE 802.15.4, table 12-1, as it stands there.
BOOST_AUTO_TEST_CASE(have_the_chips_of_the_standard)
{
    const std::string second = "11101101100111000011010100100010";
    const std::string ninth = "10001100100101100000011101111011";
    const auto& rows = burst_waveform::chip_rows();
    for (size_t i = 0; i < second.size(); i++) {
        const auto sign = [i](gr_complex chip) {
            return (i % 2 == 0 ? chip.real() : chip.imag()) > 0 ? '1' : '0';
        };
        BOOST_TEST(sign(rows[1][i]) == second[i]);
        BOOST_TEST(sign(rows[8][i]) == ninth[i]);
    }
}

BOOST_AUTO_TEST_CASE(have_a_phase_that_is_followed_around_the_circle)
{
    const phase_grid grid;
    std::vector<float> likelihoods;
    std::vector<float> phases;
    for (int block = 0; block < 200; block++) {
        const float phase = 0.05F * static_cast<float>(block);
        phases.push_back(std::remainder(phase, 6.2831853F));
        for (int i = 0; i < phase_grid::size; i++) {
            likelihoods.push_back(20 * (std::cos(phase) * grid.cosine[i] +
                                        std::sin(phase) * grid.sine[i]));
        }
    }
    const auto found = phase_smoother(0.06F).smooth(likelihoods);
    for (size_t i = 0; i < phases.size(); i++) {
        const float off = std::remainder(found[i] - phases[i], 6.2831853F);
        BOOST_TEST(std::fabs(off) < 0.2F);
    }
}

BOOST_AUTO_TEST_CASE(have_a_channel_that_is_found_when_there_is_one)
{
    std::mt19937 random(4);
    std::normal_distribution<float> normal(0, 0.7F);
    std::vector<gr_complex> inputs(214);
    for (gr_complex& input : inputs) {
        input = gr_complex(normal(random), normal(random));
    }
    for (const float echo : { 0.0F, 0.5F }) {
        std::vector<gr_complex> targets;
        for (int i = 0; i < 200; i++) {
            const gr_complex noise(normal(random), normal(random));
            targets.push_back(inputs[i + 7] + echo * inputs[i + 4] +
                              0.1F * noise);
        }
        const auto fit = fit_taps(targets, inputs.data(), 1, 7);
        BOOST_TEST(std::abs(fit.taps[7] - 1.0F) < 0.05F);
        BOOST_TEST(std::abs(fit.taps[4] - echo) < 0.05F);
        BOOST_TEST(fit.error < 0.02F);
    }
}

// Lines of the repeated symbol of DSSS are 1/64 of the sample rate apart.
BOOST_DATA_TEST_CASE(have_no_candidates_in_tones,
                     data::make(modulations),
                     number)
{
    burst_detector detector(
        burst_waveform(static_cast<burst_modulation>(number), size));
    for (const float frequency : { 0.0F, 1 / 64.0F, -3 / 64.0F, 0.123F }) {
        for (const float amplitude : { 0.56F, 10.0F }) {
            auto samples = tone(100000, frequency, amplitude);
            add_noise(samples, 0.7F);
            // White noise has some twenty, which the estimator refuses.
            BOOST_TEST(candidates(detector, samples) < 50U);
        }
    }
}

BOOST_DATA_TEST_CASE(are_found_beside_a_constant,
                     data::make(modulations),
                     number)
{
    const auto modulation = static_cast<burst_modulation>(number);
    auto samples = train(modulation, 3);
    const auto clean = received(modulation, samples, 4096);
    for (gr_complex& sample : samples) {
        sample += gr_complex(-6, 8);
    }
    const auto heard = received(modulation, samples, 4096);
    BOOST_REQUIRE_EQUAL(heard.size(), 3U);
    for (unsigned i = 0; i < 3; i++) {
        BOOST_TEST(errors(heard[i], payload(i)) == 0U);
        BOOST_TEST(std::fabs(heard[i].sample - clean[i].sample) < 0.05);
        BOOST_TEST(heard[i].snr > clean[i].snr - 1);
    }
}

BOOST_DATA_TEST_CASE(have_a_constant_that_is_fitted_beside_them,
                     data::make(modulations),
                     number)
{
    const auto modulation = static_cast<burst_modulation>(number);
    const burst_waveform waveform(modulation, size);
    const burst_offset offset(waveform);
    const gr_complex constant(0.3F, -0.2F);
    auto samples = waveform.preamble_samples();
    BOOST_TEST(static_cast<int>(samples.size()) == offset.after());
    // The carrier turns by 0.1 cycles a symbol of 4 samples.
    for (size_t i = 0; i < samples.size(); i++) {
        samples[i] *= std::polar(2.0F, 6.283185F * 0.025F * i);
    }
    BOOST_TEST(offset.estimate(samples.data(), 0.1) == gr_complex());
    for (gr_complex& sample : samples) {
        sample += constant;
    }
    BOOST_TEST(std::abs(offset.estimate(samples.data(), 0.1) - constant) <
               1e-3F);
    add_noise(samples, 0.2F);
    const gr_complex noisy = offset.estimate(samples.data(), 0.1);
    BOOST_TEST(std::abs(noisy - constant) < 0.04F);
    // Without the frequency the preamble is noise: a worse estimate, but one.
    BOOST_TEST(noisy != offset.estimate(samples.data(), 0.05));
}

// Noise alone has no constant, but for a few windows in a thousand.
BOOST_AUTO_TEST_CASE(have_no_constant_where_there_is_none)
{
    const burst_waveform waveform(burst_modulation::QPSK, size);
    const burst_offset offset(waveform);
    std::vector<gr_complex> noise(1000 * 100 + waveform.samples());
    add_noise(noise, 1);
    int found = 0;
    for (int i = 0; i < 1000; i++) {
        found += offset.estimate(&noise[100 * i], 0) != gr_complex();
    }
    BOOST_TEST(found > 0);
    BOOST_TEST(found < 15);
}

BOOST_DATA_TEST_CASE(have_an_even_spectrum_that_a_tone_has_not,
                     data::make(modulations),
                     number)
{
    const burst_waveform waveform(static_cast<burst_modulation>(number), size);
    const auto ticks = waveform.preamble_ticks();
    burst_spectrum spectrum(ticks);
    BOOST_TEST(std::fabs(spectrum.evenness_of(ticks) - 1) < 0.1);
    for (int line = -8; line <= 8; line++) {
        const auto narrow =
            tone(ticks.size(), static_cast<float>(line) / 32, 1);
        BOOST_TEST(spectrum.evenness_of(narrow) < 0.3F);
    }
    std::vector<gr_complex> echo = ticks;
    for (size_t i = 3; i < ticks.size(); i++) {
        echo[i] += 0.7F * ticks[i - 3];
    }
    BOOST_TEST(spectrum.evenness_of(echo) > 0.4F);
}

// What a burst needs: each condition alone keeps another thing out.
BOOST_DATA_TEST_CASE(need_all_that_a_preamble_has,
                     data::make(modulations),
                     number)
{
    const burst_waveform waveform(static_cast<burst_modulation>(number), size);
    const burst_estimator estimator(waveform);
    const float noise =
        mean_share_of_noise(waveform, waveform.preamble_ticks());
    const burst_arrival good{ 0, 0, 30 * noise, noise, 0.9F, 0.9F };
    BOOST_TEST(estimator.is_burst(good));
    burst_arrival weak = good;
    weak.share = 24 * noise;
    BOOST_TEST(!estimator.is_burst(weak));
    burst_arrival usual = good;
    usual.background = 1.3F * noise;
    BOOST_TEST(!estimator.is_burst(usual));
    burst_arrival uneven = good;
    uneven.evenness = 0.5F;
    BOOST_TEST(!estimator.is_burst(uneven));
    burst_arrival narrow = good;
    narrow.spectral_evenness = 0.3F;
    BOOST_TEST(!estimator.is_burst(narrow));
}

// The look at parts costs no burst: what the estimator accepts when it is told
// the place, the detector finds. Without that look 1 is missed; with a
// threshold of 16 instead of 13, 47.
BOOST_AUTO_TEST_CASE(are_suspected_wherever_the_estimator_accepts_one)
{
    const burst_waveform waveform(burst_modulation::OQPSK_DSSS, size);
    burst_detector detector(waveform);
    burst_estimator estimator(waveform);
    const float noise =
        mean_share_of_noise(waveform, waveform.preamble_ticks());
    const size_t before = detector.before();
    std::mt19937 random(3);
    size_t accepted = 0;
    size_t missed = 0;
    for (int i = 0; i < 3000; i++) {
        const int64_t place = 1000 + i % 2;
        const float frequency = 0.001F * static_cast<float>(i % 241 - 120);
        const auto samples =
            faint(before + detector.after(), before + place, frequency, random);
        const gr_complex* start = &samples[before];
        const auto arrival =
            estimator.estimate(start + place, { place, frequency, noise });
        if (!estimator.is_burst(arrival)) {
            continue;
        }
        accepted++;
        const auto found = detector.search(start);
        missed += std::none_of(
            found.begin(), found.end(), [&](const burst_candidate& one) {
                return std::abs(one.sample - place) <= 4;
            });
    }
    BOOST_TEST(accepted >= 2000U);
    BOOST_TEST(missed <= 8U);
}

// Most symbols explain enough of the energy, few have all parts of a preamble:
// without that look there are a thousand candidates.
BOOST_AUTO_TEST_CASE(are_seldom_suspected_in_a_payload_of_the_same_rows)
{
    const size_t many = 4 * 1600;
    std::mt19937 random(4);
    std::vector<uint8_t> bits(many);
    for (uint8_t& bit : bits) {
        bit = random() & 1U;
    }
    auto samples =
        burst_modulator(burst_modulation::OQPSK_DSSS, many, 1).modulate(bits);
    samples.erase(samples.begin(), samples.begin() + 1000);
    add_noise(samples, 0.1F);
    const burst_waveform waveform(burst_modulation::OQPSK_DSSS, many);
    burst_detector detector(waveform);
    BOOST_TEST(candidates(detector, samples) <= 650U);
}

// What the residual explains is by chance; smooth, a line or two do not count.
BOOST_AUTO_TEST_CASE(stand_out_from_the_spectrum_beside_them)
{
    const burst_waveform waveform(burst_modulation::OQPSK_DSSS, size);
    const auto preamble = waveform.preamble_ticks();
    burst_contrast contrast(waveform);
    std::vector<gr_complex> wide = preamble;
    for (gr_complex& tick : wide) {
        tick *= 0.4F;
    }
    std::vector<gr_complex> narrow = wide;
    add_noise(wide, 0.7F);
    // As strong as the noise, in a fifth of its band.
    std::vector<gr_complex> noise(preamble.size() + 4);
    add_noise(noise, 0.7F / std::sqrt(5.0F));
    for (size_t i = 0; i < narrow.size(); i++) {
        narrow[i] += noise[i] + noise[i + 1] + noise[i + 2] + noise[i + 3] +
                     noise[i + 4];
    }
    const float among_wide = contrast.over_chance(wide.data());
    BOOST_TEST(among_wide > 25);
    BOOST_TEST(contrast.over_chance(narrow.data()) < 0.8F * among_wide);
    BOOST_TEST(contrast.over_chance(preamble.data()) > 1e6F);
}

// BPSK at a symbol each two ticks has the mean of noise, and more extremes.
BOOST_AUTO_TEST_CASE(stand_out_from_symbols_of_few_values)
{
    const burst_waveform waveform(burst_modulation::OQPSK_DSSS, size);
    const burst_contrast contrast(waveform);
    const size_t length = waveform.preamble_ticks().size();
    const size_t count = burst_contrast::windows + 2 * length;
    std::vector<gr_complex> ticks(count);
    std::mt19937 random(2);
    for (size_t i = 0; i < count; i += 2) {
        ticks[i] = random() & 1U ? 1 : -1;
    }
    BOOST_TEST(contrast.spread(ticks.data()) > 1.2F);
    std::vector<gr_complex> white(count);
    add_noise(white, 1);
    BOOST_TEST(contrast.spread(white.data()) < 1.4F);
    // A burst that has ended before is no reason to refuse a fainter one.
    for (size_t i = 0; i < burst_contrast::windows; i++) {
        ticks[i] *= 10;
    }
    BOOST_TEST(contrast.spread(ticks.data()) == 1.0F);
}

// Two million samples each: without the contrast some dozen bursts in all.
BOOST_AUTO_TEST_CASE(are_not_found_in_other_modulations)
{
    const burst_waveform waveform(burst_modulation::OQPSK_DSSS, size);
    for (const unsigned seed : { 1U, 2U }) {
        std::mt19937 random(seed);
        std::vector<gr_complex> samples;
        while (samples.size() < 2000000) {
            const gr_complex symbol = random() & 1U ? 3.16F : -3.16F;
            samples.insert(samples.end(), 32, symbol);
        }
        add_noise(samples, 0.7F);
        const auto heard =
            received(burst_modulation::OQPSK_DSSS, samples, 65536);
        BOOST_TEST(heard.empty());
    }
}

BOOST_AUTO_TEST_SUITE_END()
