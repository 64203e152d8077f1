/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_FEEDBACK_H
#define INCLUDED_SAMARA_BURST_FEEDBACK_H

#include "burst_linear_demapper.h"
#include "burst_regression.h"

namespace gr {
namespace samara {

/*!
 * \brief Equaliser with decision feedback, for echoes that a linear one leaves.
 *
 * Symbols that were decided are taken out of those that they echo into. A
 * symbol that is in doubt counts as its mean, so that it spoils little. The
 * phase is tracked by what was decided, and left in what is given out.
 */
class SAMARA_API burst_feedback
{
public:
    //! Symbols after one in which its echoes are taken out.
    static constexpr int past = 16;

    //! \param reach ticks to each side of a symbol that are equalised
    burst_feedback(const burst_waveform& waveform, int reach);

    /*!
     * \brief Whether the preamble is clearly better explained with feedback.
     *
     * \param ticks from \p reach before the first symbol on
     * \param linear what fits them without
     */
    bool fit(const gr_complex* ticks, const burst_fit& linear);

    //! Of what is given out, variance. \pre fit()
    float noise() const { return d_noise; }

    //! Symbols by which the latest echo that is taken out is late. \pre fit()
    int latest() const { return d_latest; }

    //! \pre fit()
    void equalise(const gr_complex* ticks,
                  std::vector<gr_complex>& observations) const;

private:
    bool has_echoes(const gr_complex* ticks, const burst_fit& linear) const;
    int latest_echo() const;

    const burst_waveform d_waveform;
    const burst_linear_demapper d_demapper;
    const int d_reach;
    std::vector<gr_complex> d_forward;
    std::vector<gr_complex> d_backward; // that of the oldest symbol first
    float d_noise = 1;
    int d_latest = 0;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_FEEDBACK_H */
