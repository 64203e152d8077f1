/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ple_llr_ff_impl.h"

#include <algorithm>
#include <gnuradio/io_signature.h>

namespace gr {
namespace samara {

ple_llr_ff::sptr ple_llr_ff::make(const std::string& key,
                                  const std::string& frame_tag,
                                  uint8_t direction,
                                  uint16_t link_id,
                                  const std::string& length_tag)
{
    return gnuradio::make_block_sptr<ple_llr_ff_impl>(
        key, frame_tag, frame_link{ direction, link_id }, length_tag);
}

ple_llr_ff_impl::ple_llr_ff_impl(const std::string& key,
                                 const std::string& frame_tag,
                                 const frame_link& link,
                                 const std::string& length_tag)
    : sync_block("ple_llr_ff",
                 io_signature::make(1, 1, sizeof(float)),
                 io_signature::make(1, 1, sizeof(float))),
      keyed_block(ple_role::DECRYPT, key, link, ""),
      d_marks(frame_tag, length_tag)
{
}

// A run begins with no frame, whatever the last one was in the middle of.
bool ple_llr_ff_impl::start()
{
    gr::thread::scoped_lock guard(d_setlock);
    d_marks.reset();
    d_keystream.reset();
    return block::start();
}

void ple_llr_ff_impl::begin(const frame_window& window)
{
    if (window.what == frame_window::event::GOES_ON) {
        return;
    }
    if (window.what == frame_window::event::MISPLACED) {
        d_logger->warn("{}", window.reason);
        return;
    }
    d_keystream.reset();
    std::string reason = window.reason;
    if (window.what == frame_window::event::BEGINS) {
        reason.clear();
        try {
            d_keystream = d_keyed.begin(window.number);
        } catch (const std::exception& error) {
            reason = error.what();
        }
    }
    if (!reason.empty()) {
        d_logger->warn("soft values become zeros: {}", reason);
    }
}

int ple_llr_ff_impl::work(int noutput_items,
                          gr_vector_const_void_star& input_items,
                          gr_vector_void_star& output_items)
{
    gr::thread::scoped_lock guard(d_setlock);
    const auto* in = static_cast<const float*>(input_items[0]);
    auto* out = static_cast<float*>(output_items[0]);

    get_tags_in_window(d_tags, 0, 0, noutput_items);
    const frame_window window =
        d_marks.next(d_tags, nitems_read(0), noutput_items);
    begin(window);
    if (d_keystream) {
        d_keystream->flip(in, out, window.size);
    } else {
        std::fill_n(out, window.size, 0.0f);
    }
    return window.size;
}

} // namespace samara
} // namespace gr
