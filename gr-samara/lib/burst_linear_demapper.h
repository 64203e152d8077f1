/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_LINEAR_DEMAPPER_H
#define INCLUDED_SAMARA_BURST_LINEAR_DEMAPPER_H

#include "burst_demapper.h"

namespace gr {
namespace samara {

//! Linear modulations: a point for each symbol, pilots between them.
class SAMARA_API burst_linear_demapper : public burst_demapper
{
public:
    explicit burst_linear_demapper(const burst_waveform& waveform);

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

    //! An element, or what an observation of it makes it on average.
    gr_complex
    expected(size_t index, gr_complex observation, float noise) const;

private:
    bool known(size_t index, gr_complex& element) const;

    const burst_waveform d_waveform;
    const burst_mapping& d_mapping;
    const phase_grid d_grid;
    const int d_period; // phases until the constellation repeats
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_LINEAR_DEMAPPER_H */
