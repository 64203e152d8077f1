/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_RX_IMPL_H
#define INCLUDED_SAMARA_BURST_RX_IMPL_H

#include "burst_receiver.h"
#include <gnuradio/samara/burst_rx.h>
#include <memory>

namespace gr {
namespace samara {

class burst_rx_impl : public burst_rx
{
public:
    burst_rx_impl(burst_modulation modulation,
                  size_t payload_bits,
                  double highest_offset);

    bool start() override;
    bool stop() override;
    int work(int noutput_items,
             gr_vector_const_void_star& input_items,
             gr_vector_void_star& output_items) override;

private:
    void publish(const std::vector<burst_reception>& receptions);

    std::unique_ptr<burst_receiver> d_receiver;
    const pmt::pmt_t d_soft_port;
    const pmt::pmt_t d_symbol_port;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_RX_IMPL_H */
