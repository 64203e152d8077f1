/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/store.h>

const char *samara_store_result_text(samara_store_result result) {
  switch (result) {
  case SAMARA_STORE_OK:
    return "done";
  case SAMARA_STORE_ERROR_BLANK:
    return "nothing is stored yet";
  case SAMARA_STORE_ERROR_LOST:
    return "no record is valid any more: give the device a new key";
  case SAMARA_STORE_ERROR_WORN:
    return "no part of the memory takes a new record";
  case SAMARA_STORE_ERROR_READ:
    return "the memory cannot be read";
  case SAMARA_STORE_ERROR_END:
    return "the counter is at its end: use a new key";
  case SAMARA_STORE_ERROR_LOWERED:
    return "a counter is neither lowered nor erased";
  }
  return "not a result of the store";
}
