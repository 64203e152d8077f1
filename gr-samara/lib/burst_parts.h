/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_PARTS_H
#define INCLUDED_SAMARA_BURST_PARTS_H

#include <array>
#include <gnuradio/gr_complex.h>
#include <gnuradio/samara/api.h>
#include <vector>

namespace gr {
namespace samara {

/*!
 * \brief Correlates with a preamble part by part.
 *
 * A carrier that is a little off turns from part to part. Turned back, the
 * parts of a preamble point the same way; those of a payload that happens to
 * hold some of the preamble's symbols do not.
 */
class SAMARA_API burst_parts
{
public:
    static constexpr int count = 10; // symbols, with DSSS
    static constexpr int turns = 6;  // eighths of a turn to each side
    using row = std::array<gr_complex, count>;

    //! \param reference ticks of the preamble behind the matched filter
    explicit burst_parts(const std::vector<gr_complex>& reference);

    //! The product of each part with as many ticks as the preamble has.
    row correlate(const gr_complex* ticks) const;

    //! The products, turned back by so many eighths of a turn over all of them.
    row turned(row products, int turn) const;

    //! The square of the sum of the products, turned back.
    float power_at(const row& products, int turn) const;

    /*!
     * \brief Whether parts are as much alike as those of a preamble in noise.
     *
     * \param evenness 1 when all are alike
     * \param share of the energy that the preamble explains
     * \param noise_share of white noise that it explains
     */
    static bool are_even(float evenness, float share, float noise_share);

private:
    int first_of(int part) const;

    const std::vector<gr_complex> d_reference;
    std::array<row, 2 * turns + 1> d_phases;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_PARTS_H */
