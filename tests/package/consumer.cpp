// SPDX-License-Identifier: Apache-2.0

// The headers serve C++ as they are.

#include <array>
#include <cstdio>
#include <samara/samara.h>
#include <samara/suite.h>

int main() {
  const std::array<uint8_t, samara_ascon_aead128_key_size> key{1, 2, 3};
  const std::array<uint8_t, samara_ascon_aead128_nonce_size> nonce{4, 5, 6};
  const std::array<uint8_t, 5> message{'h', 'e', 'l', 'l', 'o'};
  std::array<uint8_t, message.size()> text{};
  std::array<uint8_t, samara_ascon_aead128_tag_size> tag{};

  samara_result result = samara_ascon_aead128_seal(
      key.data(), text.data(), tag.data(), nonce.data(), nullptr, 0,
      message.data(), message.size());
  if (result == SAMARA_OK) {
    result = samara_ascon_aead128_open(key.data(), text.data(), tag.data(),
                                       nonce.data(), nullptr, 0, text.data(),
                                       text.size());
  }
  if (result != SAMARA_OK || text != message) {
    std::fprintf(stderr, "ascon-aead128: %s\n", samara_result_text(result));
    return 1;
  }
  return 0;
}
