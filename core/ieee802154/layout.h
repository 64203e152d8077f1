/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_IEEE802154_LAYOUT_H
#define SAMARA_IEEE802154_LAYOUT_H

/* What reading and writing a frame share. */

#include <samara/ieee802154_frame.h>

/* Whether type, version and address kinds are ones that samara knows. */
SAMARA_MUST_CHECK samara_ieee802154_result
samara_ieee802154_check_control(const samara_ieee802154_frame *frame);

/* Sets has_pan of both addresses by version, kinds and compression: 7.2.1.5 of
 * 2006, table 7-2 of 2015. */
SAMARA_MUST_CHECK samara_ieee802154_result
samara_ieee802154_place_pans(samara_ieee802154_frame *frame);

/* Whether it has an auxiliary security header. */
bool samara_ieee802154_has_security_header(
    const samara_ieee802154_frame *frame);

/* Whether it has header elements; the bit is reserved before 2015. */
bool samara_ieee802154_has_elements(const samara_ieee802154_frame *frame);

/* Whether it has a sequence number, likewise. */
bool samara_ieee802154_has_sequence(const samara_ieee802154_frame *frame);

#endif
