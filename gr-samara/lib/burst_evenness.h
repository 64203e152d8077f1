/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_EVENNESS_H
#define INCLUDED_SAMARA_BURST_EVENNESS_H

#include <array>
#include <gnuradio/fft/fft.h>
#include <gnuradio/gr_complex.h>
#include <gnuradio/samara/api.h>
#include <vector>

namespace gr {
namespace samara {

/*!
 * \brief How alike the parts of a correlation are.
 *
 * \param products the correlation with each part of the reference
 * \return 1 when all are the same, 1 / size when there is but one
 */
template <typename products>
float evenness(const products& parts)
{
    gr_complex together;
    float separate = 0;
    for (const gr_complex& part : parts) {
        together += part;
        separate += std::norm(part);
    }
    const auto count = static_cast<float>(parts.size());
    return separate > 0 ? std::norm(together) / (count * separate) : 0;
}

/*!
 * \brief Whether all of a reference's spectrum is heard, or a tone in it.
 *
 * The spectrum of the reference is cut into parts with the same energy. A tone
 * correlates with one or two of them only, however strong it is.
 */
class SAMARA_API burst_spectrum
{
public:
    static constexpr int parts = 10;

    //! \param reference ticks of the preamble behind the matched filter
    explicit burst_spectrum(const std::vector<gr_complex>& reference);

    //! \param heard as many ticks, with the carrier turned back
    float evenness_of(const std::vector<gr_complex>& heard);

private:
    void cut();

    fft::fft_complex_fwd d_transform;
    std::vector<gr_complex> d_reference; // spectrum
    std::vector<int> d_part;             // of each frequency
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_EVENNESS_H */
