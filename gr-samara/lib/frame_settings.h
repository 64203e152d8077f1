/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_FRAME_SETTINGS_H
#define INCLUDED_SAMARA_FRAME_SETTINGS_H

#include <gnuradio/samara/frame_codec.h>
#include <gnuradio/samara/frame_nonce.h>

namespace gr {
namespace samara {

//! What both ends of a link agree on, but for the key.
struct frame_settings {
    frame_code code = frame_code::CONVOLUTIONAL;
    frame_check check = frame_check::TAG;
    frame_link link;
    frame_cipher cipher = frame_cipher::PLE;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_FRAME_SETTINGS_H */
