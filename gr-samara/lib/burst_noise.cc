/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_noise.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gr {
namespace samara {

namespace {

constexpr size_t side = 4; // blocks beside one that are looked at with it
constexpr int rounds = 3;  // until the usual power no longer changes

// The mean of n squares of Gaussian values exceeds 1 + this / sqrt(n / 2) about
// twice in ten thousand blocks.
constexpr float deviations = 5.5F;

// A quarter of all means of eight squares is below this part of their mean.
constexpr float lower_quartile = 0.65F;

float threshold(float freedom)
{
    return 1 + deviations / std::sqrt(freedom / 2);
}

std::vector<float> means(const std::vector<float>& powers, size_t block)
{
    std::vector<float> result;
    for (size_t first = 0; first < powers.size(); first += block) {
        const size_t count = std::min(block, powers.size() - first);
        const auto from = powers.begin() + static_cast<ptrdiff_t>(first);
        result.push_back(
            std::accumulate(from, from + static_cast<ptrdiff_t>(count), 0.0F) /
            static_cast<float>(count));
    }
    return result;
}

// The smaller one of the means with the blocks before and with those after.
// At the ends of the burst there is one of them only.
std::vector<float> means_of_sides(const std::vector<float>& values)
{
    const size_t count = values.size();
    std::vector<double> sums(count + 1);
    for (size_t i = 0; i < count; i++) {
        sums[i + 1] = sums[i] + values[i];
    }
    std::vector<float> result(count);
    const auto mean = [&](size_t first) {
        return static_cast<float>((sums[first + side + 1] - sums[first]) /
                                  (side + 1));
    };
    for (size_t i = 0; i < count; i++) {
        const bool has_before = i >= side;
        const bool has_after = i + side < count;
        const float before = has_before ? mean(i - side) : 0;
        const float after = has_after ? mean(i) : 0;
        result[i] = has_before && has_after ? std::min(before, after)
                                            : std::max(before, after);
    }
    return result;
}

float quartile(std::vector<float> values)
{
    const auto place =
        values.begin() + static_cast<ptrdiff_t>(values.size() / 4);
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

} // namespace

std::vector<float> excess_of_blocks(const std::vector<float>& powers,
                                    size_t block,
                                    float freedom,
                                    float least)
{
    const std::vector<float> own = means(powers, block);
    const std::vector<float> sides = means_of_sides(own);
    std::vector<float> excess(own.size(), 1);
    if (own.empty()) {
        return excess;
    }
    const float alone = threshold(freedom);
    const float together = threshold(freedom * (side + 1));
    float usual = std::max(quartile(own) / lower_quartile, least);
    for (int round = 0; round < rounds; round++) {
        double sum = 0;
        size_t count = 0;
        for (size_t i = 0; i < own.size(); i++) {
            const bool is_disturbed =
                own[i] > alone * usual || sides[i] > together * usual;
            excess[i] = is_disturbed ? std::max(own[i], sides[i]) / usual : 1;
            sum += is_disturbed ? 0 : own[i];
            count += is_disturbed ? 0 : 1;
        }
        if (count > 0) {
            usual = std::max(
                static_cast<float>(sum / static_cast<double>(count)), least);
        }
    }
    return excess;
}

} // namespace samara
} // namespace gr
