/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "likelihood.h"

#include <algorithm>
#include <cmath>

namespace gr {
namespace samara {

double likelihood_scale(const std::vector<float>& soft)
{
    double second = 0;
    double fourth = 0;
    for (const float value : soft) {
        const double square = static_cast<double>(value) * value;
        second += square;
        fourth += square * square;
    }
    second /= static_cast<double>(soft.size());
    fourth /= static_cast<double>(soft.size());
    // For +-a in noise of variance v: second = a^2 + v and
    // fourth = a^4 + 6 a^2 v + 3 v^2, so a^4 = (3 second^2 - fourth) / 2.
    const double power =
        std::sqrt(std::max(0.0, (3 * second * second - fourth) / 2));
    // Without noise, or nearly so, all values are sure enough.
    const double variance = std::max(second - power, second / 1000);
    const double scale = 2 * std::sqrt(power) / variance;
    return std::isfinite(scale) ? scale : 0;
}

std::vector<int8_t> log_likelihoods(const std::vector<float>& soft,
                                    double scale)
{
    constexpr double eighths = 8;
    const double factor = -eighths * scale;
    std::vector<int8_t> result(soft.size());
    std::transform(soft.begin(), soft.end(), result.begin(), [=](float value) {
        // In this order a NaN becomes a number.
        return static_cast<int8_t>(
            std::lround(std::min(127.0, std::max(-127.0, factor * value))));
    });
    return result;
}

} // namespace samara
} // namespace gr
