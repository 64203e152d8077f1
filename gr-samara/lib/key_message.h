/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_KEY_MESSAGE_H
#define INCLUDED_SAMARA_KEY_MESSAGE_H

#include "key.h"
#include <optional>

namespace gr {
namespace samara {

//! A new key, as a message brings it, and the first frame that has it.
struct SAMARA_API key_message {
    /*!
     * \param message a key alone (see key::from_pmt), for the frames from
     * \p next_frame on, or a dictionary with "key" and "first_frame"
     * \throws std::invalid_argument when it holds no such thing
     */
    static key_message from_pmt(const pmt::pmt_t& message, uint64_t next_frame);

    key value;
    uint64_t first_frame;
};

/*!
 * \brief The frame counter in a tag or in metadata.
 *
 * \returns nothing when \p value is not an integer from 0 to 2^64 - 1
 */
SAMARA_API std::optional<uint64_t> frame_counter_of(const pmt::pmt_t& value);

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_KEY_MESSAGE_H */
