/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <gnuradio/samara/frame_nonce.h>

namespace gr {
namespace samara {

frame_nonce
make_frame_nonce(nonce_domain domain, const frame_link& link, uint64_t counter)
{
    frame_nonce nonce{ static_cast<uint8_t>(domain),
                       link.direction,
                       static_cast<uint8_t>(link.link_id >> 8),
                       static_cast<uint8_t>(link.link_id) };
    for (size_t i = 0; i < 8; i++) {
        nonce[4 + i] = static_cast<uint8_t>(counter >> (56 - 8 * i));
    }
    return nonce;
}

} // namespace samara
} // namespace gr
