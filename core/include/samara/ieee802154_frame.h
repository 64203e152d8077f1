/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_IEEE802154_FRAME_H
#define SAMARA_IEEE802154_FRAME_H

/* MAC frames of IEEE 802.15.4, read and written in place.
 *
 * Formats: 2003 (frame version 0), 2006 (1), and 2015, which 2020 keeps (2):
 * beacon, data, acknowledgement and command frames. A frame is given without
 * its FCS, and is, in this order,
 *
 *   header         control, sequence number, addresses, auxiliary security
 *                  header
 *   elements       header information elements (2015), with the termination
 *                  that ends them
 *   open payload   the part that is never encrypted: in beacons of 2003 and
 *                  2006 from the superframe specification to the pending
 *                  addresses, in commands of 2006 the command id; otherwise
 *                  nothing
 *   payload        with the payload information elements (2015) first
 *   MIC            of a secured frame
 *
 * A samara_ieee802154_frame holds the fields of the header and the sizes of the
 * parts; it has no pointers. The payload of an encrypted frame is ciphertext:
 * its elements can be read after the frame was opened.
 *
 * Not supported, each with an error of its own: multipurpose, fragment and
 * extended frames. Frames with the security of 2003 do not contain its
 * settings: the security bit of a frame of version 0 is read, and everything
 * behind the addresses is payload.
 *
 * Reserved bits are ignored, as the standard requires, and kept. Extended
 * addresses have the highest byte first, as they are printed; on the air the
 * lowest byte is first. */

#include <samara/ieee802154_result.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  /* The frame check sequence, which is behind the MIC on the air. */
  samara_ieee802154_fcs_size = 2,
  /* The largest PSDU of the usual PHYs, with the FCS. */
  samara_ieee802154_psdu_size_max = 127,
  /* The largest PSDU of any PHY, 2047 bytes, without the FCS. */
  samara_ieee802154_size_max = 2045,
  samara_ieee802154_header_size_max = 37,
  samara_ieee802154_mic_size_max = 16,
  samara_ieee802154_address_size = 8 /* of an extended one */
};

/* Bits 0 to 2 of the frame control. */
enum {
  SAMARA_IEEE802154_BEACON = 0,
  SAMARA_IEEE802154_DATA = 1,
  SAMARA_IEEE802154_ACKNOWLEDGEMENT = 2,
  SAMARA_IEEE802154_COMMAND = 3
};

/* More of its bits, to be added up. */
enum {
  SAMARA_IEEE802154_SECURITY = 0x0008,
  SAMARA_IEEE802154_PENDING = 0x0010,
  SAMARA_IEEE802154_ACK_REQUEST = 0x0020,
  SAMARA_IEEE802154_PAN_COMPRESSION = 0x0040,
  SAMARA_IEEE802154_NO_SEQUENCE = 0x0100, /* 2015 */
  SAMARA_IEEE802154_ELEMENTS = 0x0200,    /* 2015 */
  SAMARA_IEEE802154_2003 = 0x0000,
  SAMARA_IEEE802154_2006 = 0x1000,
  SAMARA_IEEE802154_2015 = 0x2000
};

/* Kinds of an address. */
enum {
  SAMARA_IEEE802154_ABSENT = 0,
  SAMARA_IEEE802154_SHORT = 2,
  SAMARA_IEEE802154_LONG = 3
};

/* Security levels: MIC of 0, 4, 8, 16 bytes, and with 4 added encryption. */
enum {
  SAMARA_IEEE802154_NONE = 0,
  SAMARA_IEEE802154_MIC_32 = 1,
  SAMARA_IEEE802154_MIC_64 = 2,
  SAMARA_IEEE802154_MIC_128 = 3,
  SAMARA_IEEE802154_ENC = 4,
  SAMARA_IEEE802154_ENC_MIC_32 = 5,
  SAMARA_IEEE802154_ENC_MIC_64 = 6,
  SAMARA_IEEE802154_ENC_MIC_128 = 7
};

/* Bits of the security control beside the level (0 to 2) and the key id mode
 * (3 and 4). A frame whose counter is suppressed has a nonce of the ASN. */
enum {
  SAMARA_IEEE802154_NO_COUNTER = 0x20,
  SAMARA_IEEE802154_ASN_IN_NONCE = 0x40
};

