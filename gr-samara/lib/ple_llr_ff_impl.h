/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_PLE_LLR_FF_IMPL_H
#define INCLUDED_SAMARA_PLE_LLR_FF_IMPL_H

#include "frame_marks.h"
#include "keyed_block.h"
#include "ple_frames.h"
#include <gnuradio/samara/ple_llr_ff.h>

namespace gr {
namespace samara {

class ple_llr_ff_impl : public keyed_block<ple_llr_ff, ple_frames>
{
public:
    ple_llr_ff_impl(const std::string& key,
                    const std::string& frame_tag,
                    const frame_link& link,
                    const std::string& length_tag);

    bool start() override;
    int work(int noutput_items,
             gr_vector_const_void_star& input_items,
             gr_vector_void_star& output_items) override;

private:
    void begin(const frame_window& window);

    frame_marks d_marks;
    std::unique_ptr<ple_keystream> d_keystream; // of the present frame
    std::vector<tag_t> d_tags;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_PLE_LLR_FF_IMPL_H */
