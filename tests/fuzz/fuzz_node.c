/* SPDX-License-Identifier: Apache-2.0 */

/* A device and its host, over a serial link or in frames. The fuzzer makes the
 * provisioning record and what stands in the device's memory, is on the line,
 * resets the device, and cuts its power within a write. What is given out was
 * sent by the other end, whole and once; no number is sent twice; and a device
 * whose memory nobody changed works again after each reset. */

#include "input.h"
#include "node_record.h"
#include <samara/aes.h>
#include <samara/node_ieee802154.h>
#include <samara/samara.h>
#include <setjmp.h>

enum {
  key_size = 16,
  units_max = 64,
  unit_room = 700,
  memory_max = 4096,
  messages_max = 250,
  long_message = 420,
  message_first_high = 240, /* 245 is what no plain message begins with */
  record_at_packet = 6,
  record_at_counter = 8
};

typedef struct cells {
  samara_store_memory memory;
  uint8_t *bytes;
  uint32_t size;
  unsigned left; /* bytes that are changed until the power fails; 0: it stays */
  uint8_t torn;  /* what is left of that byte */
  bool fails;
} cells;

typedef struct end {
  cells cells;
  samara_node node;
  union {
    samara_aes128_key serial;
    samara_node_frames frames;
  } key;
  uint8_t *wire, *buffer, *message, *parts;
  uint8_t units[units_max][unit_room];
  size_t sizes[units_max];
  unsigned unit_count;
  /* Messages: the first byte is the number, and tells all others. */
  size_t message_sizes[messages_max];
  bool arrived[messages_max]; /* at the other end */
  unsigned message_count;
  uint32_t ids[messages_max]; /* 0 where no acknowledgement is asked for */
  int64_t last_number;
} end;

static end device, host;
static jmp_buf dark;
static uint8_t *received; /* of the call that a cut ends */
static bool in_frames;
/* The record that both have, of so many bytes. */
static uint8_t record[frames_record_size];
static size_t record_size;
static uint8_t packet_size, counter_size, step, longest;
static size_t parts_room, wire_size;
/* Somebody has changed the memory of the device. */
static bool is_rotted;

static bool cells_read(void *context, uint32_t address, uint8_t *bytes,
                       size_t size) {
  const cells *self = context;
  fuzz_require(address <= self->size && size <= self->size - address);
  memcpy(bytes, self->bytes + address, size);
  return !self->fails;
}

static void cells_set(cells *self, uint32_t address, uint8_t byte) {
  if (self->left != 0 && --self->left == 0) {
    self->bytes[address] = self->torn;
    longjmp(dark, 1);
  }
  self->bytes[address] = byte;
}

static bool cells_write(void *context, uint32_t address, const uint8_t *bytes,
                        size_t size) {
  cells *self = context;
  fuzz_require(address <= self->size && size <= self->size - address &&
               address % self->memory.write_unit == 0 &&
               size % self->memory.write_unit == 0);
  for (size_t i = 0; i < size; i++) {
    cells_set(self, address + (uint32_t)i, bytes[i]);
  }
  return !self->fails;
}

static bool cells_erase(void *context, uint32_t address) {
  cells *self = context;
  fuzz_require(address % self->memory.page_size == 0 &&
               address <= self->size - self->memory.page_size);
  for (uint32_t i = 0; i < self->memory.page_size; i++) {
    cells_set(self, address + i, self->memory.erased_value);
  }
  return !self->fails;
}

/* Of a unit that a node made: in clear, and in three or four bytes. */
static int64_t number_of(const uint8_t *bytes, size_t size) {
  if (in_frames) {
    samara_ieee802154_frame frame;
    fuzz_require(samara_ieee802154_parse(&frame, bytes, size) ==
                 SAMARA_IEEE802154_OK);
    return frame.frame_counter;
  }
  int64_t number = 0;
  for (uint8_t i = 0; i < counter_size; i++) {
    number = number << 8 | bytes[1 + i];
  }
  return number;
}

static bool put(void *context, const uint8_t *bytes, size_t size) {
  end *self = context;
  fuzz_require(size <= unit_room);
  if (self->unit_count == units_max) {
    return false;
  }
  memcpy(self->units[self->unit_count], bytes, size);
  self->sizes[self->unit_count++] = size;
  const int64_t number = number_of(bytes, size);
  fuzz_require((self == &device && is_rotted) || number > self->last_number);
  self->last_number = number;
  return true;
}

