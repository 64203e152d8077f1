/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ple_xor_pdu_impl.h"

#include <gnuradio/io_signature.h>

namespace gr {
namespace samara {

ple_xor_pdu::sptr ple_xor_pdu::make(ple_role role,
                                    const std::string& key,
                                    const std::string& state_file,
                                    const std::string& frame_key,
                                    bit_format format,
                                    uint8_t direction,
                                    uint16_t link_id)
{
    return gnuradio::make_block_sptr<ple_xor_pdu_impl>(
        role,
        key,
        state_file,
        frame_key,
        format,
        frame_link{ direction, link_id });
}

ple_xor_pdu_impl::ple_xor_pdu_impl(ple_role role,
                                   const std::string& key,
                                   const std::string& state_file,
                                   const std::string& frame_key,
                                   bit_format format,
                                   const frame_link& link)
    : block("ple_xor_pdu",
            io_signature::make(0, 0, 0),
            io_signature::make(0, 0, 0)),
      keyed_pdu_block(role, key, link, state_file),
      d_frame_key(pmt::mp(frame_key)),
      d_format(format)
{
}

pmt::pmt_t ple_xor_pdu_impl::handle_pdu(const pdu_parts& pdu)
{
    if (!pmt::is_u8vector(pdu.data)) {
        throw std::runtime_error("it does not hold bytes");
    }
    std::vector<uint8_t> bits = pmt::u8vector_elements(pdu.data);
    d_keyed.begin(pdu.find(d_frame_key))
        ->add(d_format, bits.data(), bits.data(), bits.size());
    return pmt::cons(pdu.metadata, pmt::init_u8vector(bits.size(), bits));
}

} // namespace samara
} // namespace gr
