/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_PLE_XOR_BB_IMPL_H
#define INCLUDED_SAMARA_PLE_XOR_BB_IMPL_H

#include "frame_marks.h"
#include "keyed_block.h"
#include "ple_frames.h"
#include <gnuradio/samara/ple_xor_bb.h>

namespace gr {
namespace samara {

class ple_xor_bb_impl : public keyed_block<ple_xor_bb, ple_frames>
{
public:
    ple_xor_bb_impl(ple_role role,
                    const std::string& key,
                    const std::string& state_file,
                    const std::string& frame_tag,
                    bit_format format,
                    const frame_link& link,
                    const std::string& length_tag);

    bool start() override;
    int work(int noutput_items,
             gr_vector_const_void_star& input_items,
             gr_vector_void_star& output_items) override;

private:
    void begin(const frame_window& window);
    void pass_tags(const frame_window& window);

    frame_marks d_marks;
    const bit_format d_format;
    std::unique_ptr<ple_keystream> d_keystream; // of the present frame
    std::vector<tag_t> d_tags;
    bool d_refused = false; // the tag of the window's first item
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_PLE_XOR_BB_IMPL_H */
