// SPDX-License-Identifier: Apache-2.0

// Simon and Speck against Crypto++, an implementation by other people, where it
// has them: blocks of 64 and 128 bits, all their keys, random values. ECB mode
// stands in for the single block: ProcessBlock of Crypto++ 8.7 is wrong for
// 128-bit blocks on processors with SSSE3.

#include "check.h"
#include <cryptopp/modes.h>
#include <cryptopp/simon.h>
#include <cryptopp/speck.h>
#include <samara/suite.h>
#include <vector>

namespace {

template <class Cipher> void compare(const char *slug) {
  const samara_block_cipher *ours = samara_block_cipher_find(slug);
  if (!CHECK(ours != nullptr, "%s", slug)) {
    return;
  }
  std::vector<uint64_t> state((ours->state_size + 7) / 8);
  std::vector<uint8_t> key(ours->key_size);
  std::vector<uint8_t> plaintext(ours->block_size);
  std::vector<uint8_t> got(ours->block_size);
  std::vector<uint8_t> want(ours->block_size);
  for (int i = 0; i < 1000; i++) {
    fill_random(key.data(), key.size());
    fill_random(plaintext.data(), plaintext.size());
    ours->set_key(state.data(), key.data());
    ours->encrypt(state.data(), got.data(), plaintext.data());
    typename CryptoPP::ECB_Mode<Cipher>::Encryption theirs(key.data(),
                                                           key.size());
    theirs.ProcessData(want.data(), plaintext.data(), plaintext.size());
    CHECK_BYTES(got.data(), want.data(), got.size(), slug);
    ours->decrypt(state.data(), got.data(), want.data());
    CHECK_BYTES(got.data(), plaintext.data(), got.size(), slug);
  }
}

} // namespace

int main() {
  compare<CryptoPP::SPECK64>("speck64-96");
  compare<CryptoPP::SPECK64>("speck64-128");
  compare<CryptoPP::SPECK128>("speck128-128");
  compare<CryptoPP::SPECK128>("speck128-192");
  compare<CryptoPP::SPECK128>("speck128-256");
  compare<CryptoPP::SIMON64>("simon64-96");
  compare<CryptoPP::SIMON64>("simon64-128");
  compare<CryptoPP::SIMON128>("simon128-128");
  compare<CryptoPP::SIMON128>("simon128-192");
  compare<CryptoPP::SIMON128>("simon128-256");
  return check_report();
}
