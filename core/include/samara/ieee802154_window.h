/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_IEEE802154_WINDOW_H
#define SAMARA_IEEE802154_WINDOW_H

/* Frames of IEEE 802.15.4 that arrive late: a window against replays.
 *
 * The standard accepts a frame only when its counter is higher than all before
 * it from the same device with the same key (9.2.4 of 2015, step i), so that a
 * frame that was overtaken is lost. Here the 64 counters below the highest are
 * remembered, too, as IPsec (RFC 4303, 3.4.3) and DTLS do: one that was not
 * received yet is accepted, once. What is older is a replay. This is beyond the
 * standard; samara_ieee802154_open does not do it.
 *
 * The caller provides one window for each device and key, in the same order as
 * the receive counters, zeroed once. A window of zeros accepts nothing late.
 * It belongs to its receive counter: when that was set by other means, with
 * samara_ieee802154_set_receive_counter or another key in its place, the window
 * is empty from then on, and nothing below the counter is accepted. Thus a
 * state that is restored with its receive counters alone is sound.
 *
 * Use samara_ieee802154_open_late for all frames of a state or for none. A
 * frame that is refused changes neither counters nor windows. Windows contain
 * nothing secret. */

#include <samara/ieee802154.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { samara_ieee802154_window_size = 64 };

/* What is missing below a receive counter. Do not use its members. */
typedef struct samara_ieee802154_window {
  uint32_t next;       /* the receive counter that it belongs to */
  uint32_t missing[2]; /* bit i: the counter next - 2 - i was not received */
} samara_ieee802154_window;

/* Opens a frame as samara_ieee802154_open does, and also one that is late.
 *
 * `windows` are device_count rows of key_count. *lost is the number of counters
 * that left the window by this frame without being received: they will not be
 * accepted any more. Frames without a MIC, or with the ASN in their nonce, are
 * never accepted late. */
SAMARA_MUST_CHECK samara_ieee802154_result samara_ieee802154_open_late(
    samara_ieee802154_security *security, samara_ieee802154_window *windows,
    samara_ieee802154_opened *opened, uint32_t *lost,
    const samara_ieee802154_context *context, uint8_t *bytes, size_t size);

/* Which of the counters below the receive counter of a device and key were not
 * received, and are still accepted: bit i of the two words, the first one
 * first, stands for the counter that is i + 2 below. Store them with the
 * receive counter, and set both after a restart, or neither.
 * SAMARA_IEEE802154_ERROR_PLACE when there is no such device or key. */
SAMARA_MUST_CHECK samara_ieee802154_result
samara_ieee802154_missing(const samara_ieee802154_security *security,
                          const samara_ieee802154_window *windows,
                          uint8_t device, uint8_t key, uint32_t missing[2]);
SAMARA_MUST_CHECK samara_ieee802154_result
samara_ieee802154_set_missing(const samara_ieee802154_security *security,
                              samara_ieee802154_window *windows, uint8_t device,
                              uint8_t key, const uint32_t missing[2]);

#ifdef __cplusplus
}
#endif

#endif
