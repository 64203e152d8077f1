/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_IEEE802154_H
#define SAMARA_IEEE802154_H

/* Frame security of IEEE 802.15.4: the auxiliary security header of 2006 and
 * 2015, its levels and key id modes, with tables of keys and devices.
 *
 * A frame is protected and opened in the buffer where it lies. The nonce is the
 * sender's extended address, the frame counter and the level (9.3.2.1 of 2015);
 * for frames with a short source address, or none, the device table tells the
 * extended one. In time slotted networks (TSCH), whose frames suppress the
 * counter, it is the source address and the absolute slot number (ASN) that
 * both ends know (9.3.2.2). There a short source address stands for itself: the
 * nonce begins with ba-55-ec-00, the PAN and the short address. A frame whose
 * nonce is made of the ASN must therefore have a short source address that the
 * PAN assigned to this device alone; 0xfffe and 0xffff are refused as
 * SAMARA_IEEE802154_ERROR_SOURCE.
 *
 * The state is the caller's memory: one samara_ieee802154_security, and three
 * arrays for keys, devices and receive counters. For 2 keys and 8 devices that
 * is less than 512 bytes on AVR and MSP430. Nothing in it points elsewhere but
 * to the arrays and to ciphers, which are constant.
 *
 * What protects from replay and reuse:
 *   - Each key has a transmit counter of its own, and a receive counter for
 *     each device. They only go up. protect raises its counter before it uses
 *     the nonce; open raises its counter after the MIC was right, and only
 *     then: no forged frame changes anything.
 *   - The counter 0xffffffff is neither sent nor accepted, nor is the last ASN.
 *   - A key is for nonces of frame counters or for those of ASNs, never both,
 *     and cannot be put into the table twice.
 *   - Counters must outlive a restart. Store them, ahead of use or at each
 *     frame, and set them before the first frame: a key whose counter starts
 *     again at 0 is broken, and replays come through.
 *
 * What is accepted: samara_ieee802154_require says the lowest level for each
 * frame type, of one device or of frames from devices not in the table. After
 * init it is MIC-32 for all, so that frames that are not secured are refused.
 * A level is enough when its MIC is as long and when it encrypts where that is
 * required. Level 4, which authenticates nothing, is refused unless the key
 * allows it; it is compared with the receive counter and never moves it.
 *
 * Rotation: a key is previous, current or next. All three open; only the
 * current one sends. samara_ieee802154_rotate makes the next key of a family
 * current and the current one previous, each with the counters that are its
 * own, so that no frame in between has one key and another's counter. The
 * header names the key, so rotation needs key id modes 1 to 3.
 *
 * Not checked: whether an acknowledgement is due, whether a frame is for us,
 * and which PAN it comes from where the source's address is extended. Plain
 * acknowledgements of 2003 and 2006 prove nothing; secured ones of 2015 are
 * opened like other frames, then compared by samara_ieee802154_acknowledges.
 *
 * One state is used by one thread, or from one priority, at a time. */

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

/* A place of the key table. Not to be looked into. */
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

/* A place of the device table. Likewise. */
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

/* Empties the tables. `address` is our extended address, `pan` the PAN of
 * frames that do not tell one. `received` has device_count * key_count places.
 * At most 254 devices. */
void samara_ieee802154_init(
    samara_ieee802154_security *security,
    const uint8_t address[samara_ieee802154_address_size], uint16_t pan,
    samara_ieee802154_key *keys, uint8_t key_count,
    samara_ieee802154_device *devices, uint8_t device_count,
    samara_ieee802154_counter *received);

/* Forgets all keys and counters. */
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

/* Puts a key into a place of the table, with counters at 0; what was there is
 * wiped. SAMARA_IEEE802154_ERROR_PLACE, _KEY_SETTINGS (a cipher that cannot
 * have nonces of the ASN included), or _KEY_REPEATED when the table, this place
 * included, has the same key or another with the same identifier: its counters
 * would be lost, or be two. */
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

