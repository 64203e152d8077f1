/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_FRAME_SEALER_H
#define INCLUDED_SAMARA_FRAME_SEALER_H

#include "by_frame.h"
#include "counter_file.h"
#include "frame_codec_impl.h"
#include "key_message.h"
#include <string>
#include <vector>

namespace gr {
namespace samara {

//! Seals frames under consecutive frame counters, each with the key of its
//! counter.
class SAMARA_API frame_sealer
{
public:
    //! See frame_seal_pdu::make.
    frame_sealer(const frame_settings& settings,
                 const std::string& key_text,
                 const std::string& state_file);

    bool has_key() const { return !d_codecs.empty(); }

    void set_key(const key_message& change);

    //! One above the highest frame so far.
    uint64_t next_frame() const { return d_counter.next(); }

    struct sealed {
        uint64_t number;
        std::vector<uint8_t> bits;
    };

    /*!
     * \brief Seals a payload under the next frame counter.
     * \throws std::exception with the reason why it cannot
     */
    sealed seal(const std::vector<uint8_t>& payload);

private:
    const frame_settings d_settings;
    counter_file d_counter;
    by_frame<frame_codec::sptr> d_codecs;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_FRAME_SEALER_H */
