/* SPDX-License-Identifier: Apache-2.0 */
#include "store_model.h"

#include "check.h"
#include <limits.h>
#include <string.h>

static uint8_t anything(void) {
  uint8_t byte;
  fill_random(&byte, 1);
  return byte;
}

static void set(store_model *self, uint32_t address, uint8_t byte) {
  self->bytes[address] =
      (uint8_t)((byte | self->stuck_high[address]) & ~self->stuck_low[address]);
}

/* A check that is made too often to be counted. */
#define CHECK_QUIETLY(holds, ...)                                              \
  do {                                                                         \
    if (!(holds)) {                                                            \
      CHECK(false, __VA_ARGS__);                                               \
    }                                                                          \
  } while (0)

static void tear_unit(store_model *self, uint32_t address,
                      const uint8_t *bytes) {
  for (uint32_t i = 0; i < self->memory.write_unit; i++) {
    switch (self->tear) {
    case MODEL_NEW:
      set(self, address + i, bytes[i]);
      break;
    case MODEL_ERASED:
      set(self, address + i, self->memory.erased_value);
      break;
    case MODEL_RANDOM:
      set(self, address + i, anything());
      break;
    default:
      break;
    }
  }
}

static void tear_all(store_model *self, uint32_t address, const uint8_t *bytes,
                     size_t size) {
  for (uint32_t i = 0; i < size; i++) {
    if (self->tear == MODEL_ALL_RANDOM) {
      set(self, address + i, anything());
    } else if (self->tear == MODEL_MIXED && (anything() & 1) != 0) {
      set(self, address + i, bytes[i]);
    }
  }
}

/* As a page is erased: not one unit after the other. */
static void tear_units(store_model *self, uint32_t address,
                       const uint8_t *bytes, const uint8_t *old, size_t size) {
  const uint32_t unit = self->memory.write_unit;
  for (uint32_t i = 0; i < size; i += unit) {
    const uint8_t *left = (anything() & 1) != 0 ? bytes : old;
    for (uint32_t j = i; j < i + unit; j++) {
      set(self, address + j, left[j]);
    }
  }
}

static void change(store_model *self, uint32_t address, const uint8_t *bytes,
                   size_t size) {
  const uint32_t unit = self->memory.write_unit;
  uint8_t old[model_size_max];
  CHECK_QUIETLY(address % unit == 0 && size % unit == 0 &&
                    address + size <= self->size,
                "a change of %zu bytes at %u", size, (unsigned)address);
  memcpy(old, self->bytes + address, size);
  for (uint32_t i = 0; i < size; i += unit) {
    if (self->steps++ == self->cut_at) {
      if (self->tear == MODEL_UNITS) {
        tear_units(self, address, bytes, old, size);
      }
      tear_unit(self, address + i, bytes + i);
      tear_all(self, address, bytes, size);
      longjmp(self->dark, 1);
    }
    for (uint32_t j = 0; j < unit; j++) {
      set(self, address + i + j, bytes[i + j]);
      self->written[address + i + j]++;
    }
  }
}

static bool model_read(void *context, uint32_t address, uint8_t *bytes,
                       size_t size) {
  const store_model *self = context;
  CHECK_QUIETLY(address + size <= self->size, "a read of %zu bytes at %u", size,
                (unsigned)address);
  memcpy(bytes, self->bytes + address, size);
  return !self->fails_to_read;
}

static bool model_write(void *context, uint32_t address, const uint8_t *bytes,
                        size_t size) {
  store_model *self = context;
  for (uint32_t i = 0; i < size && self->memory.erase != NULL; i++) {
    /* Flash takes bytes once after they were erased. */
    const uint8_t stuck =
        self->stuck_high[address + i] | self->stuck_low[address + i];
    CHECK_QUIETLY(
        stuck != 0 || self->bytes[address + i] == self->memory.erased_value,
        "address %u is written without being erased", (unsigned)(address + i));
  }
  change(self, address, bytes, size);
  return true;
}

static bool model_erase(void *context, uint32_t address) {
  store_model *self = context;
  uint8_t erased[model_size_max];
  memset(erased, self->memory.erased_value, sizeof erased);
  CHECK_QUIETLY(address % self->memory.page_size == 0, "page %u",
                (unsigned)address);
  change(self, address, erased, self->memory.page_size);
  return true;
}

void model_init(store_model *self, uint32_t size, uint32_t page_size,
                uint8_t write_unit, uint8_t erased_value) {
  memset(self, 0, sizeof *self);
  self->memory =
      (samara_store_memory){.read = model_read,
                            .write = model_write,
                            .erase = page_size != 0 ? model_erase : NULL,
                            .context = self,
                            .page_size = page_size,
                            .write_unit = write_unit,
                            .erased_value = erased_value};
  self->size = size;
  memset(self->bytes, erased_value, sizeof self->bytes);
  model_stay_powered(self);
}

void model_cut_after(store_model *self, unsigned long steps, model_tear tear) {
  self->cut_at = self->steps + steps;
  self->tear = tear;
}

void model_stay_powered(store_model *self) { self->cut_at = ULONG_MAX; }
