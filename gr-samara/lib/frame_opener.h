/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_FRAME_OPENER_H
#define INCLUDED_SAMARA_FRAME_OPENER_H

#include "by_frame.h"
#include "counter_file.h"
#include "frame_codec_impl.h"
#include "key_message.h"
#include <optional>
#include <samara/ple_sync.h>
#include <string>
#include <vector>

namespace gr {
namespace samara {

/*!
 * \brief Finds the frame counter of soft values, and their payload.
 *
 * \details
 * Nothing changes for a frame that is refused, except how far the next search
 * goes.
 */
class SAMARA_API frame_opener
{
public:
    //! See frame_open_pdu::make.
    frame_opener(const frame_settings& settings,
                 const std::string& key_text,
                 const std::string& state_file,
                 size_t payload_size = 0,
                 bool likelihoods = false);

    bool has_key() const { return !d_keys.empty(); }

    void set_key(const key_message& change);

    //! One above the highest frame so far.
    uint64_t next_frame() const { return d_sync.next; }

    struct opened {
        uint64_t number;
        std::vector<uint8_t> payload;
    };

    /*!
     * \brief Opens a frame.
     *
     * \param soft soft values, positive for bit 1
     * \param number the frame counter if it is known
     * \throws std::exception with the reason why it is refused
     */
    opened open(const std::vector<float>& soft, std::optional<uint64_t> number);

private:
    struct keyed {
        key value;
        frame_codec::sptr codec;
    };
    using candidate = std::optional<opened>;

    size_t payload_size_of(size_t bits) const;
    candidate search(const std::vector<float>& soft, size_t size);
    candidate search_by_syndrome(const std::vector<float>& soft, size_t size);
    candidate search_by_check(const std::vector<float>& soft, size_t size);
    candidate
    try_number(const std::vector<float>& soft, size_t size, uint64_t number);
    void accept(uint64_t number);

    const frame_settings d_settings;
    const size_t d_payload_size;
    const bool d_likelihoods; // soft values are log-likelihood ratios
    counter_file d_counter;
    by_frame<keyed> d_keys;
    samara_ple_sync d_sync;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_FRAME_OPENER_H */
