/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_FRAME_WINDOW_H
#define INCLUDED_SAMARA_FRAME_WINDOW_H

#include <algorithm>
#include <cstdint>
#include <gnuradio/tags.h>
#include <vector>

namespace gr {
namespace samara {

/*!
 * \brief The items that one call of work() handles: a frame, or a part of one.
 */
struct frame_window {
    const tag_t* begins = nullptr; //!< the tag, when the first item has one
    int size;                      //!< items up to the next tag, at least 1

    /*!
     * \param tags the tags that begin frames, in any order
     * \param first number of the first item
     * \param available items
     */
    frame_window(const std::vector<tag_t>& tags, uint64_t first, int available)
        : size(available)
    {
        for (const tag_t& tag : tags) {
            const auto place = static_cast<int>(tag.offset - first);
            if (place > 0) {
                size = std::min(size, place);
            } else if (!begins) {
                begins = &tag;
            }
        }
    }
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_FRAME_WINDOW_H */
