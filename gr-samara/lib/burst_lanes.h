/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_LANES_H
#define INCLUDED_SAMARA_BURST_LANES_H

#include <cstring>
#include <gnuradio/gr_complex.h>

namespace gr {
namespace samara {

/*
 * For products too short for a call of VOLK: GCC and Clang make vector
 * instructions of these types on every machine that has them.
 */

//! Four values at a time.
using lanes = float __attribute__((vector_size(4 * sizeof(float))));

inline void store(lanes values, float* output)
{
    std::memcpy(output, &values, sizeof values);
}

//! Real and imaginary part.
using pair_lanes = float __attribute__((vector_size(2 * sizeof(float))));

inline pair_lanes as_lanes(const gr_complex& value)
{
    pair_lanes both;
    std::memcpy(&both, &value, sizeof both);
    return both;
}

inline gr_complex as_complex(pair_lanes both) { return { both[0], both[1] }; }

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_LANES_H */
