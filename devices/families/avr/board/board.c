/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Usage: board MCU CLOCK_HZ IMAGE EEPROM CYCLES SEED PACE [PORT [BUSY]]
 *
 * One life of an AVR in libsimavr. EEPROM is a file that keeps its content
 * between the lives. The power fails after so many cycles; when CYCLES is
 * sends:N, at the sleep after the N-th time that the program sent something;
 * or, with an odd SEED, within the next byte that is written to the EEPROM
 * after that. Such a byte is left old, new, erased or random. SIGINT and
 * SIGTERM end the life, too. UART 0 sends to PORT, a serial port, and receives
 * from it as fast as 9600 baud; without PORT it sends to stdout. The radio of
 * an ATmega128RFA1 sends to the medium at UDP port N of this machine when PORT
 * is zep:N, else its frames go to stdout, each after a byte with its length, as
 * when PORT is -; it finds its channel busy in BUSY percent of its looks, by
 * default 0. With PACE 1 the life takes as long as on the chip.
 *
 * At the end a line on stderr has `torn` or `whole`, and then counts: all
 * cycles; those asleep in a mode whose clock runs, and in one whose clock
 * stands; those that waited for the EEPROM; bytes to the EEPROM and to the
 * UART; the most cycles in a row in which an interrupt had to wait; those in
 * which the UART sent; how many times the program sent something between two
 * sleeps; the most bytes of stack. */

#include "air.h"
#include "radio.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <simavr/avr_eeprom.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_time.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum {
  eeprom_size_max = 4096,
  /* Of a byte, which libsimavr leaves out. */
  write_us = 3400,
  receive_us = 1042, /* a byte at 9600 baud */
  /* These registers have the same addresses in all AVRs that a device has. */
  eecr = 0x3f,
  eedr = 0x40,
  eear = 0x41,
  start_write = 1 << 1, /* EEPE */
  smcr = 0x53,
  stack_pointer = 0x5d,
  ucsr0a = 0xc0,
  is_ready = 1 << 5, /* UDRE0 */
  sleep_modes = 0x0e,
  clock_runs_below = 2 << 1 /* idle, and for conversions; then power-down */
};

static uint8_t eeprom[eeprom_size_max];
static unsigned eeprom_size;
static uint32_t frequency;
static avr_cycle_count_t write_cycles;
static struct {
  uint64_t idle, asleep, waited, eeprom_bytes, uart_bytes, talked, sends;
} counts;
static bool has_sent; /* since the last sleep */
static uint64_t sends_wanted = UINT64_MAX;
static unsigned lowest_stack = ~0u;
/* Since the program let interrupts in for the first time. */
static struct {
  bool began, holds;
  uint64_t since, longest;
} interrupts;
static volatile sig_atomic_t is_asked_to_end;
static uint32_t random_state;
static int port = STDOUT_FILENO;
static bool has_room; /* the UART, for a byte from the port */
static bool has_radio;
static radio transceiver;
/* The byte that is being written, until the cycle `done_at`. */
static unsigned place;
static uint8_t old_value;
static avr_cycle_count_t done_at;
static avr_cycle_count_t end;
static bool ends_in_write;

static uint8_t any_byte(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 17;
  random_state ^= random_state << 5;
  return (uint8_t)(random_state >> 24);
}

static unsigned word_at(const avr_t *avr, unsigned address) {
  return avr->data[address] | (unsigned)avr->data[address + 1] << 8;
}

static void see_write(struct avr_t *avr, avr_io_addr_t address, uint8_t value,
                      void *context) {
  (void)address, (void)context;
  const unsigned at = word_at(avr, eear);
  if ((value & start_write) == 0 || at >= eeprom_size) {
    return;
  }
  place = at;
  old_value = eeprom[at];
  eeprom[at] = avr->data[eedr];
  done_at = avr->cycle + write_cycles;
  counts.eeprom_bytes++;
  if (ends_in_write && avr->cycle >= end) {
    ends_in_write = false;
    end = avr->cycle + 1;
    return;
  }
  /* The processor waits for the write of the byte before. */
  avr->cycle += write_cycles;
  counts.waited += write_cycles;
}

static void see_byte(struct avr_irq_t *irq, uint32_t value, void *context) {
  const uint8_t byte = (uint8_t)value;
  (void)irq, (void)context;
  counts.uart_bytes++;
  has_sent = true;
  if (write(port, &byte, 1) != 1) {
    exit(3);
  }
}

static void see_room(struct avr_irq_t *irq, uint32_t value, void *context) {
  (void)irq, (void)value;
  has_room = context != NULL;
}

