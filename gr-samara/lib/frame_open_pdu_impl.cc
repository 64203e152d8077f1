/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "frame_open_pdu_impl.h"

#include <gnuradio/io_signature.h>

namespace gr {
namespace samara {

frame_open_pdu::sptr frame_open_pdu::make(const std::string& key,
                                          const std::string& state_file,
                                          frame_code code,
                                          frame_check check,
                                          uint8_t direction,
                                          uint16_t link_id,
                                          size_t payload_size,
                                          bool likelihoods)
{
    const frame_settings settings{ code,
                                   check,
                                   frame_link{ direction, link_id } };
    return gnuradio::make_block_sptr<frame_open_pdu_impl>(
        settings, key, state_file, payload_size, likelihoods);
}

frame_open_pdu_impl::frame_open_pdu_impl(const frame_settings& settings,
                                         const std::string& key,
                                         const std::string& state_file,
                                         size_t payload_size,
                                         bool likelihoods)
    : block("frame_open_pdu",
            io_signature::make(0, 0, 0),
            io_signature::make(0, 0, 0)),
      keyed_pdu_block(settings, key, state_file, payload_size, likelihoods)
{
}

pmt::pmt_t frame_open_pdu_impl::handle_pdu(const pdu_parts& pdu)
{
    if (!pmt::is_f32vector(pdu.data)) {
        throw std::runtime_error("it does not hold floats");
    }
    const auto opened =
        d_keyed.open(pmt::f32vector_elements(pdu.data),
                     frame_counter_of(pdu.find(pmt::mp("frame"))));
    return pmt::cons(pmt::dict_add(pdu.metadata,
                                   pmt::mp("frame"),
                                   pmt::from_uint64(opened.number)),
                     pmt::init_u8vector(opened.payload.size(), opened.payload));
}

} // namespace samara
} // namespace gr
