/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <gnuradio/samara/frame_nonce.h>
#include <samara/ple_sync.h>

namespace gr {
namespace samara {

frame_nonce
make_frame_nonce(nonce_domain domain, const frame_link& link, uint64_t counter)
{
    frame_nonce nonce;
    samara_ple_nonce(nonce.data(),
                     static_cast<samara_ple_domain>(domain),
                     link.direction,
                     link.link_id,
                     counter);
    return nonce;
}

} // namespace samara
} // namespace gr
