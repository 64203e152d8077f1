// SPDX-License-Identifier: Apache-2.0
//
// Encrypts single blocks with Crypto++, for make-vectors: an implementation
// that shares nothing with core/.
//
// Reads lines "<cipher> <key> <block>" (aes, simon128 or speck128; the rest in
// hexadecimal) and answers each with a line that holds the encrypted block.
//
// Crypto++ 8.7 takes keys and blocks of Simon and Speck in the byte order of
// the designers' implementation guide, which is ours. It must be asked for
// them through ECB_Mode: on machines with SSSE3 the key schedule is laid out
// for the vector code that ECB_Mode calls, and ProcessBlock, which reads it
// too, gives wrong answers. make-vectors checks the designers' answers first.

#include <iostream>
#include <stdexcept>
#include <string>

#include <cryptopp/aes.h>
#include <cryptopp/hex.h>
#include <cryptopp/modes.h>
#include <cryptopp/simon.h>
#include <cryptopp/speck.h>

namespace {

using CryptoPP::byte;

std::string decode_hex(const std::string &text) {
  std::string bytes;
  CryptoPP::StringSource source(
      text, true, new CryptoPP::HexDecoder(new CryptoPP::StringSink(bytes)));
  return bytes;
}

std::string encode_hex(const std::string &bytes) {
  std::string text;
  CryptoPP::StringSource source(
      bytes, true,
      new CryptoPP::HexEncoder(new CryptoPP::StringSink(text), false));
  return text;
}

template <class Cipher>
std::string encrypt(const std::string &key, const std::string &block) {
  typename CryptoPP::ECB_Mode<Cipher>::Encryption ecb(
      reinterpret_cast<const byte *>(key.data()), key.size());
  std::string output(block.size(), '\0');
  ecb.ProcessData(reinterpret_cast<byte *>(&output[0]),
                  reinterpret_cast<const byte *>(block.data()), block.size());
  return output;
}

std::string encrypt_with(const std::string &cipher, const std::string &key,
                         const std::string &block) {
  if (cipher == "aes")
    return encrypt<CryptoPP::AES>(key, block);
  if (cipher == "simon128")
    return encrypt<CryptoPP::SIMON128>(key, block);
  if (cipher == "speck128")
    return encrypt<CryptoPP::SPECK128>(key, block);
  throw std::invalid_argument("unknown cipher " + cipher);
}

} // namespace

int main() {
  std::string cipher, key, block;
  try {
    while (std::cin >> cipher >> key >> block)
      std::cout << encode_hex(
                       encrypt_with(cipher, decode_hex(key), decode_hex(block)))
                << std::endl;
  } catch (const std::exception &error) {
    std::cerr << "blocks: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
