/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_rx_impl.h"

#include <cmath>
#include <gnuradio/io_signature.h>

namespace gr {
namespace samara {

namespace {

std::unique_ptr<burst_receiver> in_real_time(burst_modulation modulation,
                                             size_t payload_bits,
                                             double highest_offset)
{
    return std::make_unique<burst_receiver>(
        modulation,
        payload_bits,
        highest_offset,
        burst_receiver::real_time_share(modulation, highest_offset));
}

pmt::pmt_t metadata_of(const burst_reception& reception, size_t skipped)
{
    pmt::pmt_t data = pmt::make_dict();
    const auto add = [&data](const char* key, const pmt::pmt_t& value) {
        data = pmt::dict_add(data, pmt::mp(key), value);
    };
    const double sample = std::max(reception.sample, 0.0);
    add("sample", pmt::from_uint64(std::llround(sample)));
    add("time", pmt::from_double(reception.sample));
    add("offset", pmt::from_double(reception.frequency));
    add("clock", pmt::from_double(reception.clock));
    add("snr_db", pmt::from_double(reception.snr));
    add("echo", pmt::from_long(reception.echo));
    add("skipped", pmt::from_uint64(skipped));
    return data;
}

} // namespace

burst_rx::sptr burst_rx::make(burst_modulation modulation,
                              size_t payload_bits,
                              double highest_offset)
{
    return gnuradio::make_block_sptr<burst_rx_impl>(
        modulation, payload_bits, highest_offset);
}

burst_rx_impl::burst_rx_impl(burst_modulation modulation,
                             size_t payload_bits,
                             double highest_offset)
    : sync_block("burst_rx",
                 io_signature::make(1, 1, sizeof(gr_complex)),
                 io_signature::make(0, 0, 0)),
      d_receiver(in_real_time(modulation, payload_bits, highest_offset)),
      d_soft_port(pmt::mp("pdus")),
      d_symbol_port(pmt::mp("symbols"))
{
    message_port_register_out(d_soft_port);
    message_port_register_out(d_symbol_port);
}

// A run is a stream of its own: its samples are numbered from 0, and half a
// burst that ended the last one is none.
bool burst_rx_impl::start()
{
    const burst_waveform& waveform = d_receiver->waveform();
    d_receiver = in_real_time(waveform.modulation(),
                              waveform.payload_bits(),
                              d_receiver->highest_offset());
    return block::start();
}

bool burst_rx_impl::stop()
{
    if (d_receiver->skipped() > 0) {
        d_logger->warn("bursts lay over bursts for too long to receive all of "
                       "them in real time: {} were skipped or not taken out",
                       d_receiver->skipped());
    }
    return block::stop();
}

int burst_rx_impl::work(int noutput_items,
                        gr_vector_const_void_star& input_items,
                        gr_vector_void_star&)
{
    publish(d_receiver->feed(static_cast<const gr_complex*>(input_items[0]),
                             noutput_items));
    return noutput_items;
}

void burst_rx_impl::publish(const std::vector<burst_reception>& receptions)
{
    for (const burst_reception& reception : receptions) {
        const pmt::pmt_t data = metadata_of(reception, d_receiver->skipped());
        const auto& soft = reception.soft_bits;
        message_port_pub(
            d_soft_port,
            pmt::cons(data, pmt::init_f32vector(soft.size(), soft)));
        const auto& symbols = reception.symbols;
        message_port_pub(
            d_symbol_port,
            pmt::cons(data, pmt::init_c32vector(symbols.size(), symbols)));
    }
}

} // namespace samara
} // namespace gr
