// SPDX-License-Identifier: Apache-2.0

// Measures sealing without Python in between: a call from Python takes longer
// than sealing a short message.

#include "bindings.h"
#include "call.h"

#include <samara/grain128ple.h>

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

  const char *name() const { return suite.slug; }

  const samara_suite &suite;
  std::vector<uint8_t> key;
  std::vector<uint8_t> nonce;
  std::vector<uint8_t> message;
  std::vector<uint8_t> ciphertext;
};

// The messages of one batch, each with its own key, nonce and memory.
struct Batch {
  Batch(const samara_suite &used, size_t message_size, size_t count)
      : suite(used), messages(count) {
    const size_t sealed = ciphertext_size(used, message_size) + used.tag_size;
    memory.resize(count *
                  (used.key_size + used.nonce_size + message_size + sealed));
    uint8_t *at = memory.data();
    for (size_t i = 0; i < count; i++) {
      samara_batch_message &message = messages[i];
      at[0] = static_cast<uint8_t>(i); // of the key
      message.key = at;
      message.nonce = at += used.key_size;
      message.nonce_size = used.nonce_size;
      message.input = at += used.nonce_size;
      message.input_size = message_size;
      message.output = at += message_size;
      at += sealed;
      message.tag = at - used.tag_size;
    }
  }

  samara_result seal() {
    return samara_suite_seal_batch(&suite, messages.data(), messages.size());
  }

  const char *name() const { return suite.slug; }

  const samara_suite &suite;
  std::vector<uint8_t> memory;
  std::vector<samara_batch_message> messages;
};

// Keystreams of Grain-128PLE, each with its own key, nonce and memory.
struct Keystreams {
  Keystreams(size_t size, size_t count) : streams(count) {
    const size_t each =
        samara_grain128ple_key_size + samara_grain128ple_nonce_size + size;
    memory.resize(count * each);
    for (size_t i = 0; i < count; i++) {
      uint8_t *at = memory.data() + i * each;
      at[0] = static_cast<uint8_t>(i); // of the key
      streams[i].key = at;
      streams[i].nonce = at += samara_grain128ple_key_size;
      streams[i].keystream = at + samara_grain128ple_nonce_size;
      streams[i].bit_count = 8 * size;
    }
  }

  samara_result seal() {
    samara_grain128ple_keystream_batch(streams.data(), streams.size());
    return SAMARA_OK;
  }

  static const char *name() { return "grain128ple"; }

  std::vector<uint8_t> memory;
  std::vector<samara_batch_keystream> streams;
};

void check_batch(size_t size, size_t count) {
  constexpr size_t count_max = 65536;
  constexpr size_t size_max = 65536;
  if (count > count_max || size > size_max) {
    raise_value_error("a batch to be timed has at most 65,536 messages of "
                      "65,536 bytes");
  }
}

// How long it takes to seal `repetitions` times, without the GIL.
template <typename Work> Timing time_of(Work &work, size_t repetitions) {
  using Clock = std::chrono::steady_clock;
  samara_result result = SAMARA_OK;
  Clock::duration elapsed{};
  uint64_t elapsed_ticks = 0;
  {
    nb::gil_scoped_release release;
    const Clock::time_point start = Clock::now();
    const uint64_t start_ticks = ticks();
    for (size_t i = 0; i < repetitions && result == SAMARA_OK; i++) {
      result = work.seal();
    }
    elapsed_ticks = ticks() - start_ticks;
    elapsed = Clock::now() - start;
  }
  check(work.name(), result);
  const auto nanoseconds =
      std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count();
  return {nanoseconds, elapsed_ticks};
}

} // namespace

Timing time_seal(const samara_suite &suite, size_t message_size,
                 size_t repetitions) {
  Call call(suite, message_size);
  return time_of(call, repetitions);
}

Timing time_seal_batch(const samara_suite &suite, size_t message_size,
                       size_t count, size_t repetitions) {
  check_batch(message_size, count);
  Batch batch(suite, message_size, count);
  return time_of(batch, repetitions);
}

Timing time_keystream_batch(size_t size, size_t count, size_t repetitions) {
  check_batch(size, count);
  Keystreams keystreams(size, count);
  return time_of(keystreams, repetitions);
}

} // namespace samara::python
