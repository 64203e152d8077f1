/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_OFFSET_H
#define INCLUDED_SAMARA_BURST_OFFSET_H

#include "burst_waveform.h"

namespace gr {
namespace samara {

/*!
 * \brief The constant (DC offset) that a front end adds to its samples.
 *
 * It is fitted to the samples of a preamble together with the preamble itself,
 * by least squares: the part of the preamble that is constant is not taken for
 * an offset, and no sample outside of the preamble is read, so a payload may
 * hold a carrier. What noise alone may have made is no offset: without one,
 * nothing is changed.
 */
class SAMARA_API burst_offset
{
public:
    explicit burst_offset(const burst_waveform& waveform);

    //! Samples from that of the first element on that are read.
    int after() const { return static_cast<int>(d_preamble.size()); }

    /*!
     * \param samples from that of the first element's middle on
     * \param frequency of the carrier, cycles a symbol
     * \return the offset; 0 when there may be none
     */
    gr_complex estimate(const gr_complex* samples, double frequency) const;

private:
    const std::vector<gr_complex> d_preamble; // its samples
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_OFFSET_H */
