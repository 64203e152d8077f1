/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_PLE_ROLE_H
#define INCLUDED_SAMARA_PLE_ROLE_H

namespace gr {
namespace samara {

//! Which end of a link a block is.
enum class ple_role {
    ENCRYPT, //!< uses each frame counter once and stores the highest
    DECRYPT, //!< takes the frame counters that it is given
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_PLE_ROLE_H */
