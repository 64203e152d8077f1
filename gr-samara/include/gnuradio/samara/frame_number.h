/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_FRAME_NUMBER_H
#define INCLUDED_SAMARA_FRAME_NUMBER_H

#include <cstddef>
#include <cstdint>
#include <gnuradio/samara/api.h>
#include <gnuradio/sync_block.h>
#include <string>

namespace gr {
namespace samara {

/*!
 * \brief Numbers the packets of a tagged stream as frames.
 * \ingroup samara
 *
 * \details
 * On the first item of each packet, which has a tag with the packet's length, a
 * tag with the frame's number is put. Frames' tags that the stream had before
 * are dropped. Put it right before ple_xor_bb or ple_llr_ff: blocks that change
 * the number of items, such as channel codes, move tags.
 *
 * With a file for the counter numbers only go up, over restarts and crashes, as
 * an encrypting ple_xor_bb wants them (whose own file is another one). Numbers
 * go on when a flowgraph is run again. 2^64 - 1 is not used: packets after
 * 2^64 - 2 get no number, with a line in the log.
 */
class SAMARA_API frame_number : virtual public gr::sync_block
{
public:
    typedef std::shared_ptr<frame_number> sptr;

    /*!
     * \param item_size bytes of an item
     * \param state_file where the counter is stored; "": nowhere
     * \param first the lowest number to give
     * \param length_tag key of the tags with packets' lengths
     * \param frame_tag key of the tags with frames' numbers
     */
    static sptr make(size_t item_size,
                     const std::string& state_file = "",
                     uint64_t first = 0,
                     const std::string& length_tag = "packet_len",
                     const std::string& frame_tag = "frame");
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_FRAME_NUMBER_H */
