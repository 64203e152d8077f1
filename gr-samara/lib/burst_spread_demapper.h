/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_SPREAD_DEMAPPER_H
#define INCLUDED_SAMARA_BURST_SPREAD_DEMAPPER_H

#include "burst_demapper.h"
#include "burst_lanes.h"

namespace gr {
namespace samara {

//! O-QPSK with the 16 rows of chips.
class burst_spread_demapper : public burst_demapper
{
public:
    explicit burst_spread_demapper(const burst_waveform& waveform);

    void likelihoods(const gr_complex* observations,
                     size_t first,
                     size_t count,
                     float noise,
                     float* logarithms) const override;
    void decide(const std::vector<gr_complex>& observations,
                std::vector<gr_complex>& elements) const override;
    std::vector<float>
    soft_bits(const std::vector<gr_complex>& observations,
              const std::vector<float>& noise) const override;

private:
    static constexpr int rows = 16;
    static constexpr int rotations = rows / 2; // of the chips of symbol 0

    //! Of a symbol's observations with each row of chips.
    struct products {
        std::array<float, rows> real;
        std::array<float, rows> imaginary;
    };

    products correlate(const gr_complex* observations) const;

    const burst_waveform d_waveform;
    // The sign of each chip in the first half of the rows, four rows at a time.
    std::array<std::array<lanes, rotations / 4>, burst_waveform::chips> d_signs;
    const phase_grid d_grid;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_SPREAD_DEMAPPER_H */
