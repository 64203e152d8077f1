/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ple_llr_ff_impl.h"

#include "frame_window.h"
#include <algorithm>
#include <gnuradio/io_signature.h>

namespace gr {
namespace samara {

ple_llr_ff::sptr ple_llr_ff::make(const std::string& key,
                                  const std::string& frame_tag,
                                  uint8_t direction,
                                  uint16_t link_id)
{
    return gnuradio::make_block_sptr<ple_llr_ff_impl>(
        key, frame_tag, frame_link{ direction, link_id });
}

ple_llr_ff_impl::ple_llr_ff_impl(const std::string& key,
                                 const std::string& frame_tag,
                                 const frame_link& link)
    : sync_block("ple_llr_ff",
                 io_signature::make(1, 1, sizeof(float)),
                 io_signature::make(1, 1, sizeof(float))),
      keyed_block(ple_role::DECRYPT, key, link, ""),
      d_frame_tag(pmt::mp(frame_tag))
{
}

void ple_llr_ff_impl::begin_frame(const tag_t& tag)
{
    try {
        d_keystream = d_keyed.begin(tag.value);
    } catch (const std::exception& error) {
        d_keystream.reset();
        d_logger->warn("soft values become zeros: {}", error.what());
    }
}

int ple_llr_ff_impl::work(int noutput_items,
                          gr_vector_const_void_star& input_items,
                          gr_vector_void_star& output_items)
{
    gr::thread::scoped_lock guard(d_setlock);
    const auto* in = static_cast<const float*>(input_items[0]);
    auto* out = static_cast<float*>(output_items[0]);

    get_tags_in_window(d_tags, 0, 0, noutput_items, d_frame_tag);
    const frame_window window(d_tags, nitems_read(0), noutput_items);
    if (window.begins) {
        begin_frame(*window.begins);
    }
    if (d_keystream) {
        d_keystream->flip(in, out, window.size);
    } else {
        std::fill_n(out, window.size, 0.0f);
    }
    return window.size;
}

} // namespace samara
} // namespace gr
