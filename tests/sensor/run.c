/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Usage: run IMAGE EEPROM CYCLES SEED PACE [PORT]
 *
 * One life of an ATmega328P in libsimavr. EEPROM is a file that keeps its
 * content between the lives. The power fails after so many cycles, or, with an
 * odd SEED, within the next byte that is written to the EEPROM after that. Such
 * a byte is left old, new, erased or random. The UART goes to PORT, a serial
 * port, or to stdout. With PACE 1 the life takes as long as on the chip. */

#include <fcntl.h>
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
  eeprom_size = 1024,
  frequency = 16000000,
  /* 3.4 ms, which libsimavr leaves out. */
  write_cycles = 54400,
  eecr = 0x3f,
  eedr = 0x40,
  eear = 0x41,
  start_write = 1 << 1 /* EEPE */
};

static uint8_t eeprom[eeprom_size];
static uint32_t random_state;
static int port = STDOUT_FILENO;
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

static void see_write(struct avr_t *avr, avr_io_addr_t address, uint8_t value,
                      void *context) {
  (void)address, (void)context;
  const unsigned at = avr->data[eear] | (unsigned)avr->data[eear + 1] << 8;
  if ((value & start_write) == 0 || at >= eeprom_size) {
    return;
  }
  place = at;
  old_value = eeprom[at];
  eeprom[at] = avr->data[eedr];
  done_at = avr->cycle + write_cycles;
  if (ends_in_write && avr->cycle >= end) {
    ends_in_write = false;
    end = avr->cycle + 1;
    return;
  }
  /* The processor waits for the write of the byte before. */
  avr->cycle += write_cycles;
}

static void see_byte(struct avr_irq_t *irq, uint32_t value, void *context) {
  const uint8_t byte = (uint8_t)value;
  (void)irq, (void)context;
  if (write(port, &byte, 1) != 1) {
    exit(3);
  }
}

static void quiet(avr_t *avr, const int level, const char *format,
                  va_list rest) {
  (void)avr, (void)level, (void)format, (void)rest;
}

static void no_sleep(avr_t *avr, avr_cycle_count_t cycles) {
  (void)avr, (void)cycles;
}

static avr_t *make(const char *image) {
  elf_firmware_t firmware = {0};
  avr_global_logger_set(quiet);
  avr_t *avr = avr_make_mcu_by_name("atmega328p");
  if (avr == NULL || avr_init(avr) != 0 ||
      elf_read_firmware(image, &firmware) != 0) {
    fprintf(stderr, "run: %s cannot be run\n", image);
    exit(2);
  }
  avr->frequency = frequency;
  avr_load_firmware(avr, &firmware);
  avr->frequency = frequency;
  avr->vcc = avr->avcc = 3300;
  avr->sleep = no_sleep;
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
  cfsetspeed(&settings, B9600);
  tcsetattr(port, TCSANOW, &settings);
}

static void keep(const char *path, const char *mode) {
  FILE *file = fopen(path, mode);
  if (file == NULL) {
    return; /* a new chip */
  }
  if (mode[0] == 'r') {
    (void)!fread(eeprom, 1, sizeof eeprom, file);
  } else {
    fwrite(eeprom, 1, sizeof eeprom, file);
  }
  fclose(file);
}

int main(int count, char **arguments) {
  if (count < 6) {
    fprintf(stderr, "usage: run IMAGE EEPROM CYCLES SEED PACE [PORT]\n");
    return 2;
  }
  memset(eeprom, 0xff, sizeof eeprom);
  keep(arguments[2], "r");
  end = strtoull(arguments[3], NULL, 10);
  const unsigned long seed = strtoul(arguments[4], NULL, 10);
  random_state = (uint32_t)(2654435761u * (seed + 1)) | 1;
  ends_in_write = seed % 2 == 1;
  const bool paced = arguments[5][0] == '1';
  if (count > 6) {
    open_port(arguments[6]);
  }
  avr_t *avr = make(arguments[1]);
  struct timespec start;
  clock_gettime(CLOCK_MONOTONIC, &start);
  const avr_cycle_count_t last = end + 60ull * frequency;
  while (avr->cycle < (ends_in_write ? last : end)) {
    const int state = avr_run(avr);
    if (state == cpu_Done || state == cpu_Crashed) {
      fprintf(stderr, "run: the program ended\n");
      return 1;
    }
    if (paced) {
      keep_pace(avr, &start);
    }
  }
  const bool torn = done_at > end;
  if (torn) {
    const uint8_t results[] = {old_value, eeprom[place], 0xff, any_byte()};
    eeprom[place] = results[any_byte() % 4];
  }
  keep(arguments[2], "w");
  fprintf(stderr, "%s\n", torn ? "torn" : "whole");
  return 0;
}
