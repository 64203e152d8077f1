/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_FRAME_CODEC_H
#define INCLUDED_SAMARA_FRAME_CODEC_H

#include <cstddef>
#include <cstdint>
#include <gnuradio/samara/api.h>
#include <memory>
#include <optional>
#include <string>

namespace gr {
namespace samara {

//! The channel code of a frame, by gr-fec.
enum class frame_code {
    NONE,
    CONVOLUTIONAL, //!< K = 7, rate 1/2, polynomials 109 and 79, terminated
    POLAR, //!< successive cancellation; blocks of a power of two, rate <= 1/2
    TAILBITING, //!< CONVOLUTIONAL, without the bits that terminate it
};

//! The four bytes after a payload that tell whether it is good.
enum class frame_check {
    TAG,   //!< of Grain-128AEADv2 over the payload, under the key
    CRC32, //!< of IEEE 802.3: finds errors, keeps nobody from forging
};

//! Whether the coded bits are encrypted.
enum class frame_cipher {
    PLE, //!< Grain-128PLE
    NONE //!< to be compared with
};

/*!
 * \brief Payloads to bits on the air and back.
 *
 * \details
 * payload -> check (4 bytes) -> channel code -> Grain-128PLE on the coded bits;
 * and back: soft values -> sign flip -> decoder -> check. Encryption adds no
 * bit and, being undone on soft values, costs no sensitivity.
 *
 * The bytes of a frame, payload and check, are taken with their most
 * significant bits first. Soft values have GNU Radio's sign: positive means
 * bit 1. Their scale does not matter; a frame is scaled by its own mean.
 *
 * Frames of one call have the same size; each has a counter, which with
 * direction and link id is its nonce (see make_frame_nonce()). THE CODEC DOES
 * NOT KEEP COUNTERS FROM BEING USED TWICE: frame_seal_pdu does, and whoever
 * calls encode() otherwise has to. To measure, count from 0 under a key that is
 * made for the measurement.
 *
 * One call at a time is worked on: a codec for each thread is faster.
 */
class SAMARA_API frame_codec
{
public:
    typedef std::shared_ptr<frame_codec> sptr;

    static constexpr size_t check_size = 4;     //!< bytes
    static constexpr size_t max_payload = 4092; //!< bytes

    /*!
     * \param code the channel code
     * \param check what the payload is checked with
     * \param key \@FILE with 32 hex digits or 16 bytes, or 32 hex digits; may
     * be
     * "" when neither \p check nor \p cipher needs one
     * \param direction of the frames on the link, 0 to 255
     * \param link_id 0 to 65535
     * \param cipher whether coded bits are encrypted
     * \throws std::invalid_argument for a key that is none
     */
    static sptr make(frame_code code,
                     frame_check check,
                     const std::string& key,
                     uint8_t direction = 0,
                     uint16_t link_id = 0,
                     frame_cipher cipher = frame_cipher::PLE);

    virtual ~frame_codec() = default;

    virtual frame_code code() const = 0;
    virtual frame_check check() const = 0;

    /*!
     * \brief Bits on the air for a payload.
     * \throws std::invalid_argument for more than max_payload bytes
     */
    virtual size_t coded_bits(size_t payload_size) const = 0;

    /*!
     * \brief The payload that has so many bits on the air.
     *
     * \returns nothing when there is none. With polar codes several have; the
     * longest is answered.
     */
    virtual std::optional<size_t> payload_size(size_t coded_bits) const = 0;

    /*!
     * \brief Seals \p count payloads, which stand one after the other, as the
     * frames \p first_counter and following.
     *
     * \param bits written: coded_bits(payload_size) bytes a frame, a bit each
     */
    virtual void encode(const uint8_t* payloads,
                        size_t payload_size,
                        size_t count,
                        uint64_t first_counter,
                        uint8_t* bits) = 0;

    /*!
     * \brief Opens \p count frames.
     *
     * \param soft coded_bits(payload_size) soft values a frame
     * \param counters the counter of each frame
     * \param payloads written; zeros where the check fails
     * \param good written: whether the check holds, 1 or 0
     */
    virtual void decode(const float* soft,
                        size_t payload_size,
                        size_t count,
                        const uint64_t* counters,
                        uint8_t* payloads,
                        uint8_t* good) = 0;

    /*!
     * \brief The same, but leaves in what the check refused, so that bit errors
     * can be counted. Not for payloads that anybody acts upon.
     */
    virtual void decode_unverified(const float* soft,
                                   size_t payload_size,
                                   size_t count,
                                   const uint64_t* counters,
                                   uint8_t* payloads,
                                   uint8_t* good) = 0;

    /*!
     * \brief Seconds that were spent in the cipher since it was made:
     * keystream, adding it, and the tag.
     */
    virtual double cipher_seconds() const = 0;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_FRAME_CODEC_H */