/* As after a reset: nothing of the RAM is known. */
static void reset(end *self) {
  memset(&self->node, 0xa5, sizeof self->node);
  memset(&self->key, 0xa5, sizeof self->key);
  self->key.frames.cipher = &samara_ieee802154_aes128;
  samara_node *node = &self->node;
  node->link = in_frames ? &samara_node_ieee802154 : &samara_node_rfserial;
  node->aead = &samara_aes128_ccm_aead;
  node->key_state = &self->key;
  node->key_state_size = sizeof self->key;
  node->memory = &self->cells.memory;
  node->first = 0;
  node->size = self->cells.size;
  node->step = step;
  node->receive_step = 1;
  node->write = put;
  node->context = self;
  node->message_size_max = longest;
  node->wire = self->wire;
  node->wire_size = wire_size;
  node->buffer = self->buffer;
  node->buffer_size = wire_size;
  node->message = self->message;
  node->message_room = (size_t)longest + samara_node_overhead;
  node->parts = parts_room == 0 ? NULL : self->parts;
  node->parts_room = parts_room;
  node->effort = 3;
}

static void make_end(end *self, uint32_t size, uint8_t unit, uint32_t page) {
  memset(self, 0, sizeof *self);
  self->last_number = -1;
  self->cells = (cells){.memory = {.read = cells_read,
                                   .write = cells_write,
                                   .erase = page != 0 ? cells_erase : NULL,
                                   .context = &self->cells,
                                   .page_size = page,
                                   .write_unit = unit,
                                   .erased_value = 0xff},
                        .bytes = fuzz_allocate(size),
                        .size = size};
  memset(self->cells.bytes, 0xff, size);
  self->wire = fuzz_allocate(wire_size);
  self->buffer = fuzz_allocate(wire_size);
  self->message = fuzz_allocate((size_t)longest + samara_node_overhead);
  self->parts = fuzz_allocate(parts_room);
  reset(self);
}

static void free_end(end *self) {
  free(self->cells.bytes);
  free(self->wire);
  free(self->buffer);
  free(self->message);
  free(self->parts);
}

/* A record for this end, with settings that a host could write. */
static void make_record(uint8_t direction, uint8_t choice) {
  static const uint8_t levels[] = {1, 2, 3, 5, 6, 7};
  const uint8_t key[key_size] = {1, 2, 3, 5, 8, 13, 21, 34};
  if (in_frames) {
    record_size = frames_record_size;
    write_frames_record(record, key, direction,
                        (uint8_t)(levels[choice % 6] | choice / 6 % 4 << 3),
                        choice / 24 % 4);
  } else {
    record_size = node_record_size;
    write_node_record(record, key, direction);
    record[record_at_packet] = packet_size;
    record[record_at_counter] = counter_size;
    end_node_record(record, 12, key);
  }
}

static void open_sound(end *self) {
  fuzz_require(samara_node_open(&self->node) == SAMARA_STORE_ERROR_BLANK);
  fuzz_require(samara_node_adopt(&self->node, record, record_size) == 0);
  fuzz_require(samara_node_open(&self->node) == 0);
}

/* What a message says after its first byte. */
static uint8_t letter(unsigned number, size_t place) {
  return (uint8_t)(number * 31 + place * 7 + number * place);
}

/* What one end gave out was sent by the other; once. */
static void check_message(end *from, const samara_node_event *event) {
  if (event->message_size == 0) {
    return;
  }
  const unsigned number = event->message[0];
  fuzz_require(number < from->message_count &&
               event->message_size == from->message_sizes[number]);
  for (size_t i = 1; i < event->message_size; i++) {
    fuzz_require(event->message[i] == letter(number, i));
  }
  fuzz_require(!from->arrived[number] || (from == &host && is_rotted));
  from->arrived[number] = true;
}

static void check_event(end *to, const samara_node_event *event, int result) {
  end *from = to == &device ? &host : &device;
  const bool has_message =
      event->kind == SAMARA_NODE_MESSAGE && event->message_size != 0;
  fuzz_require(result == 0 || event->kind == SAMARA_NODE_NOTHING);
  fuzz_require(has_message || event->message_size == 0);
  if (event->kind == SAMARA_NODE_MESSAGE) {
    check_message(from, event);
  }
}

static void free_received(void) {
  free(received);
  received = NULL;
}

static void receive(end *to, const uint8_t *bytes, size_t size) {
  size_t done = 0;
  do {
    samara_node_event event;
    size_t processed = 0;
    received = fuzz_allocate(size - done);
    memcpy(received, bytes + done, size - done);
    const int result = samara_node_receive(&to->node, &event, received,
                                           size - done, &processed);
    check_event(to, &event, result);
    free_received();
    fuzz_require(processed <= size - done && (processed != 0 || size == done));
    done += processed;
    if (event.wants_acknowledgement) {
      (void)!samara_node_acknowledge(&to->node, &event);
    }
  } while (done < size);
}

