/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_PLE_LLR_FF_H
#define INCLUDED_SAMARA_PLE_LLR_FF_H

#include <gnuradio/samara/api.h>
#include <gnuradio/sync_block.h>
#include <string>

namespace gr {
namespace samara {

/*!
 * \brief Decrypts a stream of soft values.
 * \ingroup samara
 *
 * \details
 * Flips the sign of a soft value (log-likelihood ratio) where the Grain-128PLE
 * keystream bit is 1; a decoder then finds what it would have found without
 * encryption. Deciding first and adding the keystream afterwards costs 2 to
 * 2.5 dB.
 *
 * Frames and keys are told as to ple_xor_bb: by tags, by message port "key".
 * Items that belong to no frame, because none has begun or its tag is refused,
 * become 0: a value that says nothing. The block does not start without
 * a key.
 */
class SAMARA_API ple_llr_ff : virtual public gr::sync_block
{
public:
    typedef std::shared_ptr<ple_llr_ff> sptr;

    /*!
     * \param key \@FILE with 32 hex digits or 16 bytes, or 32 hex digits; ""
     * when the key is set before the start
     * \param frame_tag key of the tags that begin frames
     * \param direction of the frames on the link, 0 to 255
     * \param link_id 0 to 65535
     * \param length_tag key of the tags with the lengths of packets; "" when
     * frames do not depend on packets
     */
    static sptr make(const std::string& key,
                     const std::string& frame_tag = "frame",
                     uint8_t direction = 0,
                     uint16_t link_id = 0,
                     const std::string& length_tag = "packet_len");

    //! Sets the key for the frames after the last one begun.
    virtual void set_key(const std::string& key) = 0;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_PLE_LLR_FF_H */
