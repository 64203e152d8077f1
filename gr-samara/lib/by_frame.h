/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BY_FRAME_H
#define INCLUDED_SAMARA_BY_FRAME_H

#include <cstdint>
#include <iterator>
#include <map>

namespace gr {
namespace samara {

/*!
 * \brief What holds from one frame on, until the next entry does: keys, or what
 * is made of them.
 *
 * \details
 * The frame counter alone decides, so a change takes effect at the same frame
 * at both ends, whenever the message that announced it arrived.
 */
template <typename T>
class by_frame
{
public:
    bool empty() const { return d_entries.empty(); }

    //! An entry for the frames from this counter on; later entries are void.
    void set(uint64_t first_frame, T entry)
    {
        d_entries.erase(d_entries.lower_bound(first_frame), d_entries.end());
        d_entries.emplace(first_frame, std::move(entry));
    }

    //! The entry of a frame; nullptr when there is none.
    T* find(uint64_t frame)
    {
        const auto later = d_entries.upper_bound(frame);
        return later == d_entries.begin() ? nullptr : &std::prev(later)->second;
    }

    //! The frame from which another entry than this frame's holds, or none.
    const uint64_t* next_change(uint64_t frame) const
    {
        const auto later = d_entries.upper_bound(frame);
        return later == d_entries.end() ? nullptr : &later->first;
    }

    //! Drops all but this frame's entry, the one before it and later ones.
    void forget_before(uint64_t frame)
    {
        const auto later = d_entries.upper_bound(frame);
        if (std::distance(d_entries.begin(), later) > 2) {
            d_entries.erase(d_entries.begin(), std::prev(later, 2));
        }
    }

private:
    std::map<uint64_t, T> d_entries; // by the first frame
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BY_FRAME_H */