static void write_message(const end *from, unsigned number,
                          uint8_t message[long_message]) {
  message[0] = (uint8_t)number;
  for (size_t i = 1; i < from->message_sizes[number]; i++) {
    message[i] = letter(number, i);
  }
}

static void send(end *from, fuzz_input *input) {
  uint8_t message[long_message];
  const unsigned choice = fuzz_byte(input);
  const unsigned number = from->message_count;
  const size_t size = choice < 200 ? 1 + choice % 80 : 1 + 7 * (choice - 200);
  if (number == messages_max) {
    return;
  }
  from->message_sizes[number] = size;
  from->message_count++;
  write_message(from, number, message);
  if (fuzz_byte(input) % 2 == 0) {
    (void)!samara_node_send(&from->node, message, size);
  } else {
    (void)!samara_node_send_confirmed(&from->node, message, size,
                                      &from->ids[number]);
  }
}

/* A message that asked for an acknowledgement, again. */
static void send_again(end *from, fuzz_input *input) {
  uint8_t message[long_message];
  if (from->message_count == 0) {
    return;
  }
  const unsigned number = fuzz_byte(input) % from->message_count;
  if (from->ids[number] != 0) {
    write_message(from, number, message);
    (void)!samara_node_send_confirmed(
        &from->node, message, from->message_sizes[number], &from->ids[number]);
  }
}

/* A unit of the other end: whole, or a piece, perhaps with a change. */
static void deliver(end *from, end *to, fuzz_input *input, bool whole) {
  if (from->unit_count == 0) {
    return;
  }
  const unsigned place = fuzz_byte(input) % from->unit_count;
  const size_t size = from->sizes[place];
  uint8_t copy[unit_room];
  memcpy(copy, from->units[place], size);
  if (whole) {
    receive(to, copy, size);
    return;
  }
  const size_t begin = fuzz_byte(input) % size;
  const size_t part = 1 + fuzz_byte(input) % (size - begin);
  copy[begin + fuzz_byte(input) % part] ^= fuzz_byte(input);
  receive(to, copy + begin, part);
}

/* All units of one, in order, to the other; then the line is empty. */
static void deliver_all(end *from, end *to) {
  const unsigned count = from->unit_count;
  for (unsigned i = 0; i < count; i++) {
    uint8_t copy[unit_room];
    memcpy(copy, from->units[i], from->sizes[i]);
    receive(to, copy, from->sizes[i]);
  }
  from->unit_count = 0;
}

static void receive_bytes(fuzz_input *input) {
  const size_t size = fuzz_byte(input);
  uint8_t *bytes = fuzz_take(input, size);
  receive(&device, bytes, size);
  free(bytes);
}

/* Bytes of the memory, or a record in it with a right check. */
static void rot(fuzz_input *input) {
  const uint32_t at =
      ((uint32_t)fuzz_byte(input) << 8 | fuzz_byte(input)) % device.cells.size;
  is_rotted = true;
  device.cells.bytes[at] = fuzz_byte(input);
}

static void forge(fuzz_input *input) {
  samara_store_ring *const rings[] = {
      &device.node.identity, &device.node.sent.ring, &device.node.expected.ring,
      &device.node.taken.ring};
  samara_store_ring ring = *rings[fuzz_byte(input) % 4];
  is_rotted = true;
  device.cells.left = 0;
  uint8_t *sequence = fuzz_take(input, 6);
  uint8_t *payload = fuzz_take(input, ring.payload_size);
  const uint64_t number = samara_load32_le(sequence) | (uint64_t)sequence[4]
                                                           << 32;
  (void)!samara_store_start(&ring, number, payload);
  free(sequence);
  free(payload);
}

/* A reset. A memory that nobody changed opens again. */
static int restart(void) {
  free_received();
  device.cells.left = 0;
  device.cells.fails = false;
  reset(&device);
  int result = samara_node_open(&device.node);
  if (result == SAMARA_STORE_ERROR_BLANK) {
    result = samara_node_adopt(&device.node, record, record_size);
    result = result == 0 ? samara_node_open(&device.node) : result;
  }
  fuzz_require(is_rotted || result == 0);
  return result;
}

