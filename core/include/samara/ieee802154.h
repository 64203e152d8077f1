/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_IEEE802154_H
#define SAMARA_IEEE802154_H

/* Frame security of IEEE 802.15.4: the auxiliary security header of 2006 and
 * 2015, its levels and key id modes, with tables of keys and devices.
 *
 * A frame is protected and opened in place. The nonce consists of the sender's
 * extended address, the frame counter and the level (9.3.2.1 of 2015). For
 * frames with a short source address, or none, the extended address comes from
 * the device table. In time slotted networks (TSCH), whose frames suppress the
 * counter, the nonce consists of the source address and the absolute slot
 * number (ASN), which both ends know (9.3.2.2). A short source address is then
 * used as it is: the nonce begins with ba-55-ec-00, the PAN and the short
 * address. Therefore a frame with an ASN in its nonce must have a short source
 * address that the PAN assigned to this device alone; 0xfffe and 0xffff are
 * refused with SAMARA_IEEE802154_ERROR_SOURCE.
 *
 * The caller provides the memory of the state: one samara_ieee802154_security,
 * and three arrays for keys, devices and receive counters. For 2 keys and 8
 * devices they take less than 512 bytes on AVR and MSP430. The state contains
 * pointers only to the arrays and to the tables of ciphers, which are constant.
 *
 * Protection against replay and nonce reuse:
 *   - Each key has one transmit counter, and one receive counter per device.
 *     Counters only increase. protect increases the transmit counter before it
 *     uses the nonce. open increases the receive counter only after the MIC was
 *     right, so a forged frame changes nothing.
 *   - The counter 0xffffffff and the last ASN are neither sent nor accepted.
 *   - A key is used either with frame counters or with ASNs, never with both,
 *     and cannot be in the table twice.
 *   - Store the counters over a restart, ahead of use or at each frame, and set
 *     them before the first frame. A key whose counter starts again at 0
 * repeats nonces, and replayed frames are accepted.
 *
 * Required levels: samara_ieee802154_require sets the lowest level that is
 * accepted for a frame type, from one device or from all devices that are not
 * in the table. After init it is MIC-32 for all, so that unsecured frames are
 * refused. A level suffices when its MIC is at least as long, and when it
 * encrypts where encryption is required. Level 4, which does not authenticate,
 * is refused unless the key allows it; the receive counter is compared, but not
 * changed.
 *
 * Rotation: a key is previous, current or next. All three open frames; only the
 * current key protects them. samara_ieee802154_rotate makes the next key of a
 * family current and the current key previous. Each key keeps its own counters,
 * so no frame is ever sent with one key and the counter of another. The frame
 * must identify the key, so rotation needs key id modes 1 to 3.
 *
 * Not checked: whether an acknowledgement is expected, whether a frame is
 * addressed to this device, and from which PAN it comes when the source address
 * is extended. Unsecured acknowledgements of 2003 and 2006 prove nothing.
 * Secured acknowledgements of 2015 are opened like other frames; then compare
 * them by samara_ieee802154_acknowledges.
 *
 * Do not use one state from two threads or interrupt priorities at a time. */

#include <samara/ieee802154_cipher.h>
#include <samara/ieee802154_frame.h>
#include <samara/ieee802154_result.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A frame counter, or an ASN, which has five bytes. */
typedef struct samara_ieee802154_counter {
  uint32_t low;
  uint8_t high;
} samara_ieee802154_counter;

/* What a key is for. */
enum {
  SAMARA_IEEE802154_KEY_ASN = 1,            /* nonces of the ASN */
  SAMARA_IEEE802154_KEY_ENCRYPTION_ONLY = 2 /* level 4 is allowed */
};

enum {
  SAMARA_IEEE802154_KEY_PREVIOUS = 1,
  SAMARA_IEEE802154_KEY_CURRENT = 2,
  SAMARA_IEEE802154_KEY_NEXT = 3
};

enum {
  samara_ieee802154_no_place = 0xff,
  samara_ieee802154_no_short_address = 0xfffe
};

