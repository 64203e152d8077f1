/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_FRAME_OPEN_PDU_H
#define INCLUDED_SAMARA_FRAME_OPEN_PDU_H

#include <gnuradio/block.h>
#include <gnuradio/samara/api.h>
#include <gnuradio/samara/frame_codec.h>
#include <string>

namespace gr {
namespace samara {

/*!
 * \brief Finds the frame counter of soft values, and decrypts and verifies the
 * frame.
 * \ingroup samara
 *
 * \details
 * PDUs of floats, positive for bit 1, come in at port "pdus". Payloads that
 * pass the check go out, with the frame counter in the metadata as "frame". All
 * others are dropped, and the log says why.
 *
 * The frame counter is not transmitted. The metadata may have it as "frame";
 * otherwise the block searches for it above the last accepted one. With the
 * convolutional code, the syndrome finds the frame after losses of any length
 * (samara/ple_sync.h). Other codes have no syndrome: the tag is tried for the
 * next 8 counters while frames follow one another, and for the next 256 after
 * misses.
 *
 * Only counters above the last accepted one are accepted, in this run and later
 * ones. After a process was killed, up to 32 frames that it has not seen are
 * refused as repeated.
 *
 * Message port "key" and the start without a key: as with ple_xor_bb.
 */
class SAMARA_API frame_open_pdu : virtual public gr::block
{
public:
    typedef std::shared_ptr<frame_open_pdu> sptr;

    /*!
     * \param key \@FILE with 32 hex digits or 16 bytes, or 32 hex digits; ""
     * when the key is set before the start
     * \param state_file where the frame counter is stored: a file for each key,
     * direction and link id, and not the transmitter's
     * \param code the channel code
     * \param check what the payload is checked with
     * \param direction of the frames on the link, 0 to 255
     * \param link_id 0 to 65535
     * \param payload_size bytes of payload; 0 takes it from the number of bits,
     * which with polar codes gives the longest
     * \param likelihoods whether soft values are log-likelihood ratios, as
     * burst_rx gives them; otherwise their scale is estimated
     */
    static sptr make(const std::string& key,
                     const std::string& state_file,
                     frame_code code = frame_code::CONVOLUTIONAL,
                     frame_check check = frame_check::TAG,
                     uint8_t direction = 0,
                     uint16_t link_id = 0,
                     size_t payload_size = 0,
                     bool likelihoods = false);

    //! Sets the key for the frames after the last one accepted.
    virtual void set_key(const std::string& key) = 0;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_FRAME_OPEN_PDU_H */