/* Puts a device into a place of the table, its receive counters at 0, or keeps
 * them where the same device is there already. `short_address` is
 * no_short_address where it has none. It begins with the levels required of
 * devices not in the table. SAMARA_IEEE802154_ERROR_PLACE, _OWN_ADDRESS or
 * _DEVICE_REPEATED. */
SAMARA_MUST_CHECK samara_ieee802154_result samara_ieee802154_set_device(
    samara_ieee802154_security *security, uint8_t place,
    const uint8_t address[samara_ieee802154_address_size], uint16_t pan,
    uint16_t short_address);

/* Forgets a device and its counters. */
void samara_ieee802154_remove_device(samara_ieee802154_security *security,
                                     uint8_t place);

/* Requires `level` of frames of a type, from a device or, with no_place, from
 * all that are not in the table. 0: frames that are not secured, too.
 * SAMARA_IEEE802154_ERROR_PLACE, also for a type or level there is none of. */
SAMARA_MUST_CHECK samara_ieee802154_result
samara_ieee802154_require(samara_ieee802154_security *security, uint8_t device,
                          uint8_t type, uint8_t level);

/* The lowest counter of a key that was not used for sending, and the lowest
 * that is accepted from a device: to be stored, and to be set after a restart.
 * Setting one lower answers SAMARA_IEEE802154_ERROR_COUNTER_LOWERED;
 * SAMARA_IEEE802154_ERROR_PLACE where there is no key or device. */
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

/* What a frame does not tell. NULL stands for neither. */
typedef struct samara_ieee802154_context {
  bool has_asn;
  samara_ieee802154_counter asn;
  /* Whom a frame without a source address comes from: the PAN coordinator, or
   * who was asked for the acknowledgement; no_place when not known. */
  uint8_t device;
} samara_ieee802154_context;

/* Secures the frame of `size` bytes in a buffer of `room`: header, elements and
 * payload as samara_ieee802154_write_header and the caller wrote them, without
 * MIC, and with any frame counter, which is overwritten. *protected_size is
 * then its size with the MIC. At level 0 only, the frame is left as it is.
 *
 * Answers a code of the format or of security. The counter is used up when the
 * cipher was called; before that, a failure changes nothing. */
SAMARA_MUST_CHECK samara_ieee802154_result samara_ieee802154_protect(
    samara_ieee802154_security *security, size_t *protected_size,
    const samara_ieee802154_context *context, uint8_t *bytes, size_t size,
    size_t room);

/* What was opened. */
typedef struct samara_ieee802154_opened {
  samara_ieee802154_frame frame;
  uint8_t level;  /* 0 of a frame that is not secured */
  uint8_t device; /* who sent it, or no_place: only when level is 0 */
  uint8_t key;    /* its place, or no_place when level is 0 */
} samara_ieee802154_opened;

/* Opens the frame of `size` bytes where it lies: its payload is then plaintext.
 * Answers a code of the format, which leaves the frame as it is; a code of
 * security, likewise; or SAMARA_IEEE802154_ERROR_AUTHENTICATION, after which
 * the payload is zeros and the state as before. */
SAMARA_MUST_CHECK samara_ieee802154_result samara_ieee802154_open(
    samara_ieee802154_security *security, samara_ieee802154_opened *opened,
    const samara_ieee802154_context *context, uint8_t *bytes, size_t size);

/* Whether an acknowledgement that was opened answers the frame that was sent:
 * the same sequence number (or none in both), addresses that fit as far as it
 * has any, and, for a secured frame of 2015, a level as high.
 * SAMARA_IEEE802154_ERROR_OTHER_FRAME, _UNSECURED or _LEVEL. */
SAMARA_MUST_CHECK samara_ieee802154_result
samara_ieee802154_acknowledges(const samara_ieee802154_frame *sent,
                               const samara_ieee802154_frame *acknowledgement);

#ifdef __cplusplus
}
#endif

#endif
