/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_FRAME_COUNTER_IMPL_H
#define INCLUDED_SAMARA_FRAME_COUNTER_IMPL_H

#include "counter_file.h"
#include <gnuradio/samara/frame_counter.h>
#include <memory>
#include <vector>

namespace gr {
namespace samara {

class frame_counter_impl : public frame_counter
{
public:
    frame_counter_impl(size_t item_size,
                       const std::string& state_file,
                       uint64_t first,
                       const std::string& length_tag,
                       const std::string& frame_tag);

    int work(int noutput_items,
             gr_vector_const_void_star& input_items,
             gr_vector_void_star& output_items) override;

private:
    void number(uint64_t offset);

    const size_t d_item_size;
    std::unique_ptr<counter_file> d_counter; // when there is a file
    uint64_t d_next;
    const pmt::pmt_t d_length_tag;
    const pmt::pmt_t d_frame_tag;
    std::vector<tag_t> d_tags;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_FRAME_COUNTER_IMPL_H */
