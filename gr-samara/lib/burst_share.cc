/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_share.h"

namespace gr {
namespace samara {

float energy(const std::vector<gr_complex>& values)
{
    float sum = 0;
    for (const gr_complex& value : values) {
        sum += std::norm(value);
    }
    return sum;
}

float mean_share_of_noise(const burst_waveform& waveform,
                          const std::vector<gr_complex>& ticks)
{
    const int count = static_cast<int>(ticks.size());
    float explained = energy(ticks);
    for (int lag = 1; lag < 8; lag++) {
        float product = 0;
        for (int i = lag; i < count; i++) {
            product += std::real(ticks[i] * std::conj(ticks[i - lag]));
        }
        explained += 2 * product * waveform.autocorrelation(0.5F * lag);
    }
    return explained / (energy(ticks) * static_cast<float>(count));
}

} // namespace samara
} // namespace gr
