/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_MODULATION_H
#define INCLUDED_SAMARA_BURST_MODULATION_H

namespace gr {
namespace samara {

//! How a burst carries its bits.
enum class burst_modulation {
    BPSK,       //!< 1 bit a symbol
    QPSK,       //!< 2 bits a symbol
    QAM16,      //!< 4 bits a symbol
    OQPSK_DSSS, //!< 4 bits in 32 chips, as IEEE 802.15.4 at 2450 MHz
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_MODULATION_H */