/* An entry of the key table. Do not use its members. */
typedef struct samara_ieee802154_key {
  const samara_ieee802154_cipher *cipher; /* NULL: the place is free */
  uint8_t bytes[samara_ieee802154_key_size_max];
  uint8_t source[8];
  samara_ieee802154_counter next; /* the lowest not used */
  uint8_t mode;
  uint8_t index;
  uint8_t role;
  uint8_t family;
  uint8_t device;
  uint8_t flags;
} samara_ieee802154_key;

/* An entry of the device table. Do not use its members. */
typedef struct samara_ieee802154_device {
  uint8_t address[samara_ieee802154_address_size];
  uint16_t pan;
  uint16_t short_address;
  uint8_t minimum[4]; /* by frame type */
  bool used;
} samara_ieee802154_device;

typedef struct samara_ieee802154_security {
  samara_ieee802154_key *keys;
  samara_ieee802154_device *devices;
  /* The lowest that is accepted: device_count rows of key_count. */
  samara_ieee802154_counter *received;
  uint8_t key_count;
  uint8_t device_count;
  uint16_t pan;
  uint8_t address[samara_ieee802154_address_size];
  uint8_t minimum[4]; /* of devices not in the table, by frame type */
} samara_ieee802154_security;

/* Empties the tables. `address` is the extended address of this device, `pan`
 * the PAN of frames without a PAN identifier. `received` has room for
 * device_count * key_count counters. At most 254 devices. */
void samara_ieee802154_init(
    samara_ieee802154_security *security,
    const uint8_t address[samara_ieee802154_address_size], uint16_t pan,
    samara_ieee802154_key *keys, uint8_t key_count,
    samara_ieee802154_device *devices, uint8_t device_count,
    samara_ieee802154_counter *received);

/* Wipes all keys and counters. */
void samara_ieee802154_wipe(samara_ieee802154_security *security);

typedef struct samara_ieee802154_key_settings {
  const samara_ieee802154_cipher *cipher;
  const uint8_t *bytes;  /* cipher->key_size of them; copied */
  const uint8_t *source; /* modes 2 (4 bytes) and 3 (8), as on the air */
  uint8_t mode;          /* key id mode, 0 to 3 */
  uint8_t index;         /* modes 1 to 3 */
  uint8_t role;          /* PREVIOUS, CURRENT or NEXT */
  uint8_t family;        /* the keys that rotate together: any number */
  uint8_t device;        /* the only one it is for, or no_place */
  uint8_t flags;
} samara_ieee802154_key_settings;

/* Writes a key into entry `place` of the table, with counters at 0; the key
 * that was there is wiped. SAMARA_IEEE802154_ERROR_PLACE; _KEY_SETTINGS, also
 * for a cipher that cannot use ASNs; or _KEY_REPEATED when the table, this
 * entry included, has the same key or one with the same identifier: its
 * counters would be lost or duplicated. */
SAMARA_MUST_CHECK samara_ieee802154_result
samara_ieee802154_set_key(samara_ieee802154_security *security, uint8_t place,
                          const samara_ieee802154_key_settings *settings);

/* Wipes a key and its counters. */
void samara_ieee802154_remove_key(samara_ieee802154_security *security,
                                  uint8_t place);

/* Makes the next key of a family current, the current one previous, and wipes
 * the previous one. SAMARA_IEEE802154_ERROR_NO_NEXT_KEY, and nothing changes,
 * when there is none. */
SAMARA_MUST_CHECK samara_ieee802154_result
samara_ieee802154_rotate(samara_ieee802154_security *security, uint8_t family);

/* The place of a family's current key, or no_place without one. */
uint8_t
samara_ieee802154_current_key(const samara_ieee802154_security *security,
                              uint8_t family);

/* Writes a device into entry `place` of the table, with receive counters at 0;
 * when the same device is there already it keeps its counters. `short_address`
 * is no_short_address when it has none. The device starts with the required
 * levels of devices that are not in the table. SAMARA_IEEE802154_ERROR_PLACE,
 * _OWN_ADDRESS or _DEVICE_REPEATED. */
SAMARA_MUST_CHECK samara_ieee802154_result samara_ieee802154_set_device(
    samara_ieee802154_security *security, uint8_t place,
    const uint8_t address[samara_ieee802154_address_size], uint16_t pan,
    uint16_t short_address);

