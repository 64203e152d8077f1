/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <gnuradio/samara/frame_codec.h>
#include <limits>
#include <random>
#include <vector>

using namespace gr::samara;
namespace data = boost::unit_test::data;

namespace {

const std::string key_text = "000102030405060708090a0b0c0d0e0f";
const std::vector<int> codes{ 0, 1, 2 };
const std::vector<int> checks{ 0, 1 };
// An empty payload, short ones, and more frames than are made in one go.
const std::vector<size_t> sizes{ 0, 1, 7, 60 };
constexpr size_t frames = 67;
constexpr uint64_t first = 1000;

frame_codec::sptr
codec_of(int code, int check, frame_cipher cipher = frame_cipher::PLE)
{
    return frame_codec::make(static_cast<frame_code>(code),
                             static_cast<frame_check>(check),
                             key_text,
                             1,
                             2,
                             cipher);
}

struct sealed_frames {
    sealed_frames(frame_codec& codec, size_t size)
        : payloads(frames * size), bits(frames * codec.coded_bits(size))
    {
        std::generate(payloads.begin(), payloads.end(), std::ref(random));
        for (size_t i = 0; i < frames; i++) {
            counters.push_back(first + i);
        }
        codec.encode(payloads.data(), size, frames, first, bits.data());
        for (const uint8_t bit : bits) {
            BOOST_REQUIRE(bit <= 1);
            soft.push_back(bit ? 0.1f : -0.1f);
        }
    }

    std::mt19937 random{ 1 };
    std::vector<uint8_t> payloads;
    std::vector<uint8_t> bits;
    std::vector<float> soft;
    std::vector<uint64_t> counters;
};

} // namespace

BOOST_DATA_TEST_CASE(payloads_come_back,
                     data::make(codes) * data::make(checks) * data::make(sizes),
                     code,
                     check,
                     size)
{
    const auto codec = codec_of(code, check);
    sealed_frames sealed(*codec, size);
    std::vector<uint8_t> opened(sealed.payloads.size());
    std::vector<uint8_t> good(frames);
    codec->decode(sealed.soft.data(),
                  size,
                  frames,
                  sealed.counters.data(),
                  opened.data(),
                  good.data());
    BOOST_TEST(opened == sealed.payloads);
    BOOST_TEST(std::count(good.begin(), good.end(), 1) == long(frames));
}

BOOST_DATA_TEST_CASE(what_the_check_refuses_is_not_released,
                     data::make(codes) * data::make(checks),
                     code,
                     check)
{
    constexpr size_t size = 20;
    const auto codec = codec_of(code, check);
    sealed_frames sealed(*codec, size);
    std::fill(sealed.counters.begin(), sealed.counters.end(), first - 1);
    std::vector<uint8_t> opened(sealed.payloads.size(), 0xff);
    std::vector<uint8_t> good(frames, 1);
    codec->decode(sealed.soft.data(),
                  size,
                  frames,
                  sealed.counters.data(),
                  opened.data(),
                  good.data());
    BOOST_TEST(std::count(good.begin(), good.end(), 0) == long(frames));
    BOOST_TEST(std::count(opened.begin(), opened.end(), 0) ==
               long(opened.size()));
}

BOOST_DATA_TEST_CASE(any_soft_values_are_taken, data::make(codes), code)
{
    constexpr size_t size = 12;
    const auto codec = codec_of(code, 0);
    const size_t bits = codec->coded_bits(size);
    std::mt19937 random(2);
    for (int round = 0; round < 200; round++) {
        std::vector<float> soft(bits);
        for (float& value : soft) {
            // Any pattern: infinities, NaNs, the smallest and largest numbers.
            const uint32_t pattern = static_cast<uint32_t>(random());
            std::memcpy(&value, &pattern, sizeof value);
        }
        const uint64_t counter = random();
        std::vector<uint8_t> opened(size);
        uint8_t good = 1;
        codec->decode(soft.data(), size, 1, &counter, opened.data(), &good);
        BOOST_TEST(good == 0);
    }
}

BOOST_DATA_TEST_CASE(a_size_follows_from_the_bits, data::make(codes), code)
{
    const auto codec = codec_of(code, 0);
    for (size_t size = 0; size <= 300; size++) {
        const auto found = codec->payload_size(codec->coded_bits(size));
        BOOST_REQUIRE(found);
        BOOST_TEST(codec->coded_bits(*found) == codec->coded_bits(size));
        BOOST_TEST((*found == size || code == 2));
    }
    BOOST_TEST(!codec->payload_size(0));
    BOOST_TEST(!codec->payload_size(31));
    BOOST_TEST(!codec->payload_size(std::numeric_limits<size_t>::max()));
    BOOST_CHECK_THROW(codec->coded_bits(frame_codec::max_payload + 1),
                      std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(the_counter_has_an_end)
{
    constexpr uint64_t highest = std::numeric_limits<uint64_t>::max();
    const auto codec = codec_of(0, 0);
    const uint8_t payload = 0;
    std::vector<uint8_t> bits(2 * codec->coded_bits(1));
    codec->encode(&payload, 1, 1, highest - 1, bits.data());
    BOOST_CHECK_THROW(codec->encode(&payload, 1, 1, highest, bits.data()),
                      std::invalid_argument);
}
