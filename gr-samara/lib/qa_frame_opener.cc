/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "frame_opener.h"
#include "frame_sealer.h"
#include "qa_folder.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <random>
#include <stdexcept>

using namespace gr::samara;

namespace {

const std::string key_text = "000102030405060708090a0b0c0d0e0f";
const std::string next_key_text = "ffeeddccbbaa99887766554433221100";

struct both_ends : fresh_folder {
    explicit both_ends(const frame_settings& settings = {})
        : sealer(settings, key_text, file),
          opener(
              std::make_unique<frame_opener>(settings, key_text, receiver_file))
    {
    }
    ~both_ends()
    {
        opener.reset();
        ::unlink(receiver_file.c_str());
        ::unlink((receiver_file + ".lock").c_str());
    }

    std::vector<float> seal(const std::vector<uint8_t>& payload)
    {
        std::vector<float> soft;
        for (const uint8_t bit : sealer.seal(payload).bits) {
            soft.push_back(bit ? 3.0f : -3.0f);
        }
        return soft;
    }

    const std::string receiver_file = file + "-receiver";
    frame_sealer sealer;
    std::unique_ptr<frame_opener> opener;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(qa_frame_opener, both_ends)

BOOST_AUTO_TEST_CASE(a_frame_is_found_and_opened_once)
{
    const std::vector<uint8_t> payload{ 1, 2, 3 };
    for (int i = 0; i < 100; i++) {
        (void)seal(payload);
    }
    const auto soft = seal(payload);
    const auto opened = opener->open(soft, std::nullopt);
    BOOST_TEST(opened.number == 100u);
    BOOST_TEST(opened.payload == payload);
    BOOST_CHECK_THROW(opener->open(soft, std::nullopt), std::runtime_error);
    BOOST_CHECK_THROW(opener->open(soft, 100), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(a_restarted_receiver_opens_no_old_frame)
{
    const auto soft = seal({ 1 });
    (void)opener->open(soft, std::nullopt);
    opener.reset();
    opener = std::make_unique<frame_opener>(
        frame_settings{}, key_text, receiver_file);
    BOOST_CHECK_THROW(opener->open(soft, std::nullopt), std::runtime_error);
    BOOST_TEST(opener->open(seal({ 2 }), std::nullopt).number == 1u);
}

// Any number of values, any pattern: infinities, NaNs, the smallest numbers.
BOOST_AUTO_TEST_CASE(what_is_no_frame_is_refused)
{
    std::mt19937 random(3);
    for (int round = 0; round < 300; round++) {
        std::vector<float> soft(random() % 300);
        for (float& value : soft) {
            const uint32_t pattern = static_cast<uint32_t>(random());
            std::memcpy(&value, &pattern, sizeof value);
        }
        BOOST_CHECK_THROW(opener->open(soft, std::nullopt), std::exception);
    }
    const auto opened = opener->open(seal({ 7 }), std::nullopt);
    BOOST_TEST(opened.number == 0u);
}

// Frames are lost, and with them the first ones under the next key: it is
// looked for among as many numbers as the wide window has.
BOOST_AUTO_TEST_CASE(the_next_key_is_found_after_losses)
{
    const key next = key::from_text(next_key_text);
    sealer.set_key({ next, 3 });
    opener->set_key({ next, 3 });
    BOOST_TEST(opener->open(seal({ 1 }), std::nullopt).number == 0u);
    BOOST_TEST(opener->open(seal({ 2 }), std::nullopt).number == 1u);
    std::vector<float> last_within;
    for (int number = 2; number < 3 + samara_ple_sync_wide_window; number++) {
        last_within = seal({ 3 });
    }
    const auto first_beyond = seal({ 4 });
    BOOST_CHECK_THROW(opener->open(first_beyond, std::nullopt),
                      std::runtime_error);
    BOOST_TEST(opener->open(last_within, std::nullopt).number == 4098u);
    BOOST_TEST(opener->open(first_beyond, std::nullopt).number == 4099u);
}

// What was tried under the present key counts when the next one's numbers are:
// soft values that are just enough for one window are too little for both.
BOOST_AUTO_TEST_CASE(both_keys_share_one_budget)
{
    const key next = key::from_text(next_key_text);
    samara_ple_link link{};
    std::copy_n(next.data(), key::size, link.key);
    sealer.set_key({ next, 1 });
    (void)seal({ 1 });
    auto soft = seal({ 3 });
    const auto is_found = [&](uint32_t tested) {
        std::vector<int8_t> ratios;
        for (const float value : soft) {
            ratios.push_back(static_cast<int8_t>(-8 * value));
        }
        samara_ple_sync_found found;
        return samara_ple_sync_scan(&found,
                                    &link,
                                    1,
                                    samara_ple_sync_wide_window,
                                    tested,
                                    ratios.data(),
                                    ratios.size());
    };
    size_t erased = 0;
    while (is_found(samara_ple_sync_wide_window)) {
        soft[erased++] = 0;
    }
    BOOST_TEST(erased > 0U);
    BOOST_TEST(is_found(0));
    opener.reset();
    opener = std::make_unique<frame_opener>(
        frame_settings{}, key_text, receiver_file, 0, true);
    opener->set_key({ next, 1 });
    BOOST_CHECK_THROW(opener->open(soft, std::nullopt), std::runtime_error);
}

// A frame that is refused is a miss: the search goes further.
BOOST_AUTO_TEST_CASE(a_number_from_elsewhere_is_not_below_the_last_one)
{
    const auto first = seal({ 1 });
    const auto second = seal({ 2 });
    BOOST_CHECK_THROW(opener->open(first, 1), std::runtime_error);
    BOOST_TEST(opener->next_frame() == 0u);
    BOOST_TEST(opener->open(second, 1).number == 1u);
    BOOST_CHECK_THROW(opener->open(first, 0), std::runtime_error);
    BOOST_TEST(opener->next_frame() == 2u);
}

// Codes without a syndrome: frames are opened in order until the search is
// LOCKED, and then some are lost, at most as many as the wide window holds.
BOOST_AUTO_TEST_CASE(a_frame_after_a_gap_is_opened_at_once)
{
    for (const auto code : { frame_code::NONE, frame_code::POLAR }) {
        for (const uint64_t lost : { 7U, 8U, 9U, 255U }) {
            frame_settings settings;
            settings.code = code;
            both_ends ends(settings);
            ends.opener.reset();
            ends.opener = std::make_unique<frame_opener>(
                settings, key_text, ends.receiver_file, 1);
            for (int i = 0; i < 4; i++) {
                (void)ends.opener->open(ends.seal({ 1 }), std::nullopt);
            }
            for (uint64_t i = 0; i < lost; i++) {
                (void)ends.seal({ 2 });
            }
            const auto opened =
                ends.opener->open(ends.seal({ 3 }), std::nullopt);
            BOOST_TEST(opened.number == 4 + lost);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_payload_that_is_too_long_uses_no_number)
{
    BOOST_CHECK_THROW(
        sealer.seal(std::vector<uint8_t>(frame_codec::max_payload + 1)),
        std::invalid_argument);
    BOOST_TEST(sealer.seal({}).number == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
