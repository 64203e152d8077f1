/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "frame_opener.h"
#include "frame_sealer.h"
#include "qa_folder.h"

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <random>
#include <stdexcept>

using namespace gr::samara;

namespace {

const std::string key_text = "000102030405060708090a0b0c0d0e0f";

struct both_ends : fresh_folder {
    both_ends()
        : sealer({}, key_text, file),
          opener(std::make_unique<frame_opener>(
              frame_settings{}, key_text, receiver_file))
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

BOOST_AUTO_TEST_CASE(a_payload_that_is_too_long_uses_no_number)
{
    BOOST_CHECK_THROW(
        sealer.seal(std::vector<uint8_t>(frame_codec::max_payload + 1)),
        std::invalid_argument);
    BOOST_TEST(sealer.seal({}).number == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
