/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "frame_seal_pdu_impl.h"

#include <gnuradio/io_signature.h>

namespace gr {
namespace samara {

frame_seal_pdu::sptr frame_seal_pdu::make(const std::string& key,
                                          const std::string& state_file,
                                          frame_code code,
                                          frame_check check,
                                          uint8_t direction,
                                          uint16_t link_id)
{
    const frame_settings settings{ code,
                                   check,
                                   frame_link{ direction, link_id } };
    return gnuradio::make_block_sptr<frame_seal_pdu_impl>(
        settings, key, state_file);
}

frame_seal_pdu_impl::frame_seal_pdu_impl(const frame_settings& settings,
                                         const std::string& key,
                                         const std::string& state_file)
    : block("frame_seal_pdu",
            io_signature::make(0, 0, 0),
            io_signature::make(0, 0, 0)),
      keyed_pdu_block(settings, key, state_file)
{
}

pmt::pmt_t frame_seal_pdu_impl::handle_pdu(const pdu_parts& pdu)
{
    if (!pmt::is_u8vector(pdu.data)) {
        throw std::runtime_error("it does not hold bytes");
    }
    const auto sealed = d_keyed.seal(pmt::u8vector_elements(pdu.data));
    return pmt::cons(pmt::dict_add(pdu.metadata,
                                   pmt::mp("frame"),
                                   pmt::from_uint64(sealed.number)),
                     pmt::init_u8vector(sealed.bits.size(), sealed.bits));
}

} // namespace samara
} // namespace gr
