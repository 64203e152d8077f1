/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_MAPPING_H
#define INCLUDED_SAMARA_BURST_MAPPING_H

#include "burst_phase.h"
#include <cstdint>
#include <gnuradio/gr_complex.h>
#include <gnuradio/samara/api.h>
#include <vector>

namespace gr {
namespace samara {

/*!
 * \brief Mapping of a linear modulation: bits of a symbol to a point and back.
 *
 * Points have a mean squared magnitude of 1. Observations are points in complex
 * white noise, the phase of which is known unless said otherwise.
 */
class SAMARA_API burst_mapping
{
public:
    virtual ~burst_mapping() = default;

    /*!
     * \param bits of one symbol, one in the least significant place of each
     * byte
     */
    virtual gr_complex point(const uint8_t* bits) const = 0;

    //! The point that is nearest to an observation.
    virtual gr_complex nearest(gr_complex observation) const = 0;

    //! The mean of the points, each as likely as an observation makes it.
    virtual gr_complex expected(gr_complex observation, float noise) const = 0;

    /*!
     * \brief Appends ln P(bit = 1) - ln P(bit = 0) for each bit of a symbol.
     *
     * \param noise variance
     */
    virtual void append_soft_bits(gr_complex observation,
                                  float noise,
                                  std::vector<float>& soft) const = 0;

    /*!
     * \brief How many phases of the grid differ: after them the points repeat.
     *
     * A divisor of phase_grid::size.
     */
    virtual int period() const = 0;

    /*!
     * \brief Adds the logarithm of the likelihood of each phase, up to a
     * constant, for an observation of an unknown symbol.
     *
     * \param noise variance
     * \param sums period() of them
     */
    virtual void add_likelihoods(gr_complex observation,
                                 float noise,
                                 const phase_grid& grid,
                                 float* sums) const = 0;
};

//! The mappings of the table of modulations.
SAMARA_API const burst_mapping& bpsk_mapping();
SAMARA_API const burst_mapping& qpsk_mapping();
SAMARA_API const burst_mapping& qam16_mapping();

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_MAPPING_H */