static void disturb(fuzz_input *input, uint8_t choice) {
  if (choice >= 240) {
    rot(input);
  } else if (choice >= 200) {
    forge(input);
  } else if (choice >= 160) {
    device.cells.fails = true;
  } else {
    const int result = samara_node_adopt(&device.node, record, record_size);
    fuzz_require(is_rotted || device.cells.fails ||
                 result == SAMARA_NODE_ERROR_ADOPTED);
  }
}

static void play_once(fuzz_input *input) {
  const uint8_t choice = fuzz_byte(input);
  switch (choice % 12) {
  case 0:
    send(&device, input);
    break;
  case 1:
    send(&host, input);
    break;
  case 2:
    send_again(choice / 12 % 2 == 0 ? &device : &host, input);
    break;
  case 3:
    deliver(&host, &device, input, true);
    break;
  case 4:
    deliver(&host, &device, input, false);
    break;
  case 5:
    deliver(&device, &host, input, true);
    break;
  case 6:
    deliver_all(&host, &device);
    break;
  case 7:
    deliver_all(&device, &host);
    break;
  case 8:
    receive_bytes(input);
    break;
  case 9:
    device.cells.torn = fuzz_byte(input);
    device.cells.left = 1u + fuzz_byte(input);
    break;
  case 10:
    disturb(input, choice);
    break;
  default:
    input->size = restart() == 0 ? input->size : 0;
  }
}

static fuzz_input playing;

static void play(void) {
  while (playing.size != 0) {
    if (setjmp(dark) != 0) {
      playing.size = restart() == 0 ? playing.size : 0;
    } else {
      play_once(&playing);
    }
  }
}

/* At the end all works that nobody has broken. */
static void check_end(void) {
  static const uint8_t last[1] = {messages_max - 1};
  if (setjmp(dark) != 0 || is_rotted || restart() != 0) {
    return;
  }
  device.unit_count = 0;
  host.unit_count = 0;
  device.message_count = messages_max;
  device.message_sizes[last[0]] = sizeof last;
  device.arrived[last[0]] = false;
  fuzz_require(samara_node_send(&device.node, last, sizeof last) == 0);
  deliver_all(&device, &host);
  fuzz_require(device.arrived[last[0]]);
}

/* A record that the fuzzer wrote; with a right check, or as it is. */
static void adopt_any(fuzz_input *input, bool checked) {
  const size_t size = checked ? record_size : fuzz_byte(input);
  uint8_t *bytes = fuzz_take(input, size);
  if (checked) {
    memcpy(bytes, record, 5);
    end_node_record(bytes, size - key_size - 4, record + size - key_size - 4);
  }
  is_rotted = true;
  if (samara_node_adopt(&device.node, bytes, size) == 0) {
    reset(&device);
    if (samara_node_open(&device.node) == 0) {
      send(&device, input);
      receive_bytes(input);
    }
  }
  free(bytes);
}

static void begin(fuzz_input *input, uint8_t choice) {
  const uint8_t geometry = fuzz_byte(input);
  static const uint8_t write_units[] = {1, 4, 8, 16};
  const uint32_t page = geometry % 2 == 0 ? 0 : 256;
  const uint8_t unit = write_units[geometry / 2 % 4];
  const uint8_t settings = fuzz_byte(input);
  packet_size = (uint8_t)(1 + fuzz_byte(input) % 60);
  counter_size = settings % 2 != 0 ? 3 : 4;
  step = (uint8_t)(1 + fuzz_byte(input) % 20);
  longest = (uint8_t)(10 + fuzz_byte(input) % 60);
  parts_room = choice / 16 * 28u;
  const samara_node sizes = {.link = &samara_node_rfserial,
                             .aead = &samara_aes128_ccm_aead,
                             .key_state = &device.key,
                             .message_size_max = longest};
  wire_size = in_frames ? (size_t)samara_node_frame_size
                        : samara_node_wire_size(&sizes, packet_size);
  make_end(&device, page != 0 ? 8 * page : 1024u + 16u * (geometry / 8 % 8),
           unit, page);
  make_end(&host, 2048, 1, 0);
  make_record(1, settings);
  open_sound(&host);
  make_record(0, settings);
  host.message_count = device.message_count =
      settings < 128 ? 0 : message_first_high;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  playing = (fuzz_input){bytes, size};
  const uint8_t choice = fuzz_byte(&playing);
  in_frames = choice % 2 != 0;
  is_rotted = false;
  begin(&playing, choice);
  if (choice / 2 % 8 < 2) {
    adopt_any(&playing, choice / 2 % 8 == 0);
  } else {
    open_sound(&device);
    play();
    check_end();
  }
  free_end(&device);
  free_end(&host);
  return 0;
}
