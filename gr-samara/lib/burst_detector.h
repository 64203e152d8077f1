/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_DETECTOR_H
#define INCLUDED_SAMARA_BURST_DETECTOR_H

#include "burst_matched_filter.h"
#include "burst_parts.h"
#include <gnuradio/fft/fft.h>

namespace gr {
namespace samara {

//! Where a preamble seems to be.
struct burst_candidate {
    int64_t sample;   //!< of the middle of the first element's pulse
    double frequency; //!< cycles a symbol
    float background; //!< share of the energy that the preamble explains around
};

/*!
 * \brief Searches a stretch of samples for the preamble.
 *
 * The output of the matched filter is correlated with the preamble at steps of
 * frequency: one transform of the samples, and for each step one back, of the
 * product with the preamble's transform moved by so many bins. What is compared
 * with the threshold is the share of the window's energy that the preamble
 * explains, so the amplitude does not matter. A constant in the window (DC) is
 * taken out of both. Then the parts of the preamble are looked at, less
 * strictly than the estimator does: with DSSS most symbols of a payload explain
 * enough.
 *
 * The threshold is above what white noise explains, and above what the stretch
 * does on average at that frequency, less what a preamble adds to that by
 * itself. With DSSS the preamble repeats a symbol, so a tone on a line of its
 * spectrum explains much of the energy, but all the time.
 */
class SAMARA_API burst_detector
{
public:
    //! Highest carrier offset that is searched for, cycles a symbol.
    static constexpr double highest_frequency = 0.126;

    explicit burst_detector(const burst_waveform& waveform);

    //! Samples from the start of one stretch to that of the next.
    int hop() const { return d_hop * burst_waveform::samples_per_tick; }

    //! Samples before and after the start of a stretch that are read.
    int before() const;
    int after() const;

    /*!
     * \param samples from the start of the stretch on; before() of them before
     * that and after() from there on must exist
     * \return the candidates in the hop() samples, in order
     */
    std::vector<burst_candidate> search(const gr_complex* samples);

private:
    static constexpr int size = 2048; // of the transforms, ticks
    static constexpr int guard = 4;   // ticks around a peak that are lower

    void set_reference(const burst_waveform& waveform);
    void set_constants(const std::vector<gr_complex>& ticks);
    void sum_energy();
    void correlate(int step);
    void take_powers(int step);
    bool is_peak(int tick) const;
    bool has_all_parts(int tick, int step, float background);

    const burst_matched_filter d_filter;
    const burst_parts d_parts;
    const int d_length; // of the preamble, ticks
    const int d_hop;    // ticks
    const int d_step;   // of frequency, bins
    const int d_steps;  // to each side of 0
    float d_noise_share = 0;
    float d_reference_energy = 0;
    float d_own = 0;          // of the background, over the share of a preamble
    float d_offset_ratio = 0; // the most energy of a constant over the rest
    fft::fft_complex_fwd d_forward;
    fft::fft_complex_rev d_backward;
    std::vector<gr_complex> d_ticks;
    std::vector<gr_complex> d_window;    // that may hold a preamble
    std::vector<gr_complex> d_spectrum;  // of the samples
    std::vector<gr_complex> d_reference; // conjugate spectrum of the preamble
    std::vector<gr_complex> d_constants; // correlation with 1 at each frequency
    std::vector<gr_complex> d_means;     // of the window from each tick on
    std::vector<float> d_energy;         // of that window, less its mean
    std::vector<float> d_per_energy;     // 1 over that
    std::vector<float> d_power;          // of one correlation
    std::vector<float> d_best;           // the highest of all frequencies
    std::vector<int> d_best_step;
    std::vector<float> d_background; // mean share at each frequency
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_DETECTOR_H */
