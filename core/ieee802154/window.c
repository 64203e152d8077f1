/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/ieee802154_window.h>

#include "ieee802154/layout.h"
#include "ieee802154/tables.h"

/* The window of a receive counter, as far as it still belongs to it. */
static samara_ieee802154_window
ieee802154_window_of(const samara_ieee802154_window *window,
                     const samara_ieee802154_counter *received) {
  const samara_ieee802154_window empty = {received->low, {0, 0}};
  return window->next == received->low ? *window : empty;
}

static bool ieee802154_is_missing(const samara_ieee802154_window *window,
                                  uint32_t counter) {
  const uint32_t place = window->next - 2 - counter;
  return counter < window->next && place < samara_ieee802154_window_size &&
         (window->missing[place / 32] >> (place % 32) & 1) != 0;
}

static void ieee802154_take(samara_ieee802154_window *window,
                            uint32_t counter) {
  const uint32_t place = window->next - 2 - counter;
  window->missing[place / 32] &= ~((uint32_t)1 << (place % 32));
}

/* Raises the window by one counter; whether the one that leaves was missing. */
static uint32_t ieee802154_step(samara_ieee802154_window *window,
                                uint32_t missing) {
  const uint32_t leaves = window->missing[1] >> 31;
  window->missing[1] = window->missing[1] << 1 | window->missing[0] >> 31;
  window->missing[0] = window->missing[0] << 1 | missing;
  return leaves;
}

/* Raises the window to a counter that was received; how many were lost. */
static uint32_t ieee802154_raise_to(samara_ieee802154_window *window,
                                    uint32_t next) {
  uint32_t left = next - window->next - 1;
  /* What was the highest was received; all between are missing. */
  uint32_t lost = ieee802154_step(window, 0);
  for (uint8_t i = 0; i < samara_ieee802154_window_size && left > 0; i++) {
    lost += ieee802154_step(window, 1);
    left--;
  }
  window->next = next;
  /* The window is full of what is missing: one leaves for each that comes. */
  return lost + left;
}

/* The place of the window and receive counter of a frame; false when none can
 * be late. */
static bool ieee802154_find_row(const samara_ieee802154_security *security,
                                const samara_ieee802154_context *context,
                                const samara_ieee802154_frame *frame,
                                uint8_t *device, uint8_t *key) {
  const uint8_t level = samara_ieee802154_level(frame);
  if (!samara_ieee802154_has_security_header(frame) ||
      samara_ieee802154_mic_size(level) == 0) {
    return false;
  }
  *device = samara_ieee802154_find_sender(security, frame, context);
  if (*device == samara_ieee802154_no_place) {
    return false;
  }
  *key = samara_ieee802154_find_key(security, frame, *device);
  return *key != samara_ieee802154_no_place &&
         (security->keys[*key].flags & SAMARA_IEEE802154_KEY_ASN) == 0;
}

samara_ieee802154_result samara_ieee802154_open_late(
    samara_ieee802154_security *security, samara_ieee802154_window *windows,
    samara_ieee802154_opened *opened, uint32_t *lost,
    const samara_ieee802154_context *context, uint8_t *bytes, size_t size) {
  samara_ieee802154_frame frame;
  uint8_t device;
  uint8_t key;
  *lost = 0;
  if (samara_ieee802154_parse(&frame, bytes, size) != SAMARA_IEEE802154_OK ||
      !ieee802154_find_row(security, context, &frame, &device, &key)) {
    return samara_ieee802154_open(security, opened, context, bytes, size);
  }
  samara_ieee802154_counter *received =
      samara_ieee802154_received(security, device, key);
  const samara_ieee802154_counter highest = *received;
  const size_t place = (size_t)device * security->key_count + key;
  samara_ieee802154_window window =
      ieee802154_window_of(&windows[place], received);
  const bool late = ieee802154_is_missing(&window, frame.frame_counter);
  if (late) {
    /* For this call alone; nobody else sees it. */
    received->low = frame.frame_counter;
  }
  const samara_ieee802154_result result =
      samara_ieee802154_open(security, opened, context, bytes, size);
  if (late) {
    *received = highest;
  }
  if (result != SAMARA_IEEE802154_OK) {
    return result;
  }
  if (late) {
    ieee802154_take(&window, frame.frame_counter);
  } else {
    *lost = ieee802154_raise_to(&window, received->low);
  }
  windows[place] = window;
  return result;
}

static samara_ieee802154_result
ieee802154_check_row(const samara_ieee802154_security *security, uint8_t device,
                     uint8_t key) {
  samara_ieee802154_counter counter;
  return samara_ieee802154_receive_counter(security, device, key, &counter);
}

samara_ieee802154_result
samara_ieee802154_missing(const samara_ieee802154_security *security,
                          const samara_ieee802154_window *windows,
                          uint8_t device, uint8_t key, uint32_t missing[2]) {
  const samara_ieee802154_result result =
      ieee802154_check_row(security, device, key);
  if (result == SAMARA_IEEE802154_OK) {
    const samara_ieee802154_window window = ieee802154_window_of(
        &windows[(size_t)device * security->key_count + key],
        samara_ieee802154_received(security, device, key));
    missing[0] = window.missing[0];
    missing[1] = window.missing[1];
  }
  return result;
}

samara_ieee802154_result
samara_ieee802154_set_missing(const samara_ieee802154_security *security,
                              samara_ieee802154_window *windows, uint8_t device,
                              uint8_t key, const uint32_t missing[2]) {
  const samara_ieee802154_result result =
      ieee802154_check_row(security, device, key);
  if (result == SAMARA_IEEE802154_OK) {
    samara_ieee802154_window *window =
        &windows[(size_t)device * security->key_count + key];
    window->next = samara_ieee802154_received(security, device, key)->low;
    window->missing[0] = missing[0];
    window->missing[1] = missing[1];
  }
  return result;
}
