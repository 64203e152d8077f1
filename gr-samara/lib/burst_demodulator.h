/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_DEMODULATOR_H
#define INCLUDED_SAMARA_BURST_DEMODULATOR_H

#include "burst_demapper.h"
#include "burst_estimator.h"
#include "burst_feedback.h"
#include <memory>

namespace gr {
namespace samara {

//! What a burst carried and how it was received.
struct burst_reception {
    double sample;    //!< of the middle of the first element's pulse
    double frequency; //!< of the carrier, cycles a symbol
    double clock;     //!< by how much the transmitter's is slower, a ratio
    float snr;        //!< of an element, energy over noise density, dB

    //! Symbols by which the latest echo that decision feedback took out was
    //! late; 0: there was no feedback.
    int echo;
    std::vector<float> soft_bits; //!< ln P(bit = 1) - ln P(bit = 0)

    //! What follows the preamble, equalised: symbols with pilots, or chips.
    std::vector<gr_complex> symbols;
};

/*!
 * \brief Demodulates one burst from its samples.
 *
 * - The carrier is turned back and the matched filter read at each tick.
 * - Linear modulations: an equaliser is fitted to the preamble, with decision
 *   feedback where echoes come later than it reaches (burst_feedback). DSSS:
 *   the channel is fitted, and its rays are combined (rake).
 * - The phase of each block is smoothed over the burst (phase_smoother), and
 *   then moved by what the decisions around it say.
 * - Blocks that a pulse or another burst disturbs count as little as their own
 *   noise says (excess_of_blocks): for the phase, the clock and the soft bits.
 * - Decisions tell how the clock drifts: first from the beginning of the burst,
 *   over which the worst clock does no harm, then from twice as much each time.
 *   The whole burst is looked at a second time if the first look moves the
 *   clock. Little is believed of what noise may have made.
 */
class SAMARA_API burst_demodulator
{
public:
    explicit burst_demodulator(const burst_waveform& waveform);

    //! Samples before and after the first element of a burst that are read.
    int before() const;
    int after() const;

    /*!
     * \param samples from the whole sample of \p arrival on; before() of them
     * before it and after() from it on must exist
     */
    burst_reception demodulate(const gr_complex* samples,
                               const burst_arrival& arrival);

    /*!
     * \brief Whether something else was heard over the last burst.
     *
     * Some blocks had clearly more noise than the others, or most of them had
     * more than the preamble.
     */
    bool is_disturbed() const;

    //! What was decided of the last burst, preamble and pilots included.
    const std::vector<gr_complex>& elements() const { return d_elements; }

private:
    void filter(double fraction, size_t count);
    void fit();
    void fit_equaliser();
    void fit_rake();
    size_t more_than(size_t count) const;
    void observe(size_t count);
    void combine(size_t count);
    void track_phase();
    void refine_phase();
    void turn(std::vector<float> phases);
    void refer();
    double clock_change() const;
    std::vector<float> noise_of_energies() const;
    void weigh();
    float weight(size_t block) const { return 1 / d_excess[block]; }
    size_t end_of(size_t block) const;
    std::vector<float> noise_of_blocks();

    const burst_waveform d_waveform;
    const burst_matched_filter d_filter;
    const burst_offset d_offset;
    const std::unique_ptr<burst_demapper> d_demapper;
    const std::vector<gr_complex> d_known;            // ticks of the preamble
    const std::unique_ptr<burst_feedback> d_feedback; // not with DSSS
    const phase_smoother d_smoother;
    std::vector<float> d_reference_taps;  // of elements, ahead and behind
    std::vector<float> d_derivative_taps; // the same, by time
    bool d_feeds_back = false;
    double d_clock = 0;
    float d_noise = 1;       // of the observations, variance
    float d_usual_noise = 1; // of the decisions that nothing disturbs
    std::vector<gr_complex> d_turned;
    std::vector<gr_complex> d_ticks; // reach more on each side
    std::vector<gr_complex> d_taps;
    std::vector<gr_complex> d_observations;
    std::vector<gr_complex> d_elements;
    std::vector<gr_complex> d_padded;     // elements, with zeros around them
    std::vector<gr_complex> d_reference;  // observations by decision
    std::vector<gr_complex> d_derivative; // of them, by time in symbols
    std::vector<float>
        d_excess; // of each block's noise over the usual, a ratio
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_DEMODULATOR_H */
