/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_TESTS_NVS_H
#define SAMARA_TESTS_NVS_H

/* What samara/memories/esp_nvs.h needs of ESP-IDF's nvs.h, for a model. */

#include <stddef.h>
#include <stdint.h>

typedef int esp_err_t;
typedef uint32_t nvs_handle_t;
typedef enum { NVS_READONLY, NVS_READWRITE } nvs_open_mode_t;

#define ESP_OK 0
#define ESP_ERR_NVS_NOT_FOUND 0x1102

esp_err_t nvs_open(const char *name, nvs_open_mode_t mode,
                   nvs_handle_t *handle);
esp_err_t nvs_get_blob(nvs_handle_t handle, const char *key, void *value,
                       size_t *size);
esp_err_t nvs_set_blob(nvs_handle_t handle, const char *key, const void *value,
                       size_t size);
esp_err_t nvs_commit(nvs_handle_t handle);

#endif
