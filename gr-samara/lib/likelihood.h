/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_LIKELIHOOD_H
#define INCLUDED_SAMARA_LIKELIHOOD_H

#include <cstdint>
#include <gnuradio/samara/api.h>
#include <vector>

namespace gr {
namespace samara {

/*!
 * \brief What to multiply soft values with to get log-likelihood ratios.
 *
 * \details
 * Takes them for antipodal values in Gaussian noise, whose amplitude and
 * variance follow from the second and fourth moments.
 */
SAMARA_API double likelihood_scale(const std::vector<float>& soft);

/*!
 * \brief Soft values as log-likelihood ratios in eighths.
 *
 * \param soft positive for bit 1, as GNU Radio's decoders have it
 * \param scale see likelihood_scale()
 * \returns positive for bit 0, as samara's C library has it
 */
SAMARA_API std::vector<int8_t> log_likelihoods(const std::vector<float>& soft,
                                               double scale);

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_LIKELIHOOD_H */
