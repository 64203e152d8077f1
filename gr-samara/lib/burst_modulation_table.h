/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_MODULATION_TABLE_H
#define INCLUDED_SAMARA_BURST_MODULATION_TABLE_H

#include "burst_mapping.h"
#include <gnuradio/samara/burst_modulation.h>

namespace gr {
namespace samara {

//! A row of the table of modulations.
struct burst_modulation_row {
    burst_modulation_info info;
    const burst_mapping* mapping; //!< nullptr: symbols are rows of chips (DSSS)
};

/*!
 * \throws std::invalid_argument when \p modulation is not in the table
 */
SAMARA_API const burst_modulation_row& row_of(burst_modulation modulation);

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_MODULATION_TABLE_H */
