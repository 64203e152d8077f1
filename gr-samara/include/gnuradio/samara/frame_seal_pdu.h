/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_FRAME_SEAL_PDU_H
#define INCLUDED_SAMARA_FRAME_SEAL_PDU_H

#include <gnuradio/block.h>
#include <gnuradio/samara/api.h>
#include <gnuradio/samara/frame_codec.h>
#include <string>

namespace gr {
namespace samara {

/*!
 * \brief Turns each payload into the bits of a frame: check, code, encryption.
 * \ingroup samara
 *
 * \details
 * PDUs of bytes come in at port "pdus" and go out as PDUs of bits, one in a
 * byte; see frame_codec. Frame counters continue from the stored one, so that
 * no counter is used twice under a key, even if the process is killed. Metadata
 * are passed on, with the frame counter as "frame". A PDU that is too long or
 * holds no bytes is dropped, and the log says so.
 *
 * Message port "key" and the start without a key: as with ple_xor_bb.
 */
class SAMARA_API frame_seal_pdu : virtual public gr::block
{
public:
    typedef std::shared_ptr<frame_seal_pdu> sptr;

    /*!
     * \param key \@FILE with 32 hex digits or 16 bytes, or 32 hex digits; ""
     * when the key is set before the start
     * \param state_file file that stores the frame counter: one for each key,
     * direction and link id
     * \param code the channel code
     * \param check what the payload is checked with
     * \param direction of the frames on the link, 0 to 255
     * \param link_id 0 to 65535
     */
    static sptr make(const std::string& key,
                     const std::string& state_file,
                     frame_code code = frame_code::CONVOLUTIONAL,
                     frame_check check = frame_check::TAG,
                     uint8_t direction = 0,
                     uint16_t link_id = 0);

    //! Sets the key for the frames after the last one sealed.
    virtual void set_key(const std::string& key) = 0;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_FRAME_SEAL_PDU_H */
