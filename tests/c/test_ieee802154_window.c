/* SPDX-License-Identifier: Apache-2.0 */

/* Late frames: each is accepted once while it is in the window, and none is
 * both accepted late and counted as lost. */

#include "ends.h"
#include <samara/ieee802154_window.h>
#include <string.h>

#define OK SAMARA_IEEE802154_OK
#define REFUSAL(code) SAMARA_IEEE802154_ERROR_##code

enum {
  frame_room = 127,
  frames_max = 400,
  payload_size = 4,
  size = samara_ieee802154_window_size,
  rows = end_devices * end_keys
};

static end a, b;
static samara_ieee802154_window windows[rows];
static samara_ieee802154_opened opened;
static uint8_t frames[frames_max][frame_room];
static size_t sizes[frames_max];

static samara_ieee802154_counter number(uint32_t low) {
  const samara_ieee802154_counter counter = {low, 0};
  return counter;
}

/* Protects the frame with this counter, and those between are left out. */
static size_t protect(uint8_t *frame, uint32_t counter, uint8_t level) {
  const samara_ieee802154_frame header = data_frame(level, 1);
  size_t whole = 0;
  CHECK_FRAME(
      samara_ieee802154_set_transmit_counter(&a.security, 0, number(counter)),
      OK);
  const size_t clear = frame_write(frame, frame_room, &header, payload_size);
  CHECK_FRAME(samara_ieee802154_protect(&a.security, &whole, NULL, frame, clear,
                                        frame_room),
              OK);
  return whole;
}

/* Two ends, and frames of A with the counters 0, 1, 2, ... */
static void start(unsigned count) {
  const samara_ieee802154_key_settings settings = key_settings(1);
  end_init(&a, address_a);
  end_init(&b, address_b);
  end_add_key(&a, 0, &settings);
  end_add_key(&b, 0, &settings);
  memset(windows, 0, sizeof windows);
  for (uint32_t i = 0; i < count; i++) {
    sizes[i] = protect(frames[i], i, SAMARA_IEEE802154_ENC_MIC_32);
  }
}

/* Opens a copy of a frame at B; *lost as it is told. A refusal changes nothing.
 */
static samara_ieee802154_result receive(const uint8_t *frame, size_t whole,
                                        uint32_t *lost) {
  uint8_t copy[frame_room];
  const end before = b;
  samara_ieee802154_window windows_before[rows];
  memcpy(copy, frame, whole);
  memcpy(windows_before, windows, sizeof windows);
  const samara_ieee802154_result result = samara_ieee802154_open_late(
      &b.security, windows, &opened, lost, NULL, copy, whole);
  if (result != OK) {
    CHECK(end_same(&b, &before), "a refusal changed the state");
    CHECK_BYTES((const uint8_t *)windows, (const uint8_t *)windows_before,
                sizeof windows, "a refusal changed the windows");
    CHECK(*lost == 0, "nothing is lost by a refusal");
  }
  return result;
}

static samara_ieee802154_result receive_number(unsigned i, uint32_t *lost) {
  return receive(frames[i], sizes[i], lost);
}

/* What the window says is missing, as one bit for each counter below. */
static unsigned missing_count(void) {
  uint32_t missing[2];
  unsigned count = 0;
  CHECK_FRAME(samara_ieee802154_missing(&b.security, windows, 0, 0, missing),
              OK);
  for (unsigned i = 0; i < size; i++) {
    count += missing[i / 32] >> (i % 32) & 1;
  }
  return count;
}

static void check_in_order(void) {
  uint32_t lost;
  start(200);
  for (unsigned i = 0; i < 200; i++) {
    CHECK_FRAME(receive_number(i, &lost), OK);
    CHECK(lost == 0, "nothing is lost");
    CHECK_FRAME(receive_number(i, &lost), REFUSAL(REPLAY));
  }
  CHECK(missing_count() == 0, "nothing is missing");
}

