/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_FRAME_MARKS_H
#define INCLUDED_SAMARA_FRAME_MARKS_H

#include <cstdint>
#include <gnuradio/samara/api.h>
#include <gnuradio/tags.h>
#include <optional>
#include <string>
#include <vector>

namespace gr {
namespace samara {

/*!
 * \brief The items that one call of work() handles: a frame, or a part of one.
 */
struct frame_window {
    enum class event {
        GOES_ON,   //!< what held for the item before holds for these
        BEGINS,    //!< a frame begins, with the tag in \p number
        MISPLACED, //!< a frame tag is refused; what held before holds
        ENDS       //!< no frame is here
    };
    event what = event::GOES_ON;
    int size = 0;         //!< items up to the next tag or end, at least 1
    pmt::pmt_t number{};  //!< of BEGINS and MISPLACED: the tag's value
    std::string reason{}; //!< why a tag is refused, or no frame is here
};

/*!
 * \brief Where frames begin and end in a stream, by its tags.
 *
 * \details
 * A frame begins at a frame tag. If the stream has tags with the lengths of
 * packets, as GNU Radio's tagged streams have, a frame is a packet: a frame tag
 * inside a packet is refused, because a preceding block has moved it (gr-fec's
 * tagged_encoder does so if a code is terminated), and a packet without a frame
 * tag on its first item holds no frame.
 */
class SAMARA_API frame_marks
{
public:
    /*!
     * \param frame_tag key of the tags that begin frames
     * \param length_tag key of the tags with the lengths of packets; "": none
     * are looked at
     */
    frame_marks(const std::string& frame_tag, const std::string& length_tag);

    //! Forgets the packet: another stream begins.
    void reset() { d_packet_end.reset(); }

    /*!
     * \param tags those of the items that are available, in any order
     * \param first number of the first item
     * \param available items
     */
    frame_window
    next(const std::vector<tag_t>& tags, uint64_t first, int available);

    //! Whether a tag begins frames, where it stands.
    bool is_frame_tag(const tag_t& tag) const
    {
        return pmt::eqv(tag.key, d_frame_tag);
    }

private:
    bool is_length_tag(const tag_t& tag) const;
    void decide(frame_window& window,
                uint64_t first,
                const tag_t* frame,
                const tag_t* length);

    const pmt::pmt_t d_frame_tag;
    const pmt::pmt_t d_length_tag; // nil when there is none
    uint64_t d_packet_start = 0;
    std::optional<uint64_t> d_packet_end; // number of the first item after it
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_FRAME_MARKS_H */
