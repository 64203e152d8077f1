/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_MATCHED_FILTER_H
#define INCLUDED_SAMARA_BURST_MATCHED_FILTER_H

#include "burst_waveform.h"
#include <volk/volk_alloc.hh>

namespace gr {
namespace samara {

/*!
 * \brief The filter matched to the pulse, read between the samples.
 *
 * A bank of the same filter at steps of 1/64 sample: the reading in between and
 * the filter are one inner product.
 */
class SAMARA_API burst_matched_filter
{
public:
    explicit burst_matched_filter(const burst_waveform& waveform);

    //! Samples that are read before and after a position.
    int reach() const { return d_half_span + 1; }

    /*!
     * \brief Reads at every tick.
     *
     * \param samples number 0 of them; those around the positions must exist
     * \param start position of the first tick, in samples
     * \param step samples from tick to tick
     */
    void ticks(const gr_complex* samples,
               double start,
               double step,
               size_t count,
               gr_complex* output) const;

private:
    static constexpr int steps = 64;

    gr_complex product(const gr_complex* samples, int step) const;

    const int d_half_span;
    const int d_size; // taps of one filter
    const int d_row;  // from one filter to the next
    // VOLK 2.5 wants the taps aligned, even where the samples are not.
    volk::vector<float> d_taps;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_MATCHED_FILTER_H */