static void check_swapped(void) {
  uint32_t lost;
  start(3);
  CHECK_FRAME(receive_number(1, &lost), OK);
  CHECK(lost == 0 && missing_count() == 1, "missing, not lost");
  CHECK_FRAME(receive_number(0, &lost), OK);
  CHECK(lost == 0 && missing_count() == 0, "late, not lost");
  CHECK(opened.device == 0 && opened.key == 0 &&
            opened.level == SAMARA_IEEE802154_ENC_MIC_32,
        "what was opened");
  CHECK_FRAME(receive_number(0, &lost), REFUSAL(REPLAY));
  CHECK_FRAME(receive_number(1, &lost), REFUSAL(REPLAY));
  CHECK_FRAME(receive_number(2, &lost), OK);
  samara_ieee802154_counter counter;
  CHECK_FRAME(samara_ieee802154_receive_counter(&b.security, 0, 0, &counter),
              OK);
  CHECK(counter.low == 3, "the receive counter is the highest");
}

/* 64 below the highest are in the window; the one below them is lost. */
static void check_edges(void) {
  uint32_t lost;
  for (unsigned gap = size - 1; gap <= size + 2; gap++) {
    start(gap + 2);
    CHECK_FRAME(receive_number(0, &lost), OK);
    /* 1 to `gap` are missing. */
    CHECK_FRAME(receive_number(gap + 1, &lost), OK);
    CHECK(lost == (gap > size ? gap - size : 0), "%lu lost of %u",
          (unsigned long)lost, gap);
    const unsigned gone = gap > size ? gap - size : 0;
    for (unsigned i = 1; i <= gap; i++) {
      CHECK_FRAME(receive_number(i, &lost), i <= gone ? REFUSAL(REPLAY) : OK);
      CHECK(lost == 0, "late frames lose nothing");
    }
    CHECK(missing_count() == 0, "all are there");
  }
}

static void check_far(void) {
  uint32_t lost;
  uint8_t far[frame_room];
  start(2);
  CHECK_FRAME(receive_number(1, &lost), OK);
  const size_t whole = protect(far, 0xfffffffe, SAMARA_IEEE802154_ENC_MIC_32);
  CHECK_FRAME(receive(far, whole, &lost), OK);
  /* All but 0xfffffffe - 2 + 1 in between, the last 64 of which are missing. */
  CHECK(lost == 0xfffffffe - 2 + 1 - size, "%lu lost", (unsigned long)lost);
  CHECK(missing_count() == size, "the window is full");
  CHECK_FRAME(receive_number(0, &lost), REFUSAL(REPLAY));
}

static void check_forged(void) {
  uint32_t lost;
  start(3);
  CHECK_FRAME(receive_number(2, &lost), OK);
  frames[0][sizes[0] - 1] ^= 1;
  CHECK_FRAME(receive_number(0, &lost), REFUSAL(AUTHENTICATION));
  frames[0][sizes[0] - 1] ^= 1;
  CHECK_FRAME(receive_number(0, &lost), OK);
  /* A frame that was accepted with its counter changed to a missing one. */
  CHECK_FRAME(receive_number(0, &lost), REFUSAL(REPLAY));
}

/* A frame that does not suffice, in the window. */
static void check_levels(void) {
  uint32_t lost;
  uint8_t weak[frame_room];
  start(1);
  CHECK_FRAME(receive_number(0, &lost), OK);
  const size_t whole = protect(weak, 3, SAMARA_IEEE802154_MIC_32);
  uint8_t high[frame_room];
  const size_t high_size = protect(high, 9, SAMARA_IEEE802154_ENC_MIC_32);
  CHECK_FRAME(samara_ieee802154_require(&b.security, 0, SAMARA_IEEE802154_DATA,
                                        SAMARA_IEEE802154_ENC_MIC_32),
              OK);
  CHECK_FRAME(receive(high, high_size, &lost), OK);
  CHECK_FRAME(receive(weak, whole, &lost), REFUSAL(LEVEL));
  CHECK(missing_count() == 8, "still missing");
}

