// SPDX-License-Identifier: Apache-2.0

// Suites: messages in pieces.

#include "bindings.h"
#include "call.h"

#include <algorithm>
#include <memory>
#include <string>

#include <samara/memory.h>

namespace samara::python {

namespace {

// The most bytes that a stream holds back between two pieces.
constexpr size_t held_back = 16;

class Stream {
public:
  Stream(const samara_suite &suite, BytesLike key, BytesLike nonce,
         BytesLike associated_data, bool opening)
      : suite_(suite) {
    if (suite.stream == nullptr) {
      raise_value_error(std::string(suite.slug) + " cannot work in pieces");
    }
    const Parameters given(suite, key, nonce, associated_data);
    words_.reset(new uint64_t[words()]());
    check(suite.slug,
          suite.stream->init(&suite, words_.get(), opening, given.key.data(),
                             given.nonce.data(), given.nonce.size(),
                             given.associated_data.data(),
                             given.associated_data.size()));
  }

  ~Stream() { samara_wipe(words_.get(), words() * sizeof(uint64_t)); }
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;

  nb::bytes update(BytesLike piece_object) {
    const Buffer piece(piece_object, "piece");
    const Exclusive guard(busy_);
    check_going_on();
    nb::bytes output = new_bytes(piece.size() + held_back);
    size_t size = 0;
    const samara_result result = unlocked(piece.size(), [&] {
      return suite_.stream->update(words_.get(), contents(output), &size,
                                   piece.data(), piece.size());
    });
    over_ = result != SAMARA_OK;
    check(suite_.slug, result);
    return shortened(std::move(output), size);
  }

  nb::bytes finish_sealing() {
    const Exclusive guard(busy_);
    check_going_on();
    const std::unique_ptr<uint8_t[]> tag(new uint8_t[suite_.tag_size + 1]());
    nb::bytes output = new_bytes(held_back + suite_.tag_size);
    size_t size = 0;
    over_ = true;
    check(suite_.slug, suite_.stream->finish(words_.get(), contents(output),
                                             &size, tag.get()));
    std::copy_n(tag.get(), suite_.tag_size, contents(output) + size);
    return shortened(std::move(output), size + suite_.tag_size);
  }

  nb::bytes finish_opening(BytesLike tag_object) {
    const Buffer tag(tag_object, "tag");
    const Exclusive guard(busy_);
    check_going_on();
    // A sealed message that ends before its tag is complete is truncated. It is
    // refused like a wrong tag, after finish has wiped the state.
    const std::unique_ptr<uint8_t[]> given(new uint8_t[suite_.tag_size + 1]());
    std::copy_n(tag.data(), std::min(tag.size(), suite_.tag_size), given.get());
    nb::bytes output = new_bytes(held_back);
    size_t size = 0;
    over_ = true;
    check(suite_.slug, suite_.stream->finish(words_.get(), contents(output),
                                             &size, given.get()));
    if (tag.size() != suite_.tag_size) {
      raise_authentication_error();
    }
    return shortened(std::move(output), size);
  }

private:
  // A wiped state must not be passed to C again.
  void check_going_on() const {
    if (over_) {
      check(suite_.slug, SAMARA_ERROR_STATE);
    }
  }

  size_t words() const {
    return suite_.stream == nullptr
               ? 0
               : suite_.stream->state_size / sizeof(uint64_t) + 1;
  }

  const samara_suite &suite_;
  bool busy_ = false;
  bool over_ = false;
  std::unique_ptr<uint64_t[]> words_;
};

} // namespace

void bind_streams(nb::module_ &module) {
  nb::class_<Stream>(
      module, "Stream",
      "A message that is sealed or opened in pieces. RuntimeError when two\n"
      "threads use it at once.")
      .def(nb::init<const samara_suite &, BytesLike, BytesLike, BytesLike,
                    bool>(),
           nb::arg("suite"), bytes_argument("key"), bytes_argument("nonce"),
           bytes_argument("associated_data"), nb::kw_only(), nb::arg("opening"),
           "ValueError for a size that the suite does not accept, and for a\n"
           "suite that cannot work in pieces.")
      .def("update", &Stream::update, bytes_argument("piece"),
           "Process the next piece; return its output.")
      .def("finish_sealing", &Stream::finish_sealing,
           "Return what was held back, and the tag.")
      .def("finish_opening", &Stream::finish_opening, bytes_argument("tag"),
           "Check the tag; return what was held back.");
}

} // namespace samara::python
