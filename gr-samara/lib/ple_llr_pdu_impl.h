/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_PLE_LLR_PDU_IMPL_H
#define INCLUDED_SAMARA_PLE_LLR_PDU_IMPL_H

#include "keyed_pdu_block.h"
#include "ple_frames.h"
#include <gnuradio/samara/ple_llr_pdu.h>

namespace gr {
namespace samara {

class ple_llr_pdu_impl : public keyed_pdu_block<ple_llr_pdu, ple_frames>
{
public:
    ple_llr_pdu_impl(const std::string& key,
                     const std::string& frame_key,
                     const frame_link& link);

private:
    pmt::pmt_t handle_pdu(const pdu_parts& pdu) override;

    const pmt::pmt_t d_frame_key;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_PLE_LLR_PDU_IMPL_H */
