/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ple_xor_bb_impl.h"

#include <algorithm>
#include <gnuradio/io_signature.h>

namespace gr {
namespace samara {

ple_xor_bb::sptr ple_xor_bb::make(ple_role role,
                                  const std::string& key,
                                  const std::string& state_file,
                                  const std::string& frame_tag,
                                  bit_format format,
                                  uint8_t direction,
                                  uint16_t link_id,
                                  const std::string& length_tag)
{
    return gnuradio::make_block_sptr<ple_xor_bb_impl>(
        role,
        key,
        state_file,
        frame_tag,
        format,
        frame_link{ direction, link_id },
        length_tag);
}

ple_xor_bb_impl::ple_xor_bb_impl(ple_role role,
                                 const std::string& key,
                                 const std::string& state_file,
                                 const std::string& frame_tag,
                                 bit_format format,
                                 const frame_link& link,
                                 const std::string& length_tag)
    : sync_block("ple_xor_bb",
                 io_signature::make(1, 1, sizeof(uint8_t)),
                 io_signature::make(1, 1, sizeof(uint8_t))),
      keyed_block(role, key, link, state_file),
      d_marks(frame_tag, length_tag),
      d_format(format)
{
    // By pass_tags().
    set_tag_propagation_policy(TPP_DONT);
}

// A run begins with no frame, whatever the last one was in the middle of.
bool ple_xor_bb_impl::start()
{
    gr::thread::scoped_lock guard(d_setlock);
    d_marks.reset();
    d_keystream.reset();
    return block::start();
}

void ple_xor_bb_impl::begin(const frame_window& window)
{
    d_refused = false;
    switch (window.what) {
    case frame_window::event::GOES_ON:
        break;
    case frame_window::event::MISPLACED:
        d_refused = true;
        d_logger->warn("{}", window.reason);
        break;
    case frame_window::event::ENDS:
        d_keystream.reset();
        if (!window.reason.empty()) {
            d_logger->warn("bits become zeros: {}", window.reason);
        }
        break;
    case frame_window::event::BEGINS:
        d_keystream.reset();
        try {
            d_keystream = d_keyed.begin(window.number);
        } catch (const std::exception& error) {
            d_refused = true;
            d_logger->warn("bits become zeros: {}", error.what());
        }
    }
}

// All tags but those of frames that are refused.
void ple_xor_bb_impl::pass_tags(const frame_window& window)
{
    const uint64_t first = nitems_read(0);
    for (const tag_t& tag : d_tags) {
        const bool refused =
            d_refused && tag.offset == first && d_marks.is_frame_tag(tag);
        if (!refused && tag.offset < first + window.size) {
            add_item_tag(0, tag);
        }
    }
}

// One frame, or a part of one, at a time.
int ple_xor_bb_impl::work(int noutput_items,
                          gr_vector_const_void_star& input_items,
                          gr_vector_void_star& output_items)
{
    gr::thread::scoped_lock guard(d_setlock);
    const auto* in = static_cast<const uint8_t*>(input_items[0]);
    auto* out = static_cast<uint8_t*>(output_items[0]);
    get_tags_in_window(d_tags, 0, 0, noutput_items);
    const frame_window window =
        d_marks.next(d_tags, nitems_read(0), noutput_items);
    begin(window);
    pass_tags(window);
    if (d_keystream) {
        d_keystream->add(d_format, in, out, window.size);
    } else {
        std::fill_n(out, window.size, 0);
    }
    return window.size;
}

} // namespace samara
} // namespace gr
