/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_PLE_XOR_PDU_H
#define INCLUDED_SAMARA_PLE_XOR_PDU_H

#include <gnuradio/block.h>
#include <gnuradio/samara/api.h>
#include <gnuradio/samara/bit_format.h>
#include <gnuradio/samara/ple_role.h>
#include <string>

namespace gr {
namespace samara {

/*!
 * \brief Adds the Grain-128PLE keystream to the bits of PDUs.
 * \ingroup samara
 *
 * \details
 * A PDU is a frame; its metadata have the frame counter. Messages come in and
 * go out at ports "pdus". A message is dropped, and the log says why, if it is
 * no PDU of bytes, has no frame counter or, when the block encrypts, has a
 * counter that this run or an earlier one may have used.
 *
 * Message port "key" and the start without a key: as with ple_xor_bb.
 */
class SAMARA_API ple_xor_pdu : virtual public gr::block
{
public:
    typedef std::shared_ptr<ple_xor_pdu> sptr;

    /*!
     * \param role whether it encrypts or decrypts
     * \param key \@FILE with 32 hex digits or 16 bytes, or 32 hex digits; ""
     * when the key is set before the start
     * \param state_file where the frame counter is stored when it encrypts: a
     * file for each key, direction and link id
     * \param frame_key metadata key of the frame counter
     * \param format how the bytes hold bits
     * \param direction of the frames on the link, 0 to 255
     * \param link_id 0 to 65535
     */
    static sptr make(ple_role role,
                     const std::string& key,
                     const std::string& state_file = "",
                     const std::string& frame_key = "frame",
                     bit_format format = bit_format::UNPACKED,
                     uint8_t direction = 0,
                     uint16_t link_id = 0);

    //! Sets the key for the frames after the last one begun.
    virtual void set_key(const std::string& key) = 0;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_PLE_XOR_PDU_H */
