/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_SPREAD_DEMAPPER_H
#define INCLUDED_SAMARA_BURST_SPREAD_DEMAPPER_H

#include "burst_demapper.h"

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
    using products = std::array<gr_complex, 16>;

    products correlate(const gr_complex* observations) const;

    const burst_waveform d_waveform;
    const phase_grid d_grid;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_SPREAD_DEMAPPER_H */
