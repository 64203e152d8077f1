/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_MODULATION_H
#define INCLUDED_SAMARA_BURST_MODULATION_H

#include <gnuradio/samara/api.h>
#include <string>
#include <vector>

namespace gr {
namespace samara {

//! How a burst carries its bits.
enum class burst_modulation {
    BPSK,       //!< 1 bit per symbol
    QPSK,       //!< 2 bits per symbol
    QAM16,      //!< 4 bits per symbol
    OQPSK_DSSS, //!< 4 bits in 32 chips, as IEEE 802.15.4 at 2450 MHz
};

//! What is public of a row of the table of modulations.
struct burst_modulation_info {
    burst_modulation modulation;
    std::string identifier; //!< of the Python enumeration: "QAM16"
    std::string name;       //!< as samara's commands take it: "16-qam"
    std::string label;      //!< in GNU Radio Companion: "16-QAM"
    int bits_per_symbol;    //!< a burst carries a multiple of it
};

/*!
 * \brief The table of modulations, in the order of the enumeration.
 *
 * The Python enumeration is made from it. Tests compare with it the options of
 * the blocks in GNU Radio Companion and the table of the Python package.
 */
SAMARA_API std::vector<burst_modulation_info> burst_modulations();

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_MODULATION_H */
