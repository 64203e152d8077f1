/* SPDX-License-Identifier: Apache-2.0 */

/* Known frames: each opens to what it was made of, and is made of it again;
 * those that must be refused are, and change nothing. */

#include "ends.h"
#include "vector_file.h"
#include <stdlib.h>
#include <string.h>

static const uint8_t nobody[8] = {0xff, 0, 1};

/* The frame's own key, found as it names it. */
static void add_named_key(end *one, const vector_field *key,
                          const samara_ieee802154_frame *frame) {
  samara_ieee802154_key_settings settings = key_settings(frame->key_index);
  settings.bytes = key->bytes;
  settings.mode = samara_ieee802154_key_id_mode(frame);
  settings.source = frame->key_source;
  settings.flags = SAMARA_IEEE802154_KEY_ENCRYPTION_ONLY;
  end_add_key(one, 0, &settings);
}

static void make_receiver(end *receiver, const vector_record *record,
                          const samara_ieee802154_frame *frame) {
  const vector_field *sender = vector_hex(record, "sender");
  samara_ieee802154_init(&receiver->security, nobody, 0x4321, receiver->keys,
                         end_keys, receiver->devices, end_devices,
                         receiver->received);
  CHECK_FRAME(samara_ieee802154_set_device(&receiver->security, 0,
                                           sender->bytes, 0x4321, 1),
              SAMARA_IEEE802154_OK);
  if (samara_ieee802154_level(frame) == SAMARA_IEEE802154_ENC) {
    CHECK_FRAME(samara_ieee802154_require(&receiver->security, 0,
                                          samara_ieee802154_type(frame),
                                          SAMARA_IEEE802154_ENC),
                SAMARA_IEEE802154_OK);
  }
  add_named_key(receiver, vector_hex(record, "key"), frame);
}

/* Secures what was opened; its counter is put in again. */
static void check_protects(const vector_record *record, uint8_t *bytes,
                           const samara_ieee802154_frame *frame,
                           const vector_field *want) {
  end sender;
  size_t size = 0;
  samara_ieee802154_init(&sender.security, vector_hex(record, "sender")->bytes,
                         0x4321, sender.keys, end_keys, sender.devices,
                         end_devices, sender.received);
  add_named_key(&sender, vector_hex(record, "key"), frame);
  const samara_ieee802154_counter counter = {frame->frame_counter, 0};
  CHECK_FRAME(
      samara_ieee802154_set_transmit_counter(&sender.security, 0, counter),
      SAMARA_IEEE802154_OK);
  CHECK_FRAME(samara_ieee802154_protect(&sender.security, &size, NULL, bytes,
                                        want->size - frame->mic_size,
                                        want->size),
              SAMARA_IEEE802154_OK);
  CHECK(size == want->size, "size of a protected frame");
  CHECK_BYTES(bytes, want->bytes, want->size, "a protected frame");
}

static void run_record(const vector_record *record) {
  const vector_field *given = vector_hex(record, "frame");
  const vector_field *clear = vector_find(record, "clear");
  const bool good = strcmp(vector_find(record, "result")->text, "pass") == 0;
  uint8_t *bytes = malloc(given->size);
  samara_ieee802154_frame frame;
  samara_ieee802154_opened opened;
  end receiver;
  memcpy(bytes, given->bytes, given->size);
  CHECK_FRAME(samara_ieee802154_parse(&frame, bytes, given->size),
              SAMARA_IEEE802154_OK);
  make_receiver(&receiver, record, &frame);
  const end before = receiver;
  /* One acknowledgement has no source: it is known who was asked for it. */
  const samara_ieee802154_context context = {.device = 0};
  const samara_ieee802154_result result = samara_ieee802154_open(
      &receiver.security, &opened, &context, bytes, given->size);
  if (good) {
    CHECK_FRAME(result, SAMARA_IEEE802154_OK);
    if (clear != NULL) {
      CHECK(clear->size + frame.mic_size == given->size, "size of the clear");
      CHECK_BYTES(bytes, clear->bytes, clear->size, "an opened frame");
    }
    check_protects(record, bytes, &frame, given);
  } else {
    const size_t begin =
        (size_t)frame.header_size + frame.elements_size + frame.open_size;
    CHECK_FRAME(result, SAMARA_IEEE802154_ERROR_AUTHENTICATION);
    CHECK(all_zero(bytes + begin, frame.payload_size),
          "a refused payload is zeros");
    CHECK(end_same(&receiver, &before), "state changed");
  }
  free(bytes);
}

int main(int argument_count, char **arguments) {
  vector_record record = {0};
  size_t records = 0;
  FILE *file = argument_count == 2 ? fopen(arguments[1], "r") : NULL;
  if (CHECK(file != NULL, "usage: test_ieee802154_frames FILE")) {
    while (vector_next(file, arguments[1], &record)) {
      run_record(&record);
      records++;
    }
    vector_free(&record);
    fclose(file);
  }
  CHECK(records > 80, "%zu frames", records);
  return check_report();
}
