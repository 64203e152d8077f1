/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_RECEIVER_H
#define INCLUDED_SAMARA_BURST_RECEIVER_H

#include "burst_contrast.h"
#include "burst_demodulator.h"
#include <deque>

namespace gr {
namespace samara {

/*!
 * \brief Finds and demodulates all bursts of a stream of samples.
 *
 * The stream is searched in stretches whose places are fixed, so how it is cut
 * when it is handed over changes nothing. The search goes on within bursts:
 * what looks like a preamble, or is one that nothing follows, costs no burst
 * after it.
 *
 * Samples that are not finite count as 0, larger ones than 10^6 as that.
 */
class SAMARA_API burst_receiver
{
public:
    /*!
     * \param highest_offset carrier offset that is searched for, cycles a
     * symbol. Beyond that of burst_detector the stretch is searched again, with
     * the carrier turned back by steps: each costs as much time as the first.
     * \throws std::invalid_argument when it is not from 0 to
     * most_highest_offset
     */
    burst_receiver(burst_modulation modulation,
                   size_t payload_bits,
                   double highest_offset = burst_detector::highest_frequency);

    //! Beyond it, the band of a signal is no longer that of the samples.
    static constexpr double most_highest_offset = 1.0;

    double highest_offset() const { return d_highest_offset; }

    const burst_waveform& waveform() const { return d_waveform; }

    //! The bursts that end in what was handed over until now, in order.
    std::vector<burst_reception> feed(const gr_complex* samples, size_t count);

    //! The bursts that are left at the end of the stream, which are complete.
    std::vector<burst_reception> finish();

private:
    void append(const gr_complex* samples, size_t count);
    const gr_complex* at(int64_t sample) const;
    int64_t end() const;
    void search();
    std::vector<burst_candidate> candidates(double frequency);
    bool is_burst(const burst_arrival& arrival);
    void consider(const burst_arrival& arrival);
    void demodulate(std::vector<burst_reception>& receptions);
    void forget();

    const burst_waveform d_waveform;
    const double d_highest_offset;
    const std::vector<double> d_frequencies; // that are searched around
    burst_detector d_detector;
    burst_estimator d_estimator;
    burst_contrast d_contrast;
    burst_demodulator d_demodulator;
    const int d_margin;  // samples kept before the first one needed
    const int d_closest; // samples, from one preamble to another
    std::vector<gr_complex> d_samples;
    std::vector<gr_complex> d_turned;
    std::vector<burst_arrival> d_found;
    int64_t d_first; // number of d_samples[0] in the stream
    int64_t d_searched = 0;
    std::deque<burst_arrival> d_arrivals;            // not demodulated yet
    burst_arrival d_present{ -1e18, 0, 0, 0, 0, 0 }; // the strongest that lasts
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_RECEIVER_H */
