/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_ESTIMATOR_H
#define INCLUDED_SAMARA_BURST_ESTIMATOR_H

#include "burst_detector.h"
#include "burst_evenness.h"
#include "burst_offset.h"
#include "burst_parts.h"
#include <array>

namespace gr {
namespace samara {

//! Where a burst begins and how fast its carrier turns.
struct burst_arrival {
    double sample;    //!< of the middle of the first element's pulse
    double frequency; //!< cycles a symbol
    float share;      //!< of the energy that the preamble explains, 0 to 1
    float background; //!< what it explains around the arrival
    float evenness;   //!< of the preamble's parts: 1 when all are alike
    float spectral_evenness; //!< of the parts of its spectrum
};

/*!
 * \brief Finds time and frequency of a candidate together, exactly.
 *
 * The samples are turned back by the candidate's frequency before the matched
 * filter, the correlation is taken at each sample and at eighths of a turn over
 * the preamble, and a parabola through the largest value and its neighbours
 * gives what is between. A constant that the front end adds is taken out first.
 */
class SAMARA_API burst_estimator
{
public:
    explicit burst_estimator(const burst_waveform& waveform);

    //! Samples before and after that of a candidate that are read.
    int before() const { return d_filter.reach() + shifts; }
    int after() const;

    /*!
     * \brief Whether an arrival explains more of the energy than noise does,
     * and than the samples around it do, and all parts of the preamble and of
     * its spectrum are there.
     *
     * With DSSS the payload is of the same 16 rows as the preamble, and some of
     * its symbols are those of the preamble wherever one looks.
     */
    bool is_burst(const burst_arrival& arrival) const;

    /*!
     * \param samples from the candidate's on; before() of them before it and
     * after() of them from it on must exist
     */
    burst_arrival estimate(const gr_complex* samples,
                           const burst_candidate& candidate);

private:
    static constexpr int shifts = 4; // samples to each side
    static constexpr int turns = burst_parts::turns;
    using grid = float[2 * shifts + 1][2 * turns + 1];

    void filter(const gr_complex* samples, double frequency);
    float spectral_evenness(int shift, double eighths);
    const gr_complex* ticks_from(int shift) const;
    float share(int shift, float power) const;

    const burst_matched_filter d_filter;
    const burst_offset d_offset;
    const std::vector<gr_complex> d_reference;
    const burst_parts d_parts;
    burst_spectrum d_spectrum;
    const int d_length;        // of the preamble, ticks
    const float d_noise_share; // of noise that the preamble explains
    const float d_energy;      // of the reference
    std::vector<gr_complex> d_turned;
    std::array<std::vector<gr_complex>, burst_waveform::samples_per_tick>
        d_filtered; // at ticks, from each sample of the first one on
    std::vector<gr_complex> d_heard; // the preamble, carrier turned back
};

//! Samples without \p offset, turned back by \p frequency cycles a symbol.
SAMARA_API void turn_back(const gr_complex* samples,
                          size_t count,
                          gr_complex offset,
                          double frequency,
                          std::vector<gr_complex>& output);

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_ESTIMATOR_H */
