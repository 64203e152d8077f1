/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_PLE_KEYSTREAM_H
#define INCLUDED_SAMARA_PLE_KEYSTREAM_H

#include "key.h"
#include <cstdint>
#include <gnuradio/samara/bit_format.h>
#include <gnuradio/samara/frame_nonce.h>
#include <samara/grain128ple.h>

namespace gr {
namespace samara {

/*!
 * \brief The Grain-128PLE keystream of one frame.
 *
 * \details
 * Every call goes on at the bit where the last one stopped, so a frame may be
 * handled in pieces of any size. Input and output may be the same memory.
 */
class SAMARA_API ple_keystream
{
public:
    ple_keystream(const key& value, const frame_link& link, uint64_t frame);
    ~ple_keystream();
    ple_keystream(const ple_keystream&) = delete;
    ple_keystream& operator=(const ple_keystream&) = delete;

    //! Adds the keystream to \p count items of bits.
    void add(bit_format format, const uint8_t* in, uint8_t* out, size_t count);

    //! Flips the sign of soft values where the keystream bit is 1.
    void flip(const float* in, float* out, size_t count);

private:
    void add_unpacked(const uint8_t* in, uint8_t* out, size_t count);
    void
    add_packed(bool msb_first, const uint8_t* in, uint8_t* out, size_t count);

    samara_grain128ple d_state;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_PLE_KEYSTREAM_H */
