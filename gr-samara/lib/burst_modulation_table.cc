/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_modulation_table.h"

#include <stdexcept>

namespace gr {
namespace samara {

namespace {

/*
 * To add a modulation, add an enumerator, a row and, for a linear modulation,
 * its mapping. Modulators, demodulators, blocks and the Python enumeration
 * follow from the row.
 */
const std::vector<burst_modulation_row>& table()
{
    using kind = burst_modulation;
    static const std::vector<burst_modulation_row> rows{
        { { kind::BPSK, "BPSK", "bpsk", "BPSK", 1 }, &bpsk_mapping() },
        { { kind::QPSK, "QPSK", "qpsk", "QPSK", 2 }, &qpsk_mapping() },
        { { kind::QAM16, "QAM16", "16-qam", "16-QAM", 4 }, &qam16_mapping() },
        { { kind::OQPSK_DSSS, "OQPSK_DSSS", "o-qpsk-dsss", "O-QPSK DSSS", 4 },
          nullptr },
    };
    return rows;
}

} // namespace

const burst_modulation_row& row_of(burst_modulation modulation)
{
    for (const burst_modulation_row& row : table()) {
        if (row.info.modulation == modulation) {
            return row;
        }
    }
    throw std::invalid_argument("unknown modulation");
}

std::vector<burst_modulation_info> burst_modulations()
{
    std::vector<burst_modulation_info> infos;
    for (const burst_modulation_row& row : table()) {
        infos.push_back(row.info);
    }
    return infos;
}

} // namespace samara
} // namespace gr