/* Level 4 proves nothing: it is neither accepted late nor moves a window. */
static void check_encryption_only(void) {
  uint32_t lost;
  uint8_t early[frame_room], late[frame_room];
  samara_ieee802154_key_settings settings = key_settings(1);
  settings.flags = SAMARA_IEEE802154_KEY_ENCRYPTION_ONLY;
  end_init(&a, address_a);
  end_init(&b, address_b);
  end_add_key(&a, 0, &settings);
  end_add_key(&b, 0, &settings);
  memset(windows, 0, sizeof windows);
  CHECK_FRAME(samara_ieee802154_require(&b.security, 0, SAMARA_IEEE802154_DATA,
                                        SAMARA_IEEE802154_NONE),
              OK);
  const size_t early_size = protect(early, 1, SAMARA_IEEE802154_ENC);
  const size_t late_size = protect(late, 5, SAMARA_IEEE802154_ENC_MIC_32);
  CHECK_FRAME(receive(late, late_size, &lost), OK);
  CHECK_FRAME(receive(early, early_size, &lost), REFUSAL(REPLAY));
  const size_t next_size = protect(early, 7, SAMARA_IEEE802154_ENC);
  CHECK_FRAME(receive(early, next_size, &lost), OK);
  CHECK(lost == 0 && missing_count() == 5, "nothing moved");
}

/* Whatever sets the receive counter empties the window. */
static void check_floor(void) {
  uint32_t lost;
  start(20);
  CHECK_FRAME(receive_number(5, &lost), OK);
  CHECK(missing_count() == 5, "0 to 4");
  CHECK_FRAME(
      samara_ieee802154_set_receive_counter(&b.security, 0, 0, number(10)), OK);
  CHECK(missing_count() == 0, "empty");
  for (unsigned i = 0; i < 10; i++) {
    CHECK_FRAME(receive_number(i, &lost), REFUSAL(REPLAY));
  }
  CHECK_FRAME(receive_number(12, &lost), OK);
  CHECK(lost == 0 && missing_count() == 2, "10 and 11");
  for (unsigned i = 0; i < 10; i++) {
    CHECK_FRAME(receive_number(i, &lost), REFUSAL(REPLAY));
  }
  CHECK_FRAME(receive_number(11, &lost), OK);
  CHECK_FRAME(receive_number(10, &lost), OK);
}

/* Another key in the place of the first begins with an empty window. */
static void check_other_key(void) {
  uint32_t lost;
  uint8_t first[frame_room];
  start(7);
  CHECK_FRAME(receive_number(6, &lost), OK);
  samara_ieee802154_key_settings settings = key_settings(1);
  settings.bytes = key_two;
  samara_ieee802154_remove_key(&a.security, 0);
  samara_ieee802154_remove_key(&b.security, 0);
  end_add_key(&a, 0, &settings);
  end_add_key(&b, 0, &settings);
  CHECK(missing_count() == 0, "nothing is missing of the new key");
  const size_t whole = protect(first, 0, SAMARA_IEEE802154_ENC_MIC_32);
  CHECK_FRAME(receive(first, whole, &lost), OK);
  CHECK(lost == 0, "nothing is lost");
  CHECK_FRAME(receive(first, whole, &lost), REFUSAL(REPLAY));
}

static void check_rows(void) {
  const uint32_t some[2] = {0x80000001, 0x40000000};
  uint32_t missing[2];
  uint32_t lost;
  start(70);
  CHECK_FRAME(samara_ieee802154_set_missing(&b.security, windows, 1, 0, some),
              REFUSAL(PLACE));
  CHECK_FRAME(samara_ieee802154_missing(&b.security, windows, 0, 3, missing),
              REFUSAL(PLACE));
  CHECK_FRAME(
      samara_ieee802154_set_receive_counter(&b.security, 0, 0, number(66)), OK);
  CHECK_FRAME(samara_ieee802154_set_missing(&b.security, windows, 0, 0, some),
              OK);
  CHECK_FRAME(samara_ieee802154_missing(&b.security, windows, 0, 0, missing),
              OK);
  CHECK(missing[0] == some[0] && missing[1] == some[1], "as they were set");
  for (unsigned i = 0; i < 66; i++) {
    const bool accepted = i == 64 || i == 64 - 31 || i == 64 - 62;
    CHECK_FRAME(receive_number(i, &lost), accepted ? OK : REFUSAL(REPLAY));
  }
  for (unsigned i = 1; i < rows; i++) {
    CHECK(all_zero((const uint8_t *)&windows[i], sizeof windows[i]),
          "another window changed");
  }
}

