/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_REGRESSION_H
#define INCLUDED_SAMARA_BURST_REGRESSION_H

#include <gnuradio/gr_complex.h>
#include <gnuradio/samara/api.h>
#include <vector>

namespace gr {
namespace samara {

//! Taps that make known values out of others, and what they leave.
struct burst_fit {
    std::vector<gr_complex> taps; //!< the middle one is that of lag 0
    float error;                  //!< mean squared, of what is left
    double evidence;              //!< logarithm, up to a constant
};

/*!
 * \brief Fits taps as strongly as the values give reason to.
 *
 * One tap at lag 0 is fitted by least squares. What the others add to that is
 * fitted with a penalty on their energy (ridge regression); among several
 * penalties, the one is taken under which the values are most likely (their
 * evidence, as D. MacKay, "Bayesian interpolation", 1992, has it). In white
 * noise and no multipath, this is the single tap, and nothing is lost.
 *
 * \param inputs (count - 1) * stride + 2 * reach + 1 values, the first of them
 * reach before that which belongs to the first target
 * \param stride inputs from target to target
 */
SAMARA_API burst_fit fit_taps(const std::vector<gr_complex>& targets,
                              const gr_complex* inputs,
                              int stride,
                              int reach);

/*!
 * \brief The same, with the targets before each one as further inputs.
 *
 * \param past how many of them; their taps follow those of the inputs, that of
 * the target just before first
 */
SAMARA_API burst_fit fit_taps_with_past(const std::vector<gr_complex>& targets,
                                        const gr_complex* inputs,
                                        int stride,
                                        int reach,
                                        int past);

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_REGRESSION_H */
