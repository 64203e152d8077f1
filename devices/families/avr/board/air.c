/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "air.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
  packet_size_max = 32 + 127,
  at_kind = 3,
  at_channel = 4,
  at_mode = 7, /* 1: the frame ends with its FCS */
  at_lqi = 8,
  at_time = 9, /* of NTP, 8 bytes */
  at_sequence = 17,
  at_size = 31,
  at_frame = 32,
  best_lqi = 255
};

static const uint64_t ntp_epoch_s = 2208988800u; /* from 1900 to 1970 */
static int medium = -1;
static uint32_t sequence;

bool air_open(const char *name) {
  static const char kind[] = "zep:";
  if (strncmp(name, kind, sizeof kind - 1) != 0) {
    return false;
  }
  struct sockaddr_in place = {.sin_family = AF_INET};
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  place.sin_port = htons((uint16_t)strtoul(name + sizeof kind - 1, NULL, 10));
  medium = socket(AF_INET, SOCK_DGRAM, 0);
  if (medium < 0 ||
      connect(medium, (const struct sockaddr *)&place, sizeof place) != 0) {
    perror(name);
    exit(2);
  }
  return true;
}

static void put(uint8_t *bytes, uint64_t value, int size) {
  for (int i = size - 1; i >= 0; i--) {
    bytes[i] = (uint8_t)value;
    value >>= 8;
  }
}

static size_t zep_packet(uint8_t *packet, uint8_t channel, const uint8_t *psdu,
                         uint8_t size) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  memcpy(packet, "EX\2", 3);
  packet[at_kind] = 1;
  packet[at_channel] = channel;
  packet[at_mode] = 1;
  packet[at_lqi] = best_lqi;
  const uint64_t fraction = ((uint64_t)now.tv_nsec << 32) / 1000000000u;
  put(packet + at_time, ((uint64_t)now.tv_sec + ntp_epoch_s) << 32 | fraction,
      8);
  put(packet + at_sequence, sequence++, 4);
  packet[at_size] = size;
  memcpy(packet + at_frame, psdu, size);
  return at_frame + (size_t)size;
}

bool air_send(uint8_t channel, const uint8_t *psdu, uint8_t size) {
  if (medium < 0) {
    return write(STDOUT_FILENO, &size, 1) == 1 &&
           write(STDOUT_FILENO, psdu, size) == size;
  }
  uint8_t packet[packet_size_max] = {0};
  const size_t length = zep_packet(packet, channel, psdu, size);
  return send(medium, packet, length, 0) == (ssize_t)length;
}
