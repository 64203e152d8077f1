/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ple_xor_bb_impl.h"

#include "frame_window.h"
#include <gnuradio/io_signature.h>

namespace gr {
namespace samara {

ple_xor_bb::sptr ple_xor_bb::make(ple_role role,
                                  const std::string& key,
                                  const std::string& state_file,
                                  const std::string& frame_tag,
                                  bit_format format,
                                  uint8_t direction,
                                  uint16_t link_id)
{
    return gnuradio::make_block_sptr<ple_xor_bb_impl>(
        role,
        key,
        state_file,
        frame_tag,
        format,
        frame_link{ direction, link_id });
}

ple_xor_bb_impl::ple_xor_bb_impl(ple_role role,
                                 const std::string& key,
                                 const std::string& state_file,
                                 const std::string& frame_tag,
                                 bit_format format,
                                 const frame_link& link)
    : sync_block("ple_xor_bb",
                 io_signature::make(1, 1, sizeof(uint8_t)),
                 io_signature::make(1, 1, sizeof(uint8_t))),
      keyed_block(role, key, link, state_file),
      d_frame_tag(pmt::mp(frame_tag)),
      d_format(format)
{
}

bool ple_xor_bb_impl::begin_frame(const tag_t& tag)
{
    try {
        d_keystream = d_keyed.begin(tag.value);
    } catch (const std::exception& error) {
        d_logger->error("the stream ends: {}", error.what());
        return false;
    }
    return true;
}

// One frame, or a part of one, at a time: a tag is looked at when its item is
// the first, so what comes before a refused frame still leaves the block.
int ple_xor_bb_impl::work(int noutput_items,
                          gr_vector_const_void_star& input_items,
                          gr_vector_void_star& output_items)
{
    gr::thread::scoped_lock guard(d_setlock);
    get_tags_in_window(d_tags, 0, 0, noutput_items, d_frame_tag);
    const frame_window window(d_tags, nitems_read(0), noutput_items);
    if (window.begins && !begin_frame(*window.begins)) {
        return WORK_DONE;
    }
    if (!d_keystream) {
        d_logger->error("the stream ends: its first item begins no frame");
        return WORK_DONE;
    }
    d_keystream->add(d_format,
                     static_cast<const uint8_t*>(input_items[0]),
                     static_cast<uint8_t*>(output_items[0]),
                     window.size);
    return window.size;
}

} // namespace samara
} // namespace gr
