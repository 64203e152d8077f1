/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_TX_IMPL_H
#define INCLUDED_SAMARA_BURST_TX_IMPL_H

#include "burst_modulator.h"
#include <gnuradio/samara/burst_tx.h>

namespace gr {
namespace samara {

class burst_tx_impl : public burst_tx
{
public:
    burst_tx_impl(burst_modulation modulation,
                  size_t payload_bits,
                  float amplitude,
                  size_t gap,
                  const std::string& length_tag);

    bool start() override;
    int work(int noutput_items,
             gr_vector_const_void_star& input_items,
             gr_vector_void_star& output_items) override;

private:
    void take(const pmt::pmt_t& message);
    void tag(const char* key, size_t offset);

    const burst_modulator d_modulator;
    const size_t d_gap;
    const pmt::pmt_t d_length_tag;
    const pmt::pmt_t d_port;
    std::vector<gr_complex> d_samples; // of the burst on its way, and the gap
    size_t d_sent = 0;                 // of these
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_TX_IMPL_H */
