/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_CONTRAST_H
#define INCLUDED_SAMARA_BURST_CONTRAST_H

#include "burst_estimator.h"

namespace gr {
namespace samara {

/*!
 * \brief How far a preamble stands out from the signal that is heard with it.
 *
 * The threshold of the estimator holds for white noise. Another modulation
 * explains a large share of the preamble's energy by chance more often, for two
 * reasons.
 * - Its spectrum is narrower. What is left of the window without the preamble
 *   shows that spectrum, and so the share that it has by chance.
 * - Its symbols have few values, and the rhythm of the chips. The shares of the
 *   windows before the arrival show that: in noise their variance over their
 *   mean is their mean, here it is more.
 */
class SAMARA_API burst_contrast
{
public:
    explicit burst_contrast(const burst_waveform& waveform);

    //! Samples before and after that of an arrival that are read.
    int before() const;
    int after() const;

    /*!
     * \brief Whether an arrival is too strong for chance.
     *
     * \param samples from the arrival's whole sample on; before() of them
     * before it and after() from it on must exist
     */
    bool is_burst(const gr_complex* samples, const burst_arrival& arrival);

    /*!
     * \brief Energy that the preamble explains, over what the rest of the
     * window would explain of it by chance if its phases were random.
     *
     * \param heard as many ticks as the preamble has, carrier turned back
     */
    float over_chance(const gr_complex* heard);

    /*!
     * \brief Variance over mean of the shares in windows a tick apart.
     *
     * \param ticks of the windows before the arrival, and of its own
     * \return as a multiple of the mean in white noise; 1 when that is more, or
     * when too few windows are about as strong as the arrival's own
     */
    float spread(const gr_complex* ticks) const;

    //! Windows before the arrival.
    static constexpr int windows = 2048;

private:
    void set_reference();

    const burst_matched_filter d_filter;
    const burst_offset d_offset;
    const std::vector<gr_complex> d_reference;
    const int d_length;        // of the preamble, ticks
    const float d_energy;      // of the reference
    const float d_noise_share; // of white noise that the preamble explains
    fft::fft_complex_fwd d_transform;
    std::vector<gr_complex> d_spectrum; // of the reference
    std::vector<float> d_weights;       // its power, smooth
    std::vector<gr_complex> d_turned;
    std::vector<gr_complex> d_ticks;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_CONTRAST_H */