/* Hands a byte of the port to the UART, if there is one, and calls again. */
static avr_cycle_count_t receive(avr_t *avr, avr_cycle_count_t when,
                                 void *input) {
  uint8_t byte;
  if (has_room && read(port, &byte, 1) == 1) {
    avr_raise_irq(input, byte);
  }
  return when + avr_usec_to_cycles(avr, receive_us);
}

static void quiet(avr_t *avr, const int level, const char *format,
                  va_list rest) {
  (void)avr, (void)level, (void)format, (void)rest;
}

/* libsimavr calls it before it lets the cycles and one more pass. */
static void count_sleep(avr_t *avr, avr_cycle_count_t cycles) {
  const unsigned mode = avr->data[smcr] & sleep_modes;
  *(mode < clock_runs_below ? &counts.idle : &counts.asleep) += cycles + 1;
  counts.sends += has_sent;
  has_sent = false;
  is_asked_to_end |= counts.sends >= sends_wanted;
}

static avr_t *make(const char *mcu, const char *image) {
  elf_firmware_t firmware = {0};
  avr_global_logger_set(quiet);
  avr_t *avr = avr_make_mcu_by_name(mcu);
  if (avr == NULL || avr_init(avr) != 0 ||
      elf_read_firmware(image, &firmware) != 0) {
    fprintf(stderr, "board: %s cannot be run on %s\n", image, mcu);
    exit(2);
  }
  eeprom_size = avr->e2end + 1u;
  if (eeprom_size > eeprom_size_max) {
    fprintf(stderr, "board: the EEPROM of %s is too large\n", mcu);
    exit(2);
  }
  avr->frequency = frequency;
  avr_load_firmware(avr, &firmware);
  avr->frequency = frequency;
  avr->vcc = avr->avcc = 3300;
  avr->sleep = count_sleep;
  avr_eeprom_desc_t content = {.ee = eeprom, .offset = 0, .size = eeprom_size};
  avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &content);
  avr_register_io_write(avr, eecr, see_write, NULL);
  uint32_t flags = 0;
  avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
  flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
  avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
  avr_irq_register_notify(
      avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), see_byte,
      NULL);
  return avr;
}

static void receive_from_port(avr_t *avr) {
  const uint32_t uart = AVR_IOCTL_UART_GETIRQ('0');
  avr_irq_register_notify(avr_io_getirq(avr, uart, UART_IRQ_OUT_XON), see_room,
                          &has_room);
  avr_irq_register_notify(avr_io_getirq(avr, uart, UART_IRQ_OUT_XOFF), see_room,
                          NULL);
  avr_cycle_timer_register_usec(avr, receive_us, receive,
                                avr_io_getirq(avr, uart, UART_IRQ_INPUT));
}

/* The wait for the EEPROM, which see_write puts between two bits, is on a chip
 * before the first of them, where interrupts come in. */
static void watch_interrupts(const avr_t *avr) {
  const uint64_t now = avr->cycle - counts.waited;
  if (avr->sreg[S_I] == 0 && interrupts.began && !interrupts.holds) {
    interrupts.since = now;
    interrupts.holds = true;
  } else if (avr->sreg[S_I] != 0) {
    if (interrupts.holds && now - interrupts.since > interrupts.longest) {
      interrupts.longest = now - interrupts.since;
    }
    interrupts.began = true;
    interrupts.holds = false;
  }
}

static void watch_sending(const avr_t *avr, avr_cycle_count_t since) {
  if ((avr->data[ucsr0a] & is_ready) == 0 || radio_is_busy(&transceiver)) {
    counts.talked += avr->cycle - since;
  }
}

static void run_radio(avr_t *avr) {
  if (has_radio && radio_step(&transceiver, avr, any_byte)) {
    counts.uart_bytes += transceiver.size;
    has_sent = true;
    if (!air_send(transceiver.channel, transceiver.psdu, transceiver.size)) {
      exit(3);
    }
  }
}

static void watch_stack(const avr_t *avr) {
  const unsigned at = word_at(avr, stack_pointer);
  if (at < lowest_stack && at > avr->ioend) { /* 0 until it is set */
    lowest_stack = at;
  }
}

/* Waits until as much time has passed here as on the chip. */
static void keep_pace(const avr_t *avr, const struct timespec *start) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const double here = (double)(now.tv_sec - start->tv_sec) +
                      1e-9 * (double)(now.tv_nsec - start->tv_nsec);
  const double there = (double)avr->cycle / frequency;
  if (there > here + 1e-3) {
    usleep((useconds_t)(1e6 * (there - here)));
  }
}