/* Wipes a device and its counters. */
void samara_ieee802154_remove_device(samara_ieee802154_security *security,
                                     uint8_t place);

/* Sets the level required of frames of a type, from one device or, with
 * no_place, from all devices that are not in the table. 0 also accepts frames
 * that are not secured. SAMARA_IEEE802154_ERROR_PLACE, also for a type or level
 * that does not exist. */
SAMARA_MUST_CHECK samara_ieee802154_result
samara_ieee802154_require(samara_ieee802154_security *security, uint8_t device,
                          uint8_t type, uint8_t level);

/* The next transmit counter of a key, and the lowest counter that is accepted
 * from a device. Store them, and set them after a restart. To set a lower value
 * gives SAMARA_IEEE802154_ERROR_COUNTER_LOWERED; SAMARA_IEEE802154_ERROR_PLACE
 * when there is no such key or device. */
SAMARA_MUST_CHECK samara_ieee802154_result samara_ieee802154_transmit_counter(
    const samara_ieee802154_security *security, uint8_t key,
    samara_ieee802154_counter *counter);
SAMARA_MUST_CHECK samara_ieee802154_result
samara_ieee802154_set_transmit_counter(samara_ieee802154_security *security,
                                       uint8_t key,
                                       samara_ieee802154_counter counter);
SAMARA_MUST_CHECK samara_ieee802154_result samara_ieee802154_receive_counter(
    const samara_ieee802154_security *security, uint8_t device, uint8_t key,
    samara_ieee802154_counter *counter);
SAMARA_MUST_CHECK samara_ieee802154_result
samara_ieee802154_set_receive_counter(samara_ieee802154_security *security,
                                      uint8_t device, uint8_t key,
                                      samara_ieee802154_counter counter);

/* What is not in the frame itself. NULL: no ASN, no device. */
typedef struct samara_ieee802154_context {
  bool has_asn;
  samara_ieee802154_counter asn;
  /* The sender of a frame without a source address: the PAN coordinator, or the
   * device whose acknowledgement is expected; no_place when not known. */
  uint8_t device;
} samara_ieee802154_context;

/* Protects the frame of `size` bytes in a buffer of `room` bytes: header,
 * elements and payload as samara_ieee802154_write_header and the caller wrote
 * them, without MIC. The frame counter in it is overwritten. *protected_size is
 * the size with the MIC. At level 0 the frame does not change.
 *
 * Errors of the format or of security. Once the cipher was called the counter
 * is used; a failure before that changes nothing. */
SAMARA_MUST_CHECK samara_ieee802154_result samara_ieee802154_protect(
    samara_ieee802154_security *security, size_t *protected_size,
    const samara_ieee802154_context *context, uint8_t *bytes, size_t size,
    size_t room);

/* What was opened. */
typedef struct samara_ieee802154_opened {
  samara_ieee802154_frame frame;
  uint8_t level;  /* 0 of a frame that is not secured */
  uint8_t device; /* the sender, or no_place: only when level is 0 */
  uint8_t key;    /* its place, or no_place when level is 0 */
} samara_ieee802154_opened;

/* Opens the frame of `size` bytes in place: its payload is then plaintext.
 * Errors of the format or of security leave the frame as it is. After
 * SAMARA_IEEE802154_ERROR_AUTHENTICATION the payload is zeros. No error changes
 * the state. */
SAMARA_MUST_CHECK samara_ieee802154_result samara_ieee802154_open(
    samara_ieee802154_security *security, samara_ieee802154_opened *opened,
    const samara_ieee802154_context *context, uint8_t *bytes, size_t size);

/* Checks whether an opened acknowledgement belongs to the frame that was sent:
 * the same sequence number (or none in both), matching addresses as far as it
 * has any, and, for a secured frame of 2015, at least the same level.
 * SAMARA_IEEE802154_ERROR_OTHER_FRAME, _UNSECURED or _LEVEL. */
SAMARA_MUST_CHECK samara_ieee802154_result
samara_ieee802154_acknowledges(const samara_ieee802154_frame *sent,
                               const samara_ieee802154_frame *acknowledgement);

#ifdef __cplusplus
}
#endif

#endif
