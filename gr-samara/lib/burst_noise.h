/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_NOISE_H
#define INCLUDED_SAMARA_BURST_NOISE_H

#include <cstddef>
#include <gnuradio/samara/api.h>
#include <vector>

namespace gr {
namespace samara {

/*!
 * \brief By how much the power of each block is above that of the usual block.
 *
 * A pulse, or another burst, disturbs some blocks and not the others. A block
 * counts as disturbed when its mean power is more than chance explains: by
 * itself, or together with the blocks on one side of it. So a weak disturbance
 * is found when it lasts, and does not spread to the blocks beside it.
 *
 * The usual power is that of the blocks that are not disturbed. As long as a
 * quarter of them is not, it is found.
 *
 * \param powers of the values of all blocks, one after the other; not negative
 * \param block values of one block; the last one may have fewer
 * \param freedom independent real values in a block
 * \param least a block is not disturbed below this power
 * \return a ratio for each block: exactly 1 where it is not disturbed
 */
SAMARA_API std::vector<float> excess_of_blocks(const std::vector<float>& powers,
                                               size_t block,
                                               float freedom,
                                               float least);

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_NOISE_H */
