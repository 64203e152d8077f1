/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_WAVEFORM_H
#define INCLUDED_SAMARA_BURST_WAVEFORM_H

#include "burst_modulation_table.h"
#include <cstddef>
#include <cstdint>
#include <gnuradio/gr_complex.h>
#include <gnuradio/samara/api.h>
#include <gnuradio/samara/burst_modulation.h>
#include <vector>

namespace gr {
namespace samara {

/*!
 * \brief What both ends know of a burst: pulse, preamble, pilots, lengths.
 *
 * A burst is a row of elements, one a tick, each of which is a complex number
 * that a pulse carries. A tick is half a symbol, two samples. BPSK, QPSK and
 * 16-QAM have a symbol at every second tick and zero between them. O-QPSK has a
 * chip at every tick, real and imaginary in turn, which is the same as
 * half-sine pulses in quadrature half a pulse apart.
 *
 * An observation is what the receiver has of a symbol, or of a chip. They are
 * cut into blocks: pieces short enough for the phase to stand still.
 */
class SAMARA_API burst_waveform
{
public:
    static constexpr int samples_per_symbol = 4;
    static constexpr int samples_per_tick = 2;
    static constexpr int preamble_symbols = 128; // without DSSS
    static constexpr int pilot_period = 32;      // a pilot, then data
    static constexpr int chips = 32;             // of a symbol with DSSS

    /*!
     * \param payload_bits of each burst; a multiple of bits_per_symbol()
     * \throws std::invalid_argument when it is not, or is 0
     */
    burst_waveform(burst_modulation modulation, size_t payload_bits);

    burst_modulation modulation() const { return d_modulation; }

    //! Whether symbols are rows of chips (DSSS), and not points of a mapping.
    bool spread() const { return d_mapping == nullptr; }

    //! \pre not spread()
    const burst_mapping& mapping() const { return *d_mapping; }
    size_t payload_bits() const { return d_payload_bits; }
    int bits_per_symbol() const { return d_bits_per_symbol; }

    //! Symbols (with DSSS: of 4 bits) and pilots of the payload on the air.
    size_t payload_symbols() const;

    //! Symbols of the preamble; with DSSS, of 4 bits too.
    size_t preamble_symbols_on_air() const
    {
        return spread() ? d_preamble.size() / chips : d_preamble.size();
    }

    //! Ticks from one observation to the next.
    int stride() const { return spread() ? 1 : 2; }
    int block_observations() const { return spread() ? chips : 8; }
    size_t preamble_observations() const;
    size_t observations() const;

    //! Samples on each side of an element's own that its pulse reaches.
    int half_span() const { return spread() ? 2 : 24; }

    //! Samples of a burst, the ends of its first and last pulse included.
    size_t samples() const;

    //! Root mean square of the samples when elements have magnitude 1.
    float rms() const;

    //! The pulse \p time symbols from its middle; energy 1 over the samples.
    float pulse(float time) const;

    //! What the filter matched to the pulse gives \p time from its peak of 1.
    float autocorrelation(float time) const;

    //! Elements of the preamble, one for each observation.
    const std::vector<gr_complex>& preamble() const { return d_preamble; }

    //! Samples of the preamble, from the middle of its first element to that of
    //! its last.
    std::vector<gr_complex> preamble_samples() const;

    //! What the matched filter gives at each tick of the preamble.
    std::vector<gr_complex> preamble_ticks() const;

    //! Whether a symbol of the payload, counted from 0, is a pilot.
    bool is_pilot(size_t symbol) const
    {
        return !spread() && symbol % pilot_period == 0;
    }
    static gr_complex pilot(size_t symbol);

    //! The 16 rows of chips, as elements.
    static const std::vector<std::vector<gr_complex>>& chip_rows();

private:
    const burst_modulation d_modulation;
    const burst_mapping* const d_mapping;
    const int d_bits_per_symbol;
    const size_t d_payload_bits;
    float d_pulse_scale = 1;
    std::vector<gr_complex> d_preamble;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_WAVEFORM_H */
