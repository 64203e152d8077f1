/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_MODULATOR_H
#define INCLUDED_SAMARA_BURST_MODULATOR_H

#include "burst_waveform.h"

namespace gr {
namespace samara {

//! Makes the samples of a burst from the bits of its payload.
class SAMARA_API burst_modulator
{
public:
    /*!
     * \param amplitude root mean square of the samples within a burst
     */
    burst_modulator(burst_modulation modulation,
                    size_t payload_bits,
                    float amplitude = 0.25F);

    const burst_waveform& waveform() const { return d_waveform; }

    /*!
     * \param bits one a byte, in the least significant place
     * \throws std::invalid_argument when there are not payload_bits of them
     */
    std::vector<gr_complex> modulate(const std::vector<uint8_t>& bits) const;

    //! One element for each observation of a burst, the preamble included.
    std::vector<gr_complex> elements(const std::vector<uint8_t>& bits) const;

    //! The samples of these elements.
    std::vector<gr_complex>
    shape(const std::vector<gr_complex>& elements) const;

private:
    const burst_waveform d_waveform;
    std::vector<float> d_taps; // of the pulse, scaled for the amplitude
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_MODULATOR_H */
