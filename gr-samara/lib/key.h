/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_KEY_H
#define INCLUDED_SAMARA_KEY_H

#include <array>
#include <cstdint>
#include <gnuradio/samara/api.h>
#include <pmt/pmt.h>
#include <string>

namespace gr {
namespace samara {

//! The 16 bytes of a key, wiped from memory when the object goes.
class SAMARA_API key
{
public:
    static constexpr size_t size = 16;

    /*!
     * \brief Takes a key as samara's command line does.
     *
     * \param text \@FILE, where the file holds 32 hex digits or exactly 16
     * bytes; or 32 hex digits
     * \throws std::invalid_argument when it is neither; the text, which may
     * hold a part of a key, is not repeated
     */
    static key from_text(const std::string& text);

    /*!
     * \brief Takes a key out of a message: a u8vector of 16 bytes, or a symbol
     * with a text as above.
     */
    static key from_pmt(const pmt::pmt_t& value);

    explicit key(const std::array<uint8_t, size>& bytes) : d_bytes(bytes) {}
    ~key();
    key(const key&) = default;
    key& operator=(const key&) = default;

    const uint8_t* data() const { return d_bytes.data(); }

private:
    std::array<uint8_t, size> d_bytes;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_KEY_H */
