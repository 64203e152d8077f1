/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_PLE_XOR_PDU_IMPL_H
#define INCLUDED_SAMARA_PLE_XOR_PDU_IMPL_H

#include "keyed_pdu_block.h"
#include "ple_frames.h"
#include <gnuradio/samara/ple_xor_pdu.h>

namespace gr {
namespace samara {

class ple_xor_pdu_impl : public keyed_pdu_block<ple_xor_pdu, ple_frames>
{
public:
    ple_xor_pdu_impl(ple_role role,
                     const std::string& key,
                     const std::string& state_file,
                     const std::string& frame_key,
                     bit_format format,
                     const frame_link& link);

private:
    pmt::pmt_t handle_pdu(const pdu_parts& pdu) override;

    const pmt::pmt_t d_frame_key;
    const bit_format d_format;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_PLE_XOR_PDU_IMPL_H */