static void open_port(const char *path) {
  struct termios settings;
  port = open(path, O_RDWR | O_NOCTTY);
  if (port < 0 || tcgetattr(port, &settings) != 0) {
    perror(path);
    exit(2);
  }
  cfmakeraw(&settings);
  settings.c_cc[VMIN] = 0; /* to read waits for nothing */
  cfsetspeed(&settings, B9600);
  tcsetattr(port, TCSANOW, &settings);
}

/* A file that is not there is a new chip. It has keys: for its owner alone. */
static void load_eeprom(const char *path) {
  memset(eeprom, 0xff, sizeof eeprom);
  FILE *file = fopen(path, "r");
  if (file != NULL) {
    (void)!fread(eeprom, 1, sizeof eeprom, file);
    fclose(file);
  }
}

static void store_eeprom(const char *path) {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || write(file, eeprom, eeprom_size) != (ssize_t)eeprom_size ||
      close(file) != 0) {
    perror(path);
    exit(3);
  }
}

static void ask_to_end(int number) {
  (void)number;
  is_asked_to_end = 1;
}

/* Runs until the power fails. */
static void live(avr_t *avr, bool paced) {
  struct timespec start;
  clock_gettime(CLOCK_MONOTONIC, &start);
  const avr_cycle_count_t last = end + 60ull * frequency;
  while (avr->cycle < (ends_in_write ? last : end) && !is_asked_to_end) {
    const avr_cycle_count_t since = avr->cycle;
    const int state = avr_run(avr);
    if (state == cpu_Done || state == cpu_Crashed) {
      fprintf(stderr, "board: the program ended\n");
      exit(1);
    }
    watch_interrupts(avr);
    watch_sending(avr, since);
    run_radio(avr);
    watch_stack(avr);
    if (paced) {
      keep_pace(avr, &start);
    }
  }
}

/* Leaves the byte whose write the end of the power cut. */
static bool tear(void) {
  const bool torn = done_at > end && !is_asked_to_end;
  if (torn) {
    const uint8_t results[] = {old_value, eeprom[place], 0xff, any_byte()};
    eeprom[place] = results[any_byte() % 4];
  }
  return torn;
}

static void tell(const avr_t *avr, bool torn) {
  const uint64_t numbers[] = {avr->cycle,          counts.idle,
                              counts.asleep,       counts.waited,
                              counts.eeprom_bytes, counts.uart_bytes,
                              interrupts.longest,  counts.talked,
                              counts.sends,        avr->ramend - lowest_stack};
  fputs(torn ? "torn" : "whole", stderr);
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    fprintf(stderr, " %" PRIu64, numbers[i]);
  }
  fputs("\n", stderr);
}

static void set_end(const char *text) {
  static const char by_sends[] = "sends:";
  const size_t size = sizeof by_sends - 1;
  if (strncmp(text, by_sends, size) == 0) {
    sends_wanted = strtoull(text + size, NULL, 10);
    end = UINT64_MAX / 2;
  } else {
    end = strtoull(text, NULL, 10);
  }
}

int main(int count, char **arguments) {
  if (count < 8) {
    fprintf(stderr, "usage: board MCU CLOCK_HZ IMAGE EEPROM CYCLES SEED PACE "
                    "[PORT [BUSY]]\n");
    return 2;
  }
  frequency = (uint32_t)strtoul(arguments[2], NULL, 10);
  write_cycles = (avr_cycle_count_t)frequency * write_us / 1000000;
  load_eeprom(arguments[4]);
  set_end(arguments[5]);
  const unsigned long seed = strtoul(arguments[6], NULL, 10);
  random_state = (uint32_t)(2654435761u * (seed + 1)) | 1;
  ends_in_write = seed % 2 == 1;
  avr_t *avr = make(arguments[1], arguments[3]);
  has_radio = radio_is_in(arguments[1]);
  transceiver.busy_percent =
      count > 9 ? (uint8_t)strtoul(arguments[9], NULL, 10) : 0;
  if (count > 8 && strcmp(arguments[8], "-") != 0 && !air_open(arguments[8])) {
    open_port(arguments[8]);
    receive_from_port(avr);
  }
  signal(SIGINT, ask_to_end);
  signal(SIGTERM, ask_to_end);
  live(avr, arguments[7][0] == '1');
  const bool torn = tear();
  store_eeprom(arguments[4]);
  tell(avr, torn);
  return 0;
}
