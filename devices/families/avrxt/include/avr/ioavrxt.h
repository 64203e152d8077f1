/* SPDX-License-Identifier: Apache-2.0 */
/* avr/io.h of avr-libc takes this for the chip's header. The registers of the
 * processor itself are in avr/common.h; no other one is used. */
#ifndef SAMARA_DEVICES_AVRXT_H
#define SAMARA_DEVICES_AVRXT_H
#endif
