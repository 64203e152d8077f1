/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_FRAME_OPEN_PDU_IMPL_H
#define INCLUDED_SAMARA_FRAME_OPEN_PDU_IMPL_H

#include "frame_opener.h"
#include "keyed_pdu_block.h"
#include <gnuradio/samara/frame_open_pdu.h>

namespace gr {
namespace samara {

class frame_open_pdu_impl : public keyed_pdu_block<frame_open_pdu, frame_opener>
{
public:
    frame_open_pdu_impl(const frame_settings& settings,
                        const std::string& key,
                        const std::string& state_file,
                        size_t payload_size,
                        bool likelihoods);

private:
    pmt::pmt_t handle_pdu(const pdu_parts& pdu) override;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_FRAME_OPEN_PDU_IMPL_H */
