/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "frame_counter_impl.h"

#include <algorithm>
#include <cstring>
#include <gnuradio/io_signature.h>
#include <limits>
#include <stdexcept>

namespace gr {
namespace samara {

namespace {

// Counters that one write to the disk reserves.
constexpr uint64_t reservation = 1024;

} // namespace

frame_counter::sptr frame_counter::make(size_t item_size,
                                        const std::string& state_file,
                                        uint64_t first,
                                        const std::string& length_tag,
                                        const std::string& frame_tag)
{
    return gnuradio::make_block_sptr<frame_counter_impl>(
        item_size, state_file, first, length_tag, frame_tag);
}

frame_counter_impl::frame_counter_impl(size_t item_size,
                                       const std::string& state_file,
                                       uint64_t first,
                                       const std::string& length_tag,
                                       const std::string& frame_tag)
    : sync_block("frame_counter",
                 io_signature::make(1, 1, static_cast<int>(item_size)),
                 io_signature::make(1, 1, static_cast<int>(item_size))),
      d_item_size(item_size),
      d_next(first),
      d_length_tag(pmt::mp(length_tag)),
      d_frame_tag(pmt::mp(frame_tag))
{
    if (!state_file.empty()) {
        d_counter = std::make_unique<counter_file>(state_file, reservation);
        d_next = std::max(first, d_counter->next());
    }
    // work() copies all tags but frame tags.
    set_tag_propagation_policy(TPP_DONT);
}

// The counter is on the disk before a frame gets it.
void frame_counter_impl::number(uint64_t offset)
{
    try {
        if (d_next == std::numeric_limits<uint64_t>::max() ||
            (d_counter && !d_counter->use(d_next))) {
            throw std::runtime_error("the frame counter is at its end");
        }
        add_item_tag(0, offset, d_frame_tag, pmt::from_uint64(d_next));
        d_next++;
    } catch (const std::exception& error) {
        d_logger->error("a packet gets no frame counter: {}", error.what());
    }
}

int frame_counter_impl::work(int noutput_items,
                             gr_vector_const_void_star& input_items,
                             gr_vector_void_star& output_items)
{
    std::memcpy(output_items[0], input_items[0], noutput_items * d_item_size);
    get_tags_in_window(d_tags, 0, 0, noutput_items);
    std::sort(d_tags.begin(), d_tags.end(), tag_t::offset_compare);
    for (const tag_t& tag : d_tags) {
        if (pmt::eqv(tag.key, d_frame_tag)) {
            continue;
        }
        add_item_tag(0, tag);
        if (pmt::eqv(tag.key, d_length_tag)) {
            number(tag.offset);
        }
    }
    return noutput_items;
}

} // namespace samara
} // namespace gr
