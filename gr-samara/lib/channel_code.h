/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_CHANNEL_CODE_H
#define INCLUDED_SAMARA_CHANNEL_CODE_H

#include <gnuradio/samara/frame_codec.h>
#include <memory>

namespace gr {
namespace samara {

/*!
 * \brief One of gr-fec's codes for frames of one size, without a flowgraph.
 *
 * \details
 * Bits stand one in a byte. Soft values have a mean magnitude of 1, and are
 * positive for bit 1.
 */
class channel_code
{
public:
    typedef std::unique_ptr<channel_code> uptr;

    static uptr make(frame_code code, size_t info_bits);

    //! Coded bits for so many information bits.
    static size_t coded_bits(frame_code code, size_t info_bits);

    virtual ~channel_code() = default;

    virtual void encode(const uint8_t* info, uint8_t* coded) = 0;
    virtual void decode(const float* soft, uint8_t* info) = 0;
};

/*!
 * \brief Bits on the air for a payload.
 * \throws std::invalid_argument for more than frame_codec::max_payload bytes
 */
size_t frame_coded_bits(frame_code code, size_t payload_size);

//! The longest payload that has so many bits on the air, if there is one.
std::optional<size_t> frame_payload_size(frame_code code, size_t bits);

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_CHANNEL_CODE_H */
