/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_PHASE_H
#define INCLUDED_SAMARA_BURST_PHASE_H

#include <array>
#include <gnuradio/samara/api.h>
#include <vector>

namespace gr {
namespace samara {

//! The phases that are told apart before they are smoothed: steps of a circle.
struct SAMARA_API phase_grid {
    static constexpr int size = 64;
    std::array<float, size> cosine;
    std::array<float, size> sine;

    phase_grid();
};

/*!
 * \brief Tracks a phase that wanders, from how likely each phase is.
 *
 * The phase is a hidden Markov chain over the grid that moves a little from
 * block to block; the forward-backward recursions weigh what all blocks, before
 * and after, say of each. Where a loop would slip, what comes later puts it
 * right.
 */
class SAMARA_API phase_smoother
{
public:
    //! \param deviation of the phase from block to block, radians
    explicit phase_smoother(float deviation);

    /*!
     * \param likelihoods logarithms, phase_grid::size for each block
     * \return the mean phase of each block, radians
     */
    std::vector<float> smooth(const std::vector<float>& likelihoods) const;

private:
    static constexpr int reach = 4; // steps that the phase moves at most

    using distribution = std::array<float, phase_grid::size>;

    distribution move(const distribution& from) const;
    float mean(const distribution& one, const distribution& other) const;

    const phase_grid d_grid;
    std::array<float, 2 * reach + 1> d_kernel;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_PHASE_H */
