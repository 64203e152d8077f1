/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_DEMAPPER_H
#define INCLUDED_SAMARA_BURST_DEMAPPER_H

#include "burst_phase.h"
#include "burst_waveform.h"
#include <memory>

namespace gr {
namespace samara {

/*!
 * \brief What observations say of phase, elements and bits.
 *
 * Observations are elements of magnitude 1, on average, in noise of a known
 * variance. The preamble is the first of them.
 */
class SAMARA_API burst_demapper
{
public:
    virtual ~burst_demapper() = default;

    static std::unique_ptr<burst_demapper> make(const burst_waveform& waveform);

    /*!
     * \brief How likely each phase is, the elements being known or not.
     *
     * \param noise variance
     * \param first of the observations; those of one block follow
     * \param count less than a block at the end of the burst
     * \param logarithms phase_grid::size of them
     */
    virtual void likelihoods(const gr_complex* observations,
                             size_t first,
                             size_t count,
                             float noise,
                             float* logarithms) const = 0;

    //! The most likely elements of the payload; preamble and pilots as known.
    virtual void decide(const std::vector<gr_complex>& observations,
                        std::vector<gr_complex>& elements) const = 0;

    /*!
     * \brief ln P(bit = 1) - ln P(bit = 0) of all bits of the payload.
     *
     * \param noise variance in each block of observations
     */
    virtual std::vector<float>
    soft_bits(const std::vector<gr_complex>& observations,
              const std::vector<float>& noise) const = 0;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_DEMAPPER_H */
