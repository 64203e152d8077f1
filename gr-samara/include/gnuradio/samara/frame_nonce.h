/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_FRAME_NONCE_H
#define INCLUDED_SAMARA_FRAME_NONCE_H

#include <array>
#include <cstdint>
#include <gnuradio/samara/api.h>

namespace gr {
namespace samara {

//! What a nonce is used for: no two uses of a key share one.
enum class nonce_domain : uint8_t { KEYSTREAM = 1, TAG = 2 };

/*!
 * \brief Which frames of a key: one direction of one link.
 *
 * \details
 * Both ends of a link may hold one key when they send with different
 * directions, and links may share it when their ids differ.
 */
struct frame_link {
    uint8_t direction = 0;
    uint16_t link_id = 0;
};

using frame_nonce = std::array<uint8_t, 12>;

/*!
 * \brief The 96-bit nonce of a frame.
 *
 * \details
 * Domain (1 byte), direction (1), link id (2) and frame counter (8), the longer
 * numbers with their most significant byte first.
 */
SAMARA_API frame_nonce make_frame_nonce(nonce_domain domain,
                                        const frame_link& link,
                                        uint64_t counter);

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_FRAME_NONCE_H */
