/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ple_llr_pdu_impl.h"

#include <gnuradio/io_signature.h>

namespace gr {
namespace samara {

ple_llr_pdu::sptr ple_llr_pdu::make(const std::string& key,
                                    const std::string& frame_key,
                                    uint8_t direction,
                                    uint16_t link_id)
{
    return gnuradio::make_block_sptr<ple_llr_pdu_impl>(
        key, frame_key, frame_link{ direction, link_id });
}

ple_llr_pdu_impl::ple_llr_pdu_impl(const std::string& key,
                                   const std::string& frame_key,
                                   const frame_link& link)
    : block("ple_llr_pdu",
            io_signature::make(0, 0, 0),
            io_signature::make(0, 0, 0)),
      keyed_pdu_block(ple_role::DECRYPT, key, link, ""),
      d_frame_key(pmt::mp(frame_key))
{
}

pmt::pmt_t ple_llr_pdu_impl::handle_pdu(const pdu_parts& pdu)
{
    if (!pmt::is_f32vector(pdu.data)) {
        throw std::runtime_error("it does not hold floats");
    }
    std::vector<float> soft = pmt::f32vector_elements(pdu.data);
    d_keyed.begin(pdu.find(d_frame_key))
        ->flip(soft.data(), soft.data(), soft.size());
    return pmt::cons(pdu.metadata, pmt::init_f32vector(soft.size(), soft));
}

} // namespace samara
} // namespace gr
