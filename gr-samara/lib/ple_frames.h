/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_PLE_FRAMES_H
#define INCLUDED_SAMARA_PLE_FRAMES_H

#include "by_frame.h"
#include "counter_file.h"
#include "key_message.h"
#include "ple_keystream.h"
#include <gnuradio/samara/ple_role.h>
#include <memory>
#include <string>

namespace gr {
namespace samara {

/*!
 * \brief What the stream and PDU blocks have in common: which frames they
 * encrypt or decrypt, under which keys.
 */
class SAMARA_API ple_frames
{
public:
    /*!
     * \param text the key (see key::from_text), or "" when it comes later
     * \param state_file where a transmitter stores its counter; not looked at
     * for ple_role::DECRYPT
     */
    ple_frames(ple_role role,
               const std::string& text,
               const frame_link& link,
               const std::string& state_file);

    bool has_key() const { return !d_keys.empty(); }

    void set_key(const key_message& change);

    //! One above the highest frame so far.
    uint64_t next_frame() const { return d_next; }

    /*!
     * \brief Begins a frame.
     *
     * \param number the frame counter, as a tag or metadata have it
     * \throws std::runtime_error with the reason when the frame is refused: it
     * has no counter or no key, or a transmitter used the counter before
     */
    std::unique_ptr<ple_keystream> begin(const pmt::pmt_t& number);

private:
    const frame_link d_link;
    by_frame<key> d_keys;
    std::unique_ptr<counter_file> d_counter; // of a transmitter
    uint64_t d_next = 0; // one above the highest frame begun
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_PLE_FRAMES_H */
