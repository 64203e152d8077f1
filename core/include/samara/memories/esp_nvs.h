/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_STORE_ESP_NVS_H
#define SAMARA_STORE_ESP_NVS_H

/* ESP-IDF's non-volatile storage (NVS) as a memory of samara/store.h. Include
 * it in one source file.
 *
 *   static samara_store_esp_nvs storage;
 *   if (!samara_store_esp_nvs_open(&storage, "samara")) ...
 *   ring.memory = &storage.memory;
 *
 * nvs_flash_init must have succeeded. Each 32 bytes of the memory are an entry
 * of the namespace, named by its number; NVS replaces an entry as a whole,
 * wears its pages alike, and keeps the old entry when the power fails. A ring
 * of 8 records is enough: more do not make the flash last longer.
 *
 * NEVER call nvs_flash_erase when nvs_flash_init fails, as examples of ESP-IDF
 * do: counters would begin again. Keys in NVS can be read from the chip unless
 * NVS encryption is on.
 *
 * The tests compile it against a model of nvs.h. It ran by hand with
 * ESP-IDF 6.2 for its target linux, where the NVS is in a file, and never on a
 * chip.
 */

#include <nvs.h>
#include <samara/memory.h>
#include <samara/store.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { samara_esp_nvs_unit = 32 };

typedef struct samara_store_esp_nvs {
  samara_store_memory memory;
  nvs_handle_t handle;
} samara_store_esp_nvs;

/* "s" and the number in hexadecimal digits. */
static inline void samara_esp_nvs_name(char name[10], uint32_t number) {
  static const char digits[] = "0123456789abcdef";
  name[0] = 's';
  for (unsigned i = 0; i < 8; i++) {
    name[1 + i] = digits[number >> (28 - 4 * i) & 15];
  }
  name[9] = 0;
}

/* An entry that is not there reads as erased. */
static inline bool samara_esp_nvs_load(const samara_store_esp_nvs *self,
                                       uint32_t number,
                                       uint8_t entry[samara_esp_nvs_unit]) {
  char name[10];
  size_t size = samara_esp_nvs_unit;
  samara_esp_nvs_name(name, number);
  const esp_err_t result = nvs_get_blob(self->handle, name, entry, &size);
  if (result == ESP_ERR_NVS_NOT_FOUND) {
    for (unsigned i = 0; i < samara_esp_nvs_unit; i++) {
      entry[i] = self->memory.erased_value;
    }
    return true;
  }
  return result == ESP_OK && size == samara_esp_nvs_unit;
}

static inline bool samara_esp_nvs_read(void *context, uint32_t address,
                                       uint8_t *bytes, size_t size) {
  const samara_store_esp_nvs *self = (const samara_store_esp_nvs *)context;
  uint8_t entry[samara_esp_nvs_unit];
  bool loaded = true;
  for (size_t i = 0; i < size && loaded; i++) {
    const uint32_t place = address + (uint32_t)i;
    if (i == 0 || place % samara_esp_nvs_unit == 0) {
      loaded = samara_esp_nvs_load(self, place / samara_esp_nvs_unit, entry);
    }
    bytes[i] = entry[place % samara_esp_nvs_unit];
  }
  samara_wipe(entry, sizeof entry); /* it may have been a key */
  return loaded;
}

static inline bool samara_esp_nvs_write(void *context, uint32_t address,
                                        const uint8_t *bytes, size_t size) {
  const samara_store_esp_nvs *self = (const samara_store_esp_nvs *)context;
  for (size_t i = 0; i < size; i += samara_esp_nvs_unit) {
    char name[10];
    samara_esp_nvs_name(name, (address + (uint32_t)i) / samara_esp_nvs_unit);
    if (nvs_set_blob(self->handle, name, bytes + i, samara_esp_nvs_unit) !=
            ESP_OK ||
        nvs_commit(self->handle) != ESP_OK) {
      return false;
    }
  }
  return true;
}

/* Opens a namespace of the default partition; answers whether it could. */
static inline bool samara_store_esp_nvs_open(samara_store_esp_nvs *self,
                                             const char *name) {
  self->memory.read = samara_esp_nvs_read;
  self->memory.write = samara_esp_nvs_write;
  self->memory.erase = NULL;
  self->memory.context = self;
  self->memory.page_size = 0;
  self->memory.write_unit = samara_esp_nvs_unit;
  self->memory.erased_value = 0xff;
  return nvs_open(name, NVS_READWRITE, &self->handle) == ESP_OK;
}

#ifdef __cplusplus
}
#endif

#endif
