/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_TESTS_ENDS_H
#define SAMARA_TESTS_ENDS_H

/* Ends of a secured link: each has its tables, and knows the other. */

#include "check.h"
#include <samara/aes.h>
#include <samara/ieee802154.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { end_keys = 4, end_devices = 3 };

typedef struct end {
  samara_ieee802154_security security;
  samara_ieee802154_key keys[end_keys];
  samara_ieee802154_device devices[end_devices];
  samara_ieee802154_counter received[end_devices * end_keys];
} end;

extern const uint8_t address_a[8];
extern const uint8_t address_b[8];
extern const uint8_t key_one[32];
extern const uint8_t key_two[32];

/* End A or B, with the other as its device 0: short address 1 or 2, PAN 0x4321.
 * No keys yet. */
void end_init(end *one, const uint8_t address[8]);

/* Whether two ends, one a copy of the other, are the same byte by byte. */
bool end_same(const end *one, const end *copy);

/* AES-128 with key_one in key id mode 1, current, in place 0. */
samara_ieee802154_key_settings key_settings(uint8_t index);
void end_add_key(end *one, uint8_t place,
                 const samara_ieee802154_key_settings *settings);

/* A data frame of 2015 from A to B, at a level, with key id mode 1. */
samara_ieee802154_frame data_frame(uint8_t level, uint8_t index);

/* Writes header and payload, `size` bytes of 0, 1, 2, ... */
size_t frame_write(uint8_t *bytes, size_t room,
                   const samara_ieee802154_frame *frame, size_t payload_size);

/* Checks an answer, with its words. */
bool check_frame_result(samara_ieee802154_result got,
                        samara_ieee802154_result want, const char *file,
                        int line);

#define CHECK_FRAME(got, want)                                                 \
  check_frame_result((got), (want), __FILE__, __LINE__)

#ifdef __cplusplus
}
#endif

#endif
