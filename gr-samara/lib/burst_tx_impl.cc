/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_tx_impl.h"

#include <algorithm>
#include <chrono>
#include <gnuradio/io_signature.h>
#include <stdexcept>
#include <thread>

namespace gr {
namespace samara {

namespace {

// A block without inputs is asked for samples again and again: how long it
// rests when there is nothing to send. A PDU is on its way that much later at
// most.
constexpr std::chrono::milliseconds rest{ 1 };

std::vector<uint8_t> bits_of(const pmt::pmt_t& pdu)
{
    if (!pmt::is_pair(pdu) || !pmt::is_u8vector(pmt::cdr(pdu))) {
        throw std::invalid_argument("a PDU of bytes is expected");
    }
    return pmt::u8vector_elements(pmt::cdr(pdu));
}

} // namespace

burst_tx::sptr burst_tx::make(burst_modulation modulation,
                              size_t payload_bits,
                              float amplitude,
                              size_t gap,
                              const std::string& length_tag)
{
    return gnuradio::make_block_sptr<burst_tx_impl>(
        modulation, payload_bits, amplitude, gap, length_tag);
}

burst_tx_impl::burst_tx_impl(burst_modulation modulation,
                             size_t payload_bits,
                             float amplitude,
                             size_t gap,
                             const std::string& length_tag)
    : sync_block("burst_tx",
                 io_signature::make(0, 0, 0),
                 io_signature::make(1, 1, sizeof(gr_complex))),
      d_modulator(modulation, payload_bits, amplitude),
      d_gap(gap),
      d_length_tag(pmt::mp(length_tag)),
      d_port(pmt::mp("pdus"))
{
    message_port_register_in(d_port);
}

// The rest of a burst that the last run began would be no burst.
bool burst_tx_impl::start()
{
    d_samples.clear();
    d_sent = 0;
    return block::start();
}

int burst_tx_impl::work(int noutput_items,
                        gr_vector_const_void_star&,
                        gr_vector_void_star& output_items)
{
    while (d_sent == d_samples.size()) {
        const pmt::pmt_t message = delete_head_nowait(d_port);
        if (!message) {
            std::this_thread::sleep_for(rest);
            return 0;
        }
        take(message);
    }
    const size_t count =
        std::min(static_cast<size_t>(noutput_items), d_samples.size() - d_sent);
    const auto from = d_samples.begin() + static_cast<ptrdiff_t>(d_sent);
    std::copy_n(from, count, static_cast<gr_complex*>(output_items[0]));
    // The gap is part of the packet: UHD drops samples between packets, and
    // starts anew after tx_eob.
    const size_t length = d_samples.size();
    if (d_sent == 0 && count > 0) {
        tag("tx_sob", 0);
        add_item_tag(
            0, nitems_written(0), d_length_tag, pmt::from_long(length));
    }
    if (d_sent < length && d_sent + count >= length) {
        tag("tx_eob", length - 1 - d_sent);
    }
    d_sent += count;
    return static_cast<int>(count);
}

void burst_tx_impl::take(const pmt::pmt_t& message)
{
    d_sent = 0;
    try {
        d_samples = d_modulator.modulate(bits_of(message));
        d_samples.resize(d_samples.size() + d_gap);
    } catch (const std::exception& error) {
        d_samples.clear();
        d_logger->error("a PDU is dropped: {}", error.what());
    }
}

void burst_tx_impl::tag(const char* key, size_t offset)
{
    add_item_tag(0, nitems_written(0) + offset, pmt::mp(key), pmt::PMT_T);
}

} // namespace samara
} // namespace gr
