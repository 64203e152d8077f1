// SPDX-License-Identifier: Apache-2.0

// Measures sealing without Python in between: a call from Python takes longer
// than sealing a short message.

#include "bindings.h"
#include "call.h"

#include <chrono>
#include <vector>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace samara::python {

namespace {

uint64_t ticks() {
#if defined(__x86_64__)
  return __rdtsc();
#else
  return 0;
#endif
}

// The arguments of one call of seal, all zeros: the time of the ciphers does
// not depend on their data.
struct Call {
  Call(const samara_suite &used, size_t message_size)
      : suite(used), key(used.key_size), nonce(used.nonce_size),
        message(message_size),
        ciphertext(ciphertext_size(used, message_size) + used.tag_size) {}

  samara_result seal() {
    return samara_suite_seal(
        &suite, key.data(), ciphertext.data(),
        ciphertext.data() + ciphertext.size() - suite.tag_size, nonce.data(),
        nonce.size(), nullptr, 0, message.data(), message.size());
  }

  const samara_suite &suite;
  std::vector<uint8_t> key;
  std::vector<uint8_t> nonce;
  std::vector<uint8_t> message;
  std::vector<uint8_t> ciphertext;
};

} // namespace

Timing time_seal(const samara_suite &suite, size_t message_size,
                 size_t repetitions) {
  using Clock = std::chrono::steady_clock;
  Call call(suite, message_size);
  samara_result result = SAMARA_OK;
  Clock::duration elapsed{};
  uint64_t elapsed_ticks = 0;
  {
    nb::gil_scoped_release release;
    const Clock::time_point start = Clock::now();
    const uint64_t start_ticks = ticks();
    for (size_t i = 0; i < repetitions && result == SAMARA_OK; i++) {
      result = call.seal();
    }
    elapsed_ticks = ticks() - start_ticks;
    elapsed = Clock::now() - start;
  }
  check(suite.slug, result);
  const auto nanoseconds =
      std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count();
  return {nanoseconds, elapsed_ticks};
}

} // namespace samara::python