/* Each device has a window for each key: what is missing in one is told of that
 * one alone. */
static void check_every_row(void) {
  const samara_ieee802154_key_settings settings = key_settings(1);
  uint32_t missing[2];
  start(1);
  for (unsigned key = 0; key < end_keys; key++) {
    const uint8_t bytes[32] = {(uint8_t)(1 + key)};
    samara_ieee802154_key_settings other = settings;
    other.bytes = bytes;
    other.index = other.family = (uint8_t)(key + 1);
    end_add_key(&b, (uint8_t)key, &other);
  }
  for (unsigned device = 1; device < end_devices; device++) {
    const uint8_t address[8] = {0xac, 0xde, 0x48, 0, 0, 1, 0, (uint8_t)device};
    CHECK_FRAME(samara_ieee802154_set_device(&b.security, (uint8_t)device,
                                             address, 0x4321,
                                             (uint16_t)(7 + device)),
                OK);
  }
  for (unsigned i = 0; i < rows; i++) {
    const uint32_t own[2] = {0x10000 + i, 0x20000 + i};
    const uint8_t device = (uint8_t)(i / end_keys), key = i % end_keys;
    CHECK_FRAME(samara_ieee802154_set_receive_counter(&b.security, device, key,
                                                      number(100 + i)),
                OK);
    CHECK_FRAME(
        samara_ieee802154_set_missing(&b.security, windows, device, key, own),
        OK);
  }
  for (unsigned i = 0; i < rows; i++) {
    CHECK_FRAME(samara_ieee802154_missing(&b.security, windows,
                                          (uint8_t)(i / end_keys),
                                          (uint8_t)(i % end_keys), missing),
                OK);
    CHECK(missing[0] == 0x10000 + i && missing[1] == 0x20000 + i,
          "row %u is told", i);
    CHECK(windows[i].next == 100 + i && windows[i].missing[0] == missing[0] &&
              windows[i].missing[1] == missing[1],
          "row %u is kept in its place", i);
  }
}

/* Frames in any order, some never, beside a list of what was accepted. */
static void check_any_order(void) {
  static bool accepted[frames_max];
  uint32_t next = 0, lost_sum = 0, lost;
  unsigned accepted_count = 0;
  start(frames_max);
  memset(accepted, 0, sizeof accepted);
  for (unsigned round = 0; round < 3 * frames_max; round++) {
    const unsigned around = round / 3 + (unsigned)random_below(140);
    const unsigned i = around >= 100 ? around - 100 : 0;
    if (i >= frames_max) {
      continue;
    }
    const bool fits =
        i >= next || (!accepted[i] && next - 2 - i < (uint32_t)size);
    CHECK_FRAME(receive_number(i, &lost), fits ? OK : REFUSAL(REPLAY));
    lost_sum += lost;
    if (fits) {
      accepted[i] = true;
      accepted_count++;
      next = i >= next ? i + 1 : next;
    }
  }
  CHECK(accepted_count + lost_sum + missing_count() == next,
        "each is accepted, lost or missing: %u + %lu + %u of %lu",
        accepted_count, (unsigned long)lost_sum, missing_count(),
        (unsigned long)next);
}

int main(void) {
  check_in_order();
  check_swapped();
  check_edges();
  check_far();
  check_forged();
  check_levels();
  check_encryption_only();
  check_floor();
  check_other_key();
  check_rows();
  check_every_row();
  for (unsigned round = 0; round < 20; round++) {
    check_any_order();
  }
  return check_report();
}
