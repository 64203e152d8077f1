/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_CANCELLER_H
#define INCLUDED_SAMARA_BURST_CANCELLER_H

#include "burst_estimator.h"
#include "burst_modulator.h"

namespace gr {
namespace samara {

/*!
 * \brief Takes a burst whose elements are known out of the samples.
 *
 * The burst is made as it was sent, with the carrier and the clock that it was
 * received with. Piece by piece it goes through the channel that explains most
 * of the samples (least squares), and what that gives is subtracted. A piece is
 * so long that little of anything else is explained, and so short that the
 * phase stands still.
 */
class SAMARA_API burst_canceller
{
public:
    explicit burst_canceller(const burst_waveform& waveform);

    /*!
     * \param samples from the whole sample of \p arrival on; those of the whole
     * burst, the ends of its first and last pulse included, must exist
     * \param arrival of the burst
     * \param clock by how much the transmitter's is slower, a ratio
     * \param elements of the burst
     */
    void cancel(gr_complex* samples,
                const burst_arrival& arrival,
                double clock,
                const std::vector<gr_complex>& elements) const;

private:
    std::vector<gr_complex> sent(double frequency,
                                 const std::vector<gr_complex>& elements) const;

    const burst_modulator d_modulator;
    const int d_half_span;
    const double d_middle; // of the preamble: samples after its first element
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_CANCELLER_H */
