/* SPDX-License-Identifier: Apache-2.0 */

/* Both ends of a serial link on a device: at device_ready the host writes
 * job_*, and at device_done it reads what came of it. DEVICE_AEAD is the
 * cipher, the only one that is linked. */

#include <samara/samara.h>

enum { message_max = 64, line_max = 300, state_words = 22 };

enum { JOB_SEAL = 1, JOB_RECEIVE = 2 };

uint8_t job_operation;
uint8_t job_key[32];
uint8_t job_number[8]; /* low byte first */
uint8_t job_size[2];
uint8_t job_data[line_max];
uint8_t job_result; /* bytes of the unit, or of the message; 0: neither */

static uint64_t key[state_words];
static uint8_t buffer[line_max], message[message_max];

static const samara_rfserial_link link = {.aead = &DEVICE_AEAD,
                                          .key = key,
                                          .identity = 0x1234,
                                          .direction = 1,
                                          .packet_size = 12,
                                          .tag_size = 8,
                                          .counter_size = 2};

static uint64_t number(void) {
  uint64_t value = 0;
  for (unsigned i = 8; i-- != 0;) {
    value = value << 8 | job_number[i];
  }
  return value;
}

static uint8_t seal(size_t size) {
  samara_rfserial_sender sender = {&link, number()};
  for (size_t i = 0; i < size; i++) {
    message[i] = job_data[i];
  }
  size_t wire_size;
  const samara_result result =
      samara_rfserial_seal(&sender, job_data, &wire_size, message, size);
  return result == SAMARA_OK ? (uint8_t)wire_size : 0;
}

/* Takes what came over the line; the message it ends with replaces it. */
static uint8_t receive(size_t size) {
  samara_rfserial_receiver receiver;
  samara_rfserial_event event;
  if (samara_rfserial_receiver_init(&receiver, &link, number(), buffer,
                                    sizeof buffer, message, sizeof message,
                                    0) != SAMARA_OK ||
      samara_rfserial_receive(&receiver, &event, job_data, size) != size ||
      event.kind != SAMARA_RFSERIAL_MESSAGE) {
    return 0;
  }
  for (size_t i = 0; i < event.message_size; i++) {
    job_data[i] = event.message[i];
  }
  return (uint8_t)event.message_size;
}

/* Labels that the host lets the program run to. */
#define MARK(name)                                                             \
  __asm__ __volatile__(".global " #name "\n" #name ":" ::: "memory")

__attribute__((noinline)) static void ready(void) { MARK(device_ready); }
__attribute__((noinline)) static void done(void) { MARK(device_done); }

int main(void) {
  for (;;) {
    ready();
    const size_t size = (size_t)(job_size[0] | job_size[1] << 8);
    link.aead->set_key(key, job_key);
    job_result = job_operation == JOB_SEAL ? seal(size) : receive(size);
    done();
  }
}
