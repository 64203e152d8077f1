/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_TX_H
#define INCLUDED_SAMARA_BURST_TX_H

#include <cstddef>
#include <gnuradio/samara/api.h>
#include <gnuradio/samara/burst_modulation.h>
#include <gnuradio/sync_block.h>
#include <string>

namespace gr {
namespace samara {

/*!
 * \brief Sends each PDU of bits as a burst of samples.
 * \ingroup samara
 *
 * \details
 * A burst is a preamble that both ends know and the payload's symbols. Every
 * burst has the same number of bits and the same modulation, which both ends
 * are told: nothing on the air says what the payload is or how long. So an
 * encrypted burst is exactly as long as one that is not.
 *
 * BPSK, QPSK and 16-QAM have 4 samples a symbol and root-raised-cosine pulses
 * with a roll-off of 0.35. DSSS has 2 samples a chip: at 4 million samples a
 * second, the 2 Mchip/s and 250 kbit/s of IEEE 802.15.4.
 *
 * Message port "pdus": bits as a u8vector of payload_bits bytes, one bit a
 * byte, in the least significant place; other PDUs are dropped with a line in
 * the log. A burst begins and ends softly by its pulses, and is followed by
 * \p gap zeros; while there is nothing to send there are no samples at all. The
 * first sample has the tag "tx_sob" and the number of samples, zeros included;
 * the last of the zeros has "tx_eob". So radios send all of it: UHD drops what
 * lies between packets.
 *
 * A burst that is on its way when the flowgraph is stopped does not go on when
 * it is started again.
 */
class SAMARA_API burst_tx : virtual public gr::sync_block
{
public:
    typedef std::shared_ptr<burst_tx> sptr;

    /*!
     * \param modulation of the payload
     * \param payload_bits of each burst, a multiple of the bits of a symbol
     * \param amplitude root mean square of a burst's samples
     * \param gap zeros after each burst
     * \param length_tag key of the tag with the length of burst and zeros
     */
    static sptr make(burst_modulation modulation,
                     size_t payload_bits,
                     float amplitude = 0.25F,
                     size_t gap = 0,
                     const std::string& length_tag = "packet_len");
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_TX_H */
