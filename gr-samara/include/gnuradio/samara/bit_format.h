/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BIT_FORMAT_H
#define INCLUDED_SAMARA_BIT_FORMAT_H

namespace gr {
namespace samara {

//! How a byte of a stream or a PDU holds bits.
enum class bit_format {
    UNPACKED,  //!< one bit, in the least significant place; others are kept
    MSB_FIRST, //!< eight bits, the first in the most significant place
    LSB_FIRST, //!< eight bits, the first in the least significant place
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BIT_FORMAT_H */
