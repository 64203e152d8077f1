/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_demapper.h"

#include "burst_linear_demapper.h"
#include "burst_spread_demapper.h"

namespace gr {
namespace samara {

std::unique_ptr<burst_demapper>
burst_demapper::make(const burst_waveform& waveform)
{
    if (waveform.spread()) {
        return std::make_unique<burst_spread_demapper>(waveform);
    }
    return std::make_unique<burst_linear_demapper>(waveform);
}

} // namespace samara
} // namespace gr
