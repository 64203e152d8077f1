/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_FRAME_COUNTER_H
#define INCLUDED_SAMARA_FRAME_COUNTER_H

#include <cstddef>
#include <cstdint>
#include <gnuradio/samara/api.h>
#include <gnuradio/sync_block.h>
#include <string>

namespace gr {
namespace samara {

/*!
 * \brief Assigns frame counters to the packets of a tagged stream.
 * \ingroup samara
 *
 * \details
 * The first item of each packet, which has a tag with the length of the packet,
 * gets a tag with the frame counter. Frame tags that are already in the stream
 * are removed. Connect the block directly to ple_xor_bb or ple_llr_ff: blocks
 * that change the number of items, such as channel encoders, move tags.
 *
 * With a counter file, the counter only increases, across restarts and crashes,
 * as ple_xor_bb requires for encryption (use another file than that of
 * ple_xor_bb). The counter continues when a flowgraph is run again. 2^64 - 1 is
 * not used: packets after 2^64 - 2 get no counter, and the log says so.
 */
class SAMARA_API frame_counter : virtual public gr::sync_block
{
public:
    typedef std::shared_ptr<frame_counter> sptr;

    /*!
     * \param item_size bytes of an item
     * \param state_file file that stores the counter; "": none
     * \param first lowest counter to assign
     * \param length_tag key of the tags with the lengths of packets
     * \param frame_tag key of the tags with frame counters
     */
    static sptr make(size_t item_size,
                     const std::string& state_file = "",
                     uint64_t first = 0,
                     const std::string& length_tag = "packet_len",
                     const std::string& frame_tag = "frame");
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_FRAME_COUNTER_H */
