/* SPDX-License-Identifier: Apache-2.0 */

/* A device with frames of IEEE 802.15.4, of which test_node_in_frames.py is the
 * radio: a process that is killed loses its power. Its memory is a file.
 *
 *   send HEX, confirm ID HEX    messages; ID 0 for a new one
 *   frame HEX                   what the radio has heard
 *   ack                         acknowledges the last event
 *   forget
 *
 * It answers with lines: "frame HEX" for each frame that it sends, then "done
 * RESULT", with what the command is about. */

#include "record.h"
#include <samara/memories/posix_file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  line_size = 8192,
  message_room = 4000,
  parts_room = 1500,
  memory = 1024
};

static samara_node_record_key key = {.cipher = &SAMARA_NODE_RECORD_CIPHER};
static uint8_t wire[samara_node_frame_size], buffer[samara_node_frame_size];
static uint8_t parts[parts_room];
static samara_node_event event;

static void print_hex(const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) {
    printf("%02x", bytes[i]);
  }
}

static bool transmit(void *context, const uint8_t *bytes, size_t size) {
  (void)context;
  printf("frame ");
  print_hex(bytes, size);
  printf("\n");
  return true;
}

static samara_node node = {.link = &SAMARA_NODE_RECORD_LINK,
                           .key_state = &key,
                           .key_state_size = sizeof key,
                           .size = memory,
                           .step = 4,
                           .receive_step = 1,
                           .write = transmit,
                           .wire = wire,
                           .wire_size = sizeof wire,
                           .buffer = buffer,
                           .buffer_size = sizeof buffer,
                           .parts = parts,
                           .parts_room = sizeof parts};

static size_t read_hex(const char *digits, uint8_t *bytes) {
  size_t size = 0;
  for (unsigned value; sscanf(digits, "%2x", &value) == 1; digits += 2) {
    bytes[size++] = (uint8_t)value;
  }
  return size;
}

static int receive(const uint8_t *bytes, size_t size) {
  size_t processed;
  const int result =
      samara_node_receive(&node, &event, bytes, size, &processed);
  printf("event %d %lu %d %llu %d ", (int)event.kind, (unsigned long)event.id,
         event.status, (unsigned long long)event.lost,
         event.wants_acknowledgement);
  print_hex(event.message, event.message_size);
  printf("\n");
  return result;
}

static int obey(const char *command) {
  static uint8_t bytes[message_room];
  if (strncmp(command, "send ", 5) == 0) {
    return samara_node_send(&node, bytes, read_hex(command + 5, bytes));
  }
  if (strncmp(command, "confirm ", 8) == 0) {
    char *digits;
    uint32_t id = (uint32_t)strtoul(command + 8, &digits, 10);
    const size_t size = read_hex(digits + 1, bytes);
    const int result = samara_node_send_confirmed(&node, bytes, size, &id);
    printf("id %lu\n", (unsigned long)id);
    return result;
  }
  if (strncmp(command, "frame ", 6) == 0) {
    return receive(bytes, read_hex(command + 6, bytes));
  }
  return strncmp(command, "ack", 3) == 0
             ? samara_node_acknowledge(&node, &event)
             : samara_node_forget(&node);
}

static int open_node(const char *path) {
  static samara_store_posix_file file;
  if (!samara_store_posix_file_open(&file, path, memory)) {
    return 1;
  }
  node.memory = &file.memory;
  const int result = samara_node_open(&node);
  if (result != SAMARA_STORE_ERROR_BLANK) {
    return result;
  }
  const int adopted =
      samara_node_adopt(&node, samara_node_record, sizeof samara_node_record);
  return adopted == 0 ? samara_node_open(&node) : adopted;
}

int main(int count, char **arguments) {
  static char line[line_size];
  int result = count == 2 ? open_node(arguments[1]) : 1;
  do {
    printf("done %d\n", result);
    (void)fflush(stdout);
    if (fgets(line, sizeof line, stdin) == NULL) {
      return 0;
    }
    result = obey(line);
  } while (true);
}