typedef struct samara_ieee802154_address {
  uint8_t kind;
  bool has_pan; /* parse: whether the frame tells the PAN; not written */
  uint16_t pan;
  uint16_t short_address;
  uint8_t long_address[samara_ieee802154_address_size];
} samara_ieee802154_address;

typedef struct samara_ieee802154_frame {
  uint16_t control; /* the kinds of the addresses are not taken from here */
  uint8_t sequence;
  samara_ieee802154_address destination;
  samara_ieee802154_address source;

  /* The auxiliary security header, of secured frames of 2006 and 2015. */
  uint8_t security_control;
  uint8_t key_index;     /* key id modes 1 to 3 */
  uint8_t key_source[8]; /* mode 2: the first four; as on the air */
  uint32_t frame_counter;

  /* Sizes of the parts in bytes. parse sets them, write ignores them. */
  uint16_t header_size;
  uint16_t elements_size;
  uint16_t open_size;
  uint16_t payload_size;
  uint8_t mic_size;
  bool payload_elements; /* the payload begins with information elements */
} samara_ieee802154_frame;

/* Fields of the control words. */
uint8_t
samara_ieee802154_type(const samara_ieee802154_frame *frame); /* BEACON, ... */
/* SAMARA_IEEE802154_2003, _2006 or _2015. */
uint16_t samara_ieee802154_version(const samara_ieee802154_frame *frame);
/* 0 of a frame that is not secured. */
uint8_t samara_ieee802154_level(const samara_ieee802154_frame *frame);
uint8_t samara_ieee802154_key_id_mode(const samara_ieee802154_frame *frame);
uint8_t samara_ieee802154_mic_size(uint8_t level);
/* Bytes of the key source that a key id mode (0 to 3) has: 0, 0, 4, 8. */
uint8_t samara_ieee802154_key_source_size(uint8_t mode);

/* Reads a frame of `size` bytes, MIC included where it is secured. Reads
 * nothing past them. On failure `frame` is not to be used; the codes are those
 * of the frame's format. */
SAMARA_MUST_CHECK samara_ieee802154_result samara_ieee802154_parse(
    samara_ieee802154_frame *frame, const uint8_t *bytes, size_t size);

/* The same for a frame that is not protected yet and so has no MIC. */
SAMARA_MUST_CHECK samara_ieee802154_result samara_ieee802154_parse_unprotected(
    samara_ieee802154_frame *frame, const uint8_t *bytes, size_t size);

/* Writes the header of a frame, *size bytes, into a buffer that has `room`.
 * Which PANs are written follows from PAN_COMPRESSION, version and addresses.
 * Elements, payload and MIC are the caller's to put behind it.
 * SAMARA_IEEE802154_ERROR_NO_ROOM, or a code of the format. */
SAMARA_MUST_CHECK samara_ieee802154_result
samara_ieee802154_write_header(const samara_ieee802154_frame *frame,
                               uint8_t *bytes, size_t room, size_t *size);

/* An information element within a list of them. */
typedef struct samara_ieee802154_element {
  uint16_t id; /* element id of header elements, group id of payload ones */
  uint16_t content_size;
  uint16_t content_offset; /* from the list's begin */
} samara_ieee802154_element;

enum {
  SAMARA_IEEE802154_HEADER_TERMINATION_1 = 0x7e, /* payload elements follow */
  SAMARA_IEEE802154_HEADER_TERMINATION_2 = 0x7f, /* they do not */
  SAMARA_IEEE802154_PAYLOAD_TERMINATION = 0xf
};

/* Reads the element at `offset` of a list and moves the offset behind it.
 * SAMARA_IEEE802154_ERROR_ELEMENT when it is of the other kind or longer than
 * what is left. */
SAMARA_MUST_CHECK samara_ieee802154_result samara_ieee802154_header_element(
    samara_ieee802154_element *element, const uint8_t *list, size_t size,
    size_t *offset);
SAMARA_MUST_CHECK samara_ieee802154_result samara_ieee802154_payload_element(
    samara_ieee802154_element *element, const uint8_t *list, size_t size,
    size_t *offset);

/* Of a payload that begins with elements: how many bytes they take, their
 * termination included. They end there or with the payload. */
SAMARA_MUST_CHECK samara_ieee802154_result
samara_ieee802154_payload_elements_size(const uint8_t *payload, size_t size,
                                        size_t *elements_size);

#ifdef __cplusplus
}
#endif

#endif
