/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_NODE_IEEE802154_H
#define SAMARA_NODE_IEEE802154_H

/* A node of IEEE 802.15.4 on a device (samara/node.h): it exchanges secured
 * data frames with a host's node (`samara node init --link ieee802154`), with
 * the level, key identifier, frame version and addresses that its record tells.
 *
 * In the samara_node: `link` is &samara_node_ieee802154, `key_state` is a
 * samara_node_frames whose cipher is set, `write` hands one frame without FCS
 * to the radio, `wire` and `buffer` have samara_node_frame_size bytes or more.
 * `aead`, `message`, `message_size_max` and `effort` are not used. Each call of
 * samara_node_receive takes one whole frame, without its FCS.
 *
 * Frame counters are those of the store, as all numbers. Frames are accepted in
 * order only, as the standard says. A frame that is not for this node, not from
 * its host, or not genuine, is NOTHING.
 *
 * Acknowledgements of frames are the radio's: this node neither asks for them
 * nor sends any. Messages that are acknowledged (samara_node_send_confirmed)
 * do not need them.
 *
 * The record has, behind the magic "smf1", instead of the settings of a serial
 * link:
 *
 *   key size         1
 *   security control 1   level (bits 0 to 2), key id mode (bits 3 and 4)
 *   form             1   bit 0: frames of 2015, else 2006; bit 1: extended
 *                        addresses in frames, else short ones
 *   channel          1
 *   key index        1   with key id modes 1 to 3
 *   reserved         1   0
 *   PAN              2   these and the addresses with the high byte first
 *   short address    2   of the device
 *   short address    2   of the host
 *   address          8   extended one of the device
 *   address          8   extended one of the host
 *   key source       8   with key id modes 2 (4 bytes, then zeros) and 3
 */

#include <samara/ieee802154.h>
#include <samara/node.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of the longest frame without FCS, of `wire` and `buffer`. */
enum {
  samara_node_frame_size = samara_ieee802154_psdu_size_max -
  samara_ieee802154_fcs_size
};

typedef struct samara_node_frames {
  /* From the application: of the suite that the host's node names. */
  const samara_ieee802154_cipher *cipher;

  /* What follows is set by samara_node_open, or samara_node_adopt. */
  uint8_t channel; /* of the PHY: for the application, which sets the radio */
  uint8_t header_size;
  uint8_t header[samara_ieee802154_header_size_max];
  uint16_t short_address;
  /* Do not use these members. */
  uint8_t mic_size;
  samara_ieee802154_security security;
  samara_ieee802154_key key;
  samara_ieee802154_device host;
  samara_ieee802154_counter received;
} samara_node_frames;

extern const samara_node_link samara_node_ieee802154;

#ifdef __cplusplus
}
#endif

#endif
