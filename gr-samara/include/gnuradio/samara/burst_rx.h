/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_RX_H
#define INCLUDED_SAMARA_BURST_RX_H

#include <cstddef>
#include <gnuradio/samara/api.h>
#include <gnuradio/samara/burst_modulation.h>
#include <gnuradio/sync_block.h>

namespace gr {
namespace samara {

/*!
 * \brief Finds the bursts of burst_tx in a stream and gives their soft bits.
 * \ingroup samara
 *
 * \details
 * Carrier offset, up to 0.125 cycles a symbol (with DSSS: two chips) or what
 * highest_offset says, clock
 * error, up to 100 ppm, amplitude, phase and the rays of the channel are found
 * for each burst. What comes out does not depend on how the scheduler cuts the
 * stream.
 *
 * Message port "pdus": a f32vector with ln P(bit = 1) - ln P(bit = 0) of each
 * bit, so positive means bit 1, as GNU Radio's decoders expect. Metadata:
 *
 * - "sample": number in the stream of the sample in the middle of the first
 *   pulse, a uint64; "time": the same with its fraction, a double
 * - "offset": of the carrier, cycles a symbol
 * - "clock": by how much the transmitter's symbols are longer, a ratio
 * - "snr_db": energy of a symbol (with DSSS: a chip) over noise density
 * - "echo": symbols by which the latest echo that decision feedback took out
 *   was late, an integer; 0: there was no feedback
 * - "skipped": bursts skipped until now, as said below, a uint64
 *
 * Message port "symbols": what follows the preamble of the same burst, as a
 * c32vector, equalised and turned to the constellation, pilots included. With
 * DSSS: chips, which their neighbours overlap on the other axis. Metadata as
 * above. For a picture: QT GUI Constellation Sink takes such messages.
 *
 * The equaliser reaches 3.5 symbols to each side of a symbol. Echoes that come
 * up to 16 symbols late are taken out by decision feedback, but with DSSS. An
 * echo that is later, or a first ray that is weaker than one more than 3.5
 * symbols after it, disturbs like noise.
 *
 * Parts of a burst that a pulse or another burst disturbs count as little as
 * their own noise says. Of two bursts that collide, one with twice the power or
 * more is taken out of the samples, and the other one is received, too. That
 * takes time. When bursts lie over bursts without a pause, the strongest one
 * alone is received, and the others are skipped, so that work is bounded to
 * what is done in real time. Bursts that are alone are never skipped. A few
 * collisions after one another are no such case. What was skipped is counted,
 * and told when the block stops. Of a recording, burst_receiver skips none.
 *
 * A burst comes out when some samples have followed it: 100, or, when it is
 * shorter than that, 8192 from its beginning on. A
 * disturbed one comes out 8192 samples later, and after a stronger one. What
 * GNU Radio's scheduler does at the end of a stream leaves no time for
 * messages, so a recording that ends with a burst wants zeros after it.
 */
class SAMARA_API burst_rx : virtual public gr::sync_block
{
public:
    typedef std::shared_ptr<burst_rx> sptr;

    /*!
     * \param modulation of the payload
     * \param payload_bits of each burst
     * \param highest_offset carrier offset that is searched for, in cycles a
     * symbol, up to 1; beyond 0.126 the search takes a multiple of the time
     */
    static sptr make(burst_modulation modulation,
                     size_t payload_bits,
                     double highest_offset = 0.126);
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_RX_H */
