// SPDX-License-Identifier: Apache-2.0

// Block ciphers: single blocks, for tests and experiments.

#include "bindings.h"
#include "call.h"

#include <memory>

#include <samara/memory.h>

namespace samara::python {

namespace {

using Rows = nb::typed<nb::list, samara_block_cipher>;

// An expanded key, wiped at the end of its scope.
class ExpandedKey {
public:
  ExpandedKey(const samara_block_cipher &cipher, const Buffer &key)
      : size_(cipher.state_size),
        words_(new uint64_t[size_ / sizeof(uint64_t) + 1]()) {
    cipher.set_key(words_.get(), key.data());
  }
  ~ExpandedKey() { samara_wipe(words_.get(), size_); }
  ExpandedKey(const ExpandedKey &) = delete;
  ExpandedKey &operator=(const ExpandedKey &) = delete;

  const void *get() const { return words_.get(); }

private:
  size_t size_;
  std::unique_ptr<uint64_t[]> words_;
};

nb::bytes run(const samara_block_cipher &cipher, bool encrypting,
              BytesLike key_object, BytesLike block_object) {
  const Buffer key(key_object, "key");
  const Buffer block(block_object, "block");
  check_size(cipher.slug, "key", cipher.key_size, key.size());
  check_size(cipher.slug, "block", cipher.block_size, block.size());
  const ExpandedKey state(cipher, key);
  nb::bytes output = new_bytes(cipher.block_size);
  const auto function = encrypting ? cipher.encrypt : cipher.decrypt;
  function(state.get(), contents(output), block.data());
  return output;
}

Rows rows() {
  Rows all;
  size_t index = 0;
  while (const samara_block_cipher *row = samara_block_cipher_at(index++)) {
    all.append(nb::cast(row, nb::rv_policy::reference));
  }
  return all;
}

} // namespace

void bind_block_ciphers(nb::module_ &module) {
  using Row = samara_block_cipher;
  nb::class_<Row>(module, "BlockCipherRow",
                  "A block cipher of the registry: a row of samara/suite.h.")
      .def_prop_ro("slug", [](const Row &row) { return row.slug; })
      .def_prop_ro(
          "standing",
          [](const Row &row) { return samara_standing_text(row.standing); })
      .def_prop_ro("source", [](const Row &row) { return row.source; })
      .def_prop_ro("note", [](const Row &row) { return row.note; })
      .def_prop_ro("key_size", [](const Row &row) { return row.key_size; })
      .def_prop_ro("block_size", [](const Row &row) { return row.block_size; })
      .def(
          "encrypt",
          [](const Row &row, BytesLike key, BytesLike block) {
            return run(row, true, key, block);
          },
          bytes_argument("key"), bytes_argument("block"),
          "Encrypt one block. ValueError for another size.")
      .def(
          "decrypt",
          [](const Row &row, BytesLike key, BytesLike block) {
            return run(row, false, key, block);
          },
          bytes_argument("key"), bytes_argument("block"),
          "Decrypt one block. ValueError for another size.");
  module.def("block_cipher_rows", rows,
             "Return all block ciphers, in the order of the registry.");
}

} // namespace samara::python
