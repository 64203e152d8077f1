/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/ieee802154_result.h>

/* Name and sentence of each code, for both functions below. */
#define IEEE802154_RESULTS(ROW)                                                \
  ROW(OK, "ok", "done")                                                        \
  ROW(ERROR_AUTHENTICATION, "authentication",                                  \
      "the frame is not genuine, or the key is wrong")                         \
  ROW(ERROR_TRUNCATED, "truncated", "the frame ends within a field")           \
  ROW(ERROR_FRAME_SIZE, "frame-size", "the frame is longer than 2045 bytes")   \
  ROW(ERROR_RESERVED_TYPE, "reserved-type", "the frame type is reserved")      \
  ROW(ERROR_MULTIPURPOSE, "multipurpose",                                      \
      "multipurpose frames are not supported")                                 \
  ROW(ERROR_FRAGMENT, "fragment", "fragment frames are not supported")         \
  ROW(ERROR_EXTENDED, "extended", "extended frames are not supported")         \
  ROW(ERROR_VERSION, "version", "the frame version is reserved")               \
  ROW(ERROR_ADDRESS_MODE, "address-mode", "an address mode is reserved")       \
  ROW(ERROR_PAN_COMPRESSION, "pan-compression",                                \
      "PAN id compression needs two addresses in frames of 2003 and 2006")     \
  ROW(ERROR_ACKNOWLEDGEMENT, "acknowledgement",                                \
      "an acknowledgement of 2003 or 2006 has only a sequence number")         \
  ROW(ERROR_COMMAND, "command", "the command frame has no command id")         \
  ROW(ERROR_ELEMENT, "element",                                                \
      "an information element has the wrong kind or does not fit")             \
  ROW(ERROR_SECURITY_CONTROL, "security-control",                              \
      "a frame counter together with an ASN in the nonce is not supported")    \
  ROW(ERROR_NO_ROOM, "no-room", "the buffer is too short for the frame")       \
  ROW(ERROR_LEGACY_SECURITY, "legacy-security",                                \
      "the frame has the security of 2003, which is not supported")            \
  ROW(ERROR_UNSECURED, "unsecured", "the frame is not secured, but must be")   \
  ROW(ERROR_LEVEL, "level", "the security level is below what is required")    \
  ROW(ERROR_ENCRYPTION_ONLY, "encryption-only",                                \
      "the key must not be used without a MIC (level 4)")                      \
  ROW(ERROR_MIC_SIZE, "mic-size", "the cipher has no tag as long as the MIC")  \
  ROW(ERROR_NO_KEY, "no-key", "no key has this key id mode, source and index") \
  ROW(ERROR_KEY_ROLE, "key-role",                                              \
      "the key is not current: it only opens frames")                          \
  ROW(ERROR_NONCE_KIND, "nonce-kind",                                          \
      "the key is for the other kind of nonce (frame counter or ASN)")         \
  ROW(ERROR_NO_ASN, "no-asn", "the ASN is required, but was not given")        \
  ROW(ERROR_NO_DEVICE, "no-device", "the source of the frame is unknown")      \
  ROW(ERROR_SOURCE, "source",                                                  \
      "the source address is not this device's, or several devices have it")   \
  ROW(ERROR_REPLAY, "replay", "the frame, or a later one, was seen before")    \
  ROW(ERROR_COUNTER_END, "counter-end", "the frame counter is at its end")     \
  ROW(ERROR_ASN_USED, "asn-used", "a frame was sent in this slot or later")    \
  ROW(ERROR_OTHER_FRAME, "other-frame",                                        \
      "the acknowledgement belongs to another frame")                          \
  ROW(ERROR_PLACE, "place", "the table has no such place")                     \
  ROW(ERROR_KEY_SETTINGS, "key-settings",                                      \
      "the settings of the key are invalid")                                   \
  ROW(ERROR_KEY_REPEATED, "key-repeated",                                      \
      "the key or its identifier is already in the table")                     \
  ROW(ERROR_NO_NEXT_KEY, "no-next-key", "there is no next key to rotate to")   \
  ROW(ERROR_OWN_ADDRESS, "own-address", "the address is that of this device")  \
  ROW(ERROR_DEVICE_REPEATED, "device-repeated",                                \
      "the device is already in the table")                                    \
  ROW(ERROR_COUNTER_LOWERED, "counter-lowered", "a counter only goes up")

const char *samara_ieee802154_result_text(samara_ieee802154_result result) {
#define IEEE802154_TEXT(code, name, text)                                      \
  case SAMARA_IEEE802154_##code:                                               \
    return text;
  switch (result) { IEEE802154_RESULTS(IEEE802154_TEXT) }
  return "not a result of IEEE 802.15.4";
}

const char *samara_ieee802154_result_name(samara_ieee802154_result result) {
#define IEEE802154_NAME(code, name, text)                                      \
  case SAMARA_IEEE802154_##code:                                               \
    return name;
  switch (result) { IEEE802154_RESULTS(IEEE802154_NAME) }
  return "unknown";
}
