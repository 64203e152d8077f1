/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_RECEIVER_H
#define INCLUDED_SAMARA_BURST_RECEIVER_H

#include "burst_canceller.h"
#include "burst_contrast.h"
#include "burst_credit.h"
#include "burst_demodulator.h"
#include <deque>
#include <optional>

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
 * A burst that is disturbed waits until the samples up to its end are searched.
 * When a stronger burst overlaps it, that one comes first. What is received is
 * then taken out of the samples, and they are searched once more: a weaker
 * burst below it is found. So of two bursts that collide both are received, if
 * the first one is strong enough. The work is bounded: a place of the stream is
 * searched once, and once more for each disturbed burst over it; a burst is
 * demodulated twice at most.
 *
 * That is still much when bursts lie over bursts all of the time. A share
 * bounds it further: each sample demodulated, taken out or searched again,
 * around each frequency, is paid from a burst_credit. When that is short, of
 * bursts over one another the strongest one alone is received, and nothing is
 * taken out. Bursts that are alone are always received.
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
     * \param share samples that are worked on for each of the stream, after it
     * was searched: at least 1, which bursts that are alone may take
     * \throws std::invalid_argument when highest_offset is not from 0 to
     * most_highest_offset, or share is less than 1
     */
    burst_receiver(burst_modulation modulation,
                   size_t payload_bits,
                   double highest_offset = burst_detector::highest_frequency,
                   double share = burst_credit::unlimited);

    //! A share with which time is bounded, whatever is on the air: less work
    //! for bursts over bursts where the search takes more time.
    static double
    real_time_share(burst_modulation modulation,
                    double highest_offset = burst_detector::highest_frequency);

    //! Beyond it, the band of a signal is no longer that of the samples.
    static constexpr double most_highest_offset = 1.0;

    double highest_offset() const { return d_highest_offset; }

    const burst_waveform& waveform() const { return d_waveform; }

    /*!
     * \brief The bursts that end in what was handed over until now.
     *
     * In their order; but a disturbed one comes after a stronger one over it.
     */
    std::vector<burst_reception> feed(const gr_complex* samples, size_t count);

    //! The bursts that are left at the end of the stream, which are complete.
    std::vector<burst_reception> finish();

    //! Stretches of the stream that were searched, as a measure of the work.
    size_t searches() const { return d_searches; }

    //! Bursts that were demodulated; those that something was taken out of
    //! meanwhile count twice.
    size_t demodulations() const { return d_demodulations; }

    //! Bursts that were not demodulated, or not taken out of the samples,
    //! because the credit was short.
    size_t skipped() const { return d_skipped; }

private:
    struct outcome {
        burst_reception reception;
        std::vector<gr_complex> elements; // decided
    };

    //! An arrival that is not received yet.
    struct expected {
        burst_arrival arrival;
        float power;
        bool is_disturbed;
        std::optional<outcome> last; // of the samples as they are
    };

    struct finished {
        double sample;
        float power;
    };

    void append(const gr_complex* samples, size_t count);
    gr_complex* at(int64_t sample);
    int64_t end() const;
    int64_t needed_by_search() const;
    void search();
    std::vector<burst_candidate> candidates(double frequency);
    bool is_burst(const burst_arrival& arrival);
    bool is_within(const burst_arrival& arrival) const;
    bool is_faint_within(const burst_arrival& arrival) const;
    void consider(const burst_arrival& arrival);
    void insert(const burst_arrival& arrival);
    bool is_received(double sample) const;
    float power(const burst_arrival& arrival);
    bool receive(std::vector<burst_reception>& receptions);
    void receive_first(std::vector<burst_reception>& receptions);
    burst_reception receive_strongest(size_t place);
    void skip_first(std::vector<burst_reception>& receptions);
    bool is_complete(const burst_arrival& arrival) const;
    outcome demodulate(const burst_arrival& arrival);
    outcome outcome_of(expected& one);
    size_t strongest_over(size_t place) const;
    bool stands_out(size_t place) const;
    bool is_below_received(const expected& one) const;
    void take_out(size_t place, const outcome& received);
    int64_t again_from(int64_t sample) const;
    double again(int64_t sample) const;
    void search_again(int64_t sample);
    void finish_with(size_t place);
    void forget();

    const burst_waveform d_waveform;
    const double d_highest_offset;
    const std::vector<double> d_frequencies; // that are searched around
    burst_detector d_detector;
    burst_estimator d_estimator;
    burst_contrast d_contrast;
    burst_demodulator d_demodulator;
    const burst_canceller d_canceller;
    const int d_ahead;   // samples that a search reads from its place on
    const int d_margin;  // samples kept before the first one needed
    const int d_closest; // samples, from one preamble to another
    std::vector<gr_complex> d_samples;
    std::vector<gr_complex> d_turned;
    std::vector<burst_arrival> d_found;
    int64_t d_first; // number of d_samples[0] in the stream
    int64_t d_searched = 0;
    int64_t d_searched_again = 0; // up to here, after a burst was taken out
    size_t d_searches = 0;
    size_t d_demodulations = 0;
    size_t d_skipped = 0;
    burst_credit d_credit;
    std::deque<expected> d_arrivals; // by time
    std::deque<finished> d_received; // the last bursts received, or skipped
    burst_arrival d_present{ -1e18, 0, 0, 0, 0, 0 }; // the strongest that lasts
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_RECEIVER_H */
