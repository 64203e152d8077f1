/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_PLE_LLR_PDU_H
#define INCLUDED_SAMARA_PLE_LLR_PDU_H

#include <gnuradio/block.h>
#include <gnuradio/samara/api.h>
#include <string>

namespace gr {
namespace samara {

/*!
 * \brief Decrypts PDUs of soft values.
 * \ingroup samara
 *
 * \details
 * A PDU of floats is a frame; its metadata have the frame counter. Flips signs
 * as ple_llr_ff does. Messages come in and go out at ports "pdus"; one that is
 * no PDU of floats or has no frame counter is dropped, and the log says so.
 *
 * Message port "key" and the start without a key: as with ple_xor_bb.
 */
class SAMARA_API ple_llr_pdu : virtual public gr::block
{
public:
    typedef std::shared_ptr<ple_llr_pdu> sptr;

    /*!
     * \param key \@FILE with 32 hex digits or 16 bytes, or 32 hex digits; ""
     * when the key is set before the start
     * \param frame_key metadata key of the frame counter
     * \param direction of the frames on the link, 0 to 255
     * \param link_id 0 to 65535
     */
    static sptr make(const std::string& key,
                     const std::string& frame_key = "frame",
                     uint8_t direction = 0,
                     uint16_t link_id = 0);

    //! Sets the key for the frames after the last one begun.
    virtual void set_key(const std::string& key) = 0;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_PLE_LLR_PDU_H */
