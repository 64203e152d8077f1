/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_LIKELIHOOD_H
#define INCLUDED_SAMARA_LIKELIHOOD_H

#include <cstdint>
#include <gnuradio/samara/api.h>
#include <vector>

namespace gr {
namespace samara {

/*!
 * \brief Soft values of any scale as log-likelihood ratios in eighths.
 *
 * \details
 * Takes them for antipodal values in Gaussian noise, whose amplitude and
 * variance follow from the second and fourth moments.
 *
 * \param soft positive for bit 1, as GNU Radio's decoders have it
 * \returns positive for bit 0, as samara's C library has it
 */
SAMARA_API std::vector<int8_t> log_likelihoods(const std::vector<float>& soft);

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_LIKELIHOOD_H */
