/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_KEY_SCHEDULE_H
#define INCLUDED_SAMARA_KEY_SCHEDULE_H

#include "key.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace gr {
namespace samara {

/*!
 * \brief Which key a frame has, by its number alone.
 *
 * \details
 * So a change of keys takes effect at the same frame at both ends, whenever the
 * message that announced it arrived. One key before the present one is kept,
 * for frames that come late.
 */
class SAMARA_API key_schedule
{
public:
    //! \param text the first key (see key::from_text), or "" for none yet
    explicit key_schedule(const std::string& text);

    bool empty() const { return d_keys.empty(); }

    //! Uses a key from the frame of this number on.
    void set(const key& value, uint64_t first_frame);

    /*!
     * \brief Takes a key out of a message.
     *
     * \details
     * Either a key alone (see key::from_pmt), for the frames from \p next_frame
     * on, or a dictionary with "key" and "first_frame".
     *
     * \throws std::invalid_argument when it holds no such thing
     */
    void set_by_message(const pmt::pmt_t& message, uint64_t next_frame);

    //! The key of a frame; nullptr when there is none for it.
    const key* find(uint64_t frame) const;

    //! Drops the keys that frames near this one can no longer have.
    void forget_before(uint64_t frame);

private:
    std::map<uint64_t, key> d_keys; // by the first frame that has the key
};

/*!
 * \brief A frame's number as tags and metadata carry it.
 *
 * \returns nothing when \p value is not an integer from 0 to 2^64 - 1
 */
SAMARA_API std::optional<uint64_t> frame_number_of(const pmt::pmt_t& value);

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_KEY_SCHEDULE_H */
