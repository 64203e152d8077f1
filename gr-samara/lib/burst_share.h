/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_SHARE_H
#define INCLUDED_SAMARA_BURST_SHARE_H

#include "burst_waveform.h"

namespace gr {
namespace samara {

//! Sum of the squared magnitudes.
SAMARA_API float energy(const std::vector<gr_complex>& values);

/*!
 * \brief Share of the energy in a window of noise that the preamble explains.
 *
 * The mean of it; the share is distributed exponentially. The noise has gone
 * through the matched filter, hence is correlated from tick to tick.
 *
 * \param ticks of the preamble behind the matched filter
 */
SAMARA_API float mean_share_of_noise(const burst_waveform& waveform,
                                     const std::vector<gr_complex>& ticks);

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_SHARE_H */
