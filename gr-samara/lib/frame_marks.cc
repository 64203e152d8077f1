/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "frame_marks.h"

#include "key_message.h"
#include <algorithm>

namespace gr {
namespace samara {

frame_marks::frame_marks(const std::string& frame_tag,
                         const std::string& length_tag)
    : d_frame_tag(pmt::mp(frame_tag)),
      d_length_tag(length_tag.empty() ? pmt::PMT_NIL : pmt::mp(length_tag))
{
}

bool frame_marks::is_length_tag(const tag_t& tag) const
{
    return pmt::eqv(tag.key, d_length_tag) &&
           frame_counter_of(tag.value).value_or(0) > 0;
}

frame_window
frame_marks::next(const std::vector<tag_t>& tags, uint64_t first, int available)
{
    frame_window window;
    window.size = available;
    const tag_t* frame = nullptr;
    const tag_t* length = nullptr;
    for (const tag_t& tag : tags) {
        if (!is_frame_tag(tag) && !is_length_tag(tag)) {
            continue;
        }
        if (tag.offset > first) {
            const auto place = static_cast<int64_t>(tag.offset - first);
            window.size = static_cast<int>(
                std::min(static_cast<int64_t>(window.size), place));
        } else if (is_frame_tag(tag)) {
            frame = frame ? frame : &tag;
        } else {
            length = &tag;
        }
    }
    decide(window, first, frame, length);
    if (d_packet_end && *d_packet_end > first) {
        const auto left = static_cast<int64_t>(*d_packet_end - first);
        window.size =
            static_cast<int>(std::min(static_cast<int64_t>(window.size), left));
    }
    return window;
}

void frame_marks::decide(frame_window& window,
                         uint64_t first,
                         const tag_t* frame,
                         const tag_t* length)
{
    using event = frame_window::event;
    const bool within = d_packet_end && first < *d_packet_end;
    const bool at_end = d_packet_end && first == *d_packet_end;
    if (length) {
        d_packet_start = first;
        d_packet_end = first + *frame_counter_of(length->value);
        window.what = frame ? event::BEGINS : event::ENDS;
        window.reason = "a packet has no frame tag on its first item";
    } else if (frame && within) {
        window.what = event::MISPLACED;
        window.reason =
            "a frame tag is refused: it is " +
            std::to_string(first - d_packet_start) +
            " items into a packet of " +
            std::to_string(*d_packet_end - d_packet_start) +
            ", because a preceding block has moved it: assign frame counters "
            "after that block (frame_counter)";
    } else if (frame) {
        window.what = event::BEGINS;
        d_packet_end.reset();
    } else if (at_end) {
        window.what = event::ENDS;
    }
    if (frame) {
        window.number = frame->value;
    }
}

} // namespace samara
} // namespace gr
