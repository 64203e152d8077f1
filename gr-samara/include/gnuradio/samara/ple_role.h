/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_PLE_ROLE_H
#define INCLUDED_SAMARA_PLE_ROLE_H

namespace gr {
namespace samara {

//! Which end of a link a block is.
enum class ple_role {
    ENCRYPT, //!< uses a frame number once and stores how far it came
    DECRYPT, //!< takes the frame numbers that it is told
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_PLE_ROLE_H */
