/* SPDX-License-Identifier: Apache-2.0 */
#include <samara/6lowpan.h>

/* Name and sentence of each code, for both functions below. */
#define LOWPAN_RESULTS(ROW)                                                    \
  ROW(OK, "ok", "done")                                                        \
  ROW(ERROR_PACKET, "packet",                                                  \
      "it is not an IPv6 packet, or its length field is wrong")                \
  ROW(ERROR_SIZE, "size",                                                      \
      "the packet is longer than 1280 bytes, or frames are too short for it")  \
  ROW(ERROR_TRUNCATED, "truncated", "the payload ends within a header")        \
  ROW(ERROR_DISPATCH, "dispatch",                                              \
      "the payload is not 6LoWPAN, or of a kind that is not supported")        \
  ROW(ERROR_ENCODING, "encoding",                                              \
      "a compressed header uses reserved values or contradicts itself")        \
  ROW(ERROR_CONTEXT, "context",                                                \
      "a compressed header needs an unknown context")                          \
  ROW(ERROR_FRAGMENT, "fragment", "a fragment contradicts one before it")      \
  ROW(ERROR_FULL, "full", "too many packets are incomplete")

const char *samara_6lowpan_result_text(samara_6lowpan_result result) {
#define LOWPAN_TEXT(code, name, text)                                          \
  case SAMARA_6LOWPAN_##code:                                                  \
    return text;
  switch (result) { LOWPAN_RESULTS(LOWPAN_TEXT) }
  return "not a result of 6LoWPAN";
}

const char *samara_6lowpan_result_name(samara_6lowpan_result result) {
#define LOWPAN_NAME(code, name, text)                                          \
  case SAMARA_6LOWPAN_##code:                                                  \
    return name;
  switch (result) { LOWPAN_RESULTS(LOWPAN_NAME) }
  return "unknown";
}
