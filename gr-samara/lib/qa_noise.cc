/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_noise.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <random>

using namespace gr::samara;

namespace {

constexpr size_t block = 8;

// Squares of Gaussian values with a variance of 4.
std::vector<float> quiet(size_t blocks, unsigned seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0, 2);
    std::vector<float> powers(blocks * block);
    for (float& power : powers) {
        const float value = normal(random);
        power = value * value;
    }
    return powers;
}

std::vector<float> excess(const std::vector<float>& powers)
{
    return excess_of_blocks(powers, block, block, 0.01F);
}

} // namespace

BOOST_AUTO_TEST_SUITE(noise_of_blocks)

BOOST_AUTO_TEST_CASE(is_the_usual_one_where_nothing_disturbs)
{
    size_t disturbed = 0;
    for (unsigned seed = 0; seed < 20; seed++) {
        for (const float ratio : excess(quiet(500, seed))) {
            disturbed += ratio != 1;
        }
    }
    // Of 10,000 blocks.
    BOOST_TEST(disturbed < 20U);
}

BOOST_AUTO_TEST_CASE(is_told_where_something_disturbs)
{
    for (const float factor : { 20.0F, 100.0F, 1e6F }) {
        for (const size_t first : { 0U, 100U, 170U }) {
            auto powers = quiet(200, 3);
            for (size_t i = first * block; i < (first + 30) * block; i++) {
                powers[i] *= factor;
            }
            const auto found = excess(powers);
            BOOST_REQUIRE_EQUAL(found.size(), 200U);
            for (size_t i = 0; i < found.size(); i++) {
                const bool is_disturbed = i >= first && i < first + 30;
                BOOST_TEST((found[i] > 1) == is_disturbed);
                if (is_disturbed) {
                    BOOST_TEST(found[i] > factor / 4);
                    BOOST_TEST(found[i] < factor * 5);
                }
            }
        }
    }
}

// As many as three in four may be disturbed, whatever the others' power is.
BOOST_AUTO_TEST_CASE(is_that_of_the_quiet_quarter)
{
    for (const float scale : { 1e-3F, 1.0F, 1e3F }) {
        auto powers = quiet(400, 5);
        for (size_t i = 0; i < powers.size(); i++) {
            powers[i] *= i < 280 * block ? 1000 * scale : scale;
        }
        const auto found = excess(powers);
        for (size_t i = 0; i < found.size(); i++) {
            BOOST_TEST((found[i] > 100) == (i < 280));
            BOOST_TEST((found[i] == 1) == (i >= 280));
        }
    }
}

// A single block needs more than many in a row.
BOOST_AUTO_TEST_CASE(is_told_of_weak_ones_that_last)
{
    auto powers = quiet(400, 7);
    std::fill_n(powers.begin() + 20 * block, block, 10.0F);
    for (size_t i = 100 * block; i < 150 * block; i++) {
        powers[i] *= 4;
    }
    const auto found = excess(powers);
    BOOST_TEST(found[20] == 1);
    const auto disturbed = std::count_if(found.begin() + 100,
                                         found.begin() + 150,
                                         [](float ratio) { return ratio > 1; });
    BOOST_TEST(disturbed > 40);
    for (size_t i = 0; i < found.size(); i++) {
        BOOST_TEST((found[i] == 1 || (i >= 100 && i < 150)));
    }
}

BOOST_AUTO_TEST_CASE(is_usual_below_the_least_power)
{
    auto powers = std::vector<float>(100 * block, 1e-9F);
    std::fill_n(powers.begin(), 10 * block, 1e-5F);
    for (const float ratio : excess(powers)) {
        BOOST_TEST(ratio == 1);
    }
}

BOOST_AUTO_TEST_CASE(is_told_of_short_bursts)
{
    BOOST_TEST(excess({}).empty());
    for (const size_t count : { 1U, 7U, 8U, 9U, 17U }) {
        const auto found = excess(std::vector<float>(count, 3));
        BOOST_REQUIRE_EQUAL(found.size(), (count + 7) / 8);
        for (const float ratio : found) {
            BOOST_TEST(ratio == 1);
        }
    }
    std::vector<float> last(33, 1);
    last[32] = 100;
    BOOST_TEST(excess(last).back() == 100.0F);
}

BOOST_AUTO_TEST_SUITE_END()
