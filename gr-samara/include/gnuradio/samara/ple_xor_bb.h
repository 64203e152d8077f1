/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_PLE_XOR_BB_H
#define INCLUDED_SAMARA_PLE_XOR_BB_H

#include <gnuradio/samara/api.h>
#include <gnuradio/samara/bit_format.h>
#include <gnuradio/samara/ple_role.h>
#include <gnuradio/sync_block.h>
#include <string>

namespace gr {
namespace samara {

/*!
 * \brief Adds the Grain-128PLE keystream to a stream of bits.
 * \ingroup samara
 *
 * \details
 * A tag on the first item of each frame has the frame counter. The keystream
 * depends on key, direction, link id and frame counter alone, and begins with
 * its first bit at that item: how the scheduler divides the stream has no
 * effect.
 *
 * The block does not start without a key. A frame is refused when its tag has
 * no frame counter or, if the block encrypts, when that counter or a higher one
 * may have been used before, in this run or an earlier one. The tag of a
 * refused frame is removed, the log says why, and its bits become zeros. So do
 * all items that belong to no frame: nothing leaves the block unencrypted.
 *
 * If the stream has tags with the lengths of packets, a frame is a packet. A
 * frame tag inside a packet was moved by a preceding block (gr-fec's
 * tagged_encoder does so if the code is terminated). It is removed and the log
 * says so, because the other end cannot know where the frame begins. Assign
 * frame counters after such blocks: frame_counter.
 *
 * Message port "key": the next key, as a u8vector of 16 bytes or a symbol with
 * the text that make() takes, for the frames after the last one begun; or a
 * dictionary with "key" and "first_frame", which changes keys at that frame at
 * both ends, however late the message is.
 */
class SAMARA_API ple_xor_bb : virtual public gr::sync_block
{
public:
    typedef std::shared_ptr<ple_xor_bb> sptr;

    /*!
     * \param role whether it encrypts or decrypts
     * \param key \@FILE with 32 hex digits or 16 bytes, or 32 hex digits; ""
     * when the key is set before the start
     * \param state_file where the frame counter is stored when it encrypts: a
     * file for each key, direction and link id
     * \param frame_tag key of the tags that begin frames
     * \param format how the items hold bits
     * \param direction of the frames on the link, 0 to 255
     * \param link_id 0 to 65535
     * \param length_tag key of the tags with the lengths of packets; "" when
     * frames do not depend on packets
     */
    static sptr make(ple_role role,
                     const std::string& key,
                     const std::string& state_file = "",
                     const std::string& frame_tag = "frame",
                     bit_format format = bit_format::UNPACKED,
                     uint8_t direction = 0,
                     uint16_t link_id = 0,
                     const std::string& length_tag = "packet_len");

    //! Sets the key for the frames after the last one begun.
    virtual void set_key(const std::string& key) = 0;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_PLE_XOR_BB_H */
