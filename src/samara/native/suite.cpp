// SPDX-License-Identifier: Apache-2.0

// Suites: the rows of the registry, and messages in one call.

#include "bindings.h"
#include "call.h"

#include <string>

namespace samara::python {

namespace {

// A larger maximum is a limit of arithmetic. Errors do not mention it.
constexpr size_t longest_nonce_told = 65535;

std::string nonce_sizes_text(const samara_suite &suite) {
  const std::string least = std::to_string(suite.nonce_size_min);
  if (suite.nonce_size_min == suite.nonce_size_max) {
    return least + " bytes";
  }
  if (suite.nonce_size_max > longest_nonce_told) {
    return "at least " + least +
           (suite.nonce_size_min == 1 ? " byte" : " bytes");
  }
  return least + " to " + std::to_string(suite.nonce_size_max) + " bytes";
}

void check_nonce_size(const samara_suite &suite, size_t given) {
  if (given < suite.nonce_size_min || given > suite.nonce_size_max) {
    raise_value_error(std::string(suite.slug) + " takes a nonce of " +
                      nonce_sizes_text(suite) + ", not " +
                      std::to_string(given));
  }
}

void check_room(const samara_suite &suite, size_t needed, size_t given) {
  if (given < needed) {
    raise_value_error(std::string(suite.slug) + " needs an output of " +
                      std::to_string(needed) + " bytes, not " +
                      std::to_string(given));
  }
}

// ValueError unless both begin at the same byte or have no byte in common.
void check_in_place(const samara_suite &suite, const uint8_t *output,
                    size_t output_size, const Buffer &input) {
  if (output != input.data() &&
      overlap(output, output_size, input.data(), input.size())) {
    check(suite.slug, SAMARA_ERROR_OVERLAP);
  }
}

void seal_to(const samara_suite &suite, uint8_t *output, size_t size,
             const Parameters &given, const Buffer &message) {
  check(
      suite.slug, unlocked(message.size() + given.associated_data.size(), [&] {
        return samara_suite_seal(
            &suite, given.key.data(), output, output + size, given.nonce.data(),
            given.nonce.size(), given.associated_data.data(),
            given.associated_data.size(), message.data(), message.size());
      }));
}

size_t open_to(const samara_suite &suite, uint8_t *output,
               const Parameters &given, const Buffer &sealed) {
  const size_t size = sealed.size() - suite.tag_size;
  size_t message_size = 0;
  check(suite.slug, unlocked(size + given.associated_data.size(), [&] {
          return samara_suite_open(
              &suite, given.key.data(), output, &message_size,
              sealed.data() + size, given.nonce.data(), given.nonce.size(),
              given.associated_data.data(), given.associated_data.size(),
              sealed.data(), size);
        }));
  return message_size;
}

nb::bytes seal(const samara_suite &suite, BytesLike key, BytesLike nonce,
               BytesLike message_object, BytesLike associated_data) {
  const Parameters given(suite, key, nonce, associated_data);
  const Buffer message(message_object, "message");
  const size_t size = ciphertext_size(suite, message.size());
  nb::bytes output = new_bytes(size + suite.tag_size);
  seal_to(suite, contents(output), size, given, message);
  return output;
}

// No sealer makes a message shorter than its tag: it is refused as a forgery.
void check_holds_tag(const samara_suite &suite, const Buffer &sealed) {
  if (sealed.size() < suite.tag_size) {
    raise_authentication_error();
  }
}

nb::bytes open(const samara_suite &suite, BytesLike key, BytesLike nonce,
               BytesLike sealed_object, BytesLike associated_data) {
  const Parameters given(suite, key, nonce, associated_data);
  const Buffer sealed(sealed_object, "sealed");
  check_holds_tag(suite, sealed);
  nb::bytes output = new_bytes(sealed.size() - suite.tag_size);
  const size_t size = open_to(suite, contents(output), given, sealed);
  return shortened(std::move(output), size);
}

size_t seal_into(const samara_suite &suite, BytesLike output_object,
                 BytesLike key, BytesLike nonce, BytesLike message_object,
                 BytesLike associated_data) {
  const Parameters given(suite, key, nonce, associated_data);
  const Buffer message(message_object, "message");
  const Buffer output(output_object, "output", Access::write);
  const size_t size = ciphertext_size(suite, message.size());
  const size_t written = size + suite.tag_size;
  check_room(suite, written, output.size());
  check_in_place(suite, output.data(), written, message);
  given.refuse_overlap(suite.slug, output.data(), written);
  seal_to(suite, output.writable(), size, given, message);
  return written;
}

size_t open_into(const samara_suite &suite, BytesLike output_object,
                 BytesLike key, BytesLike nonce, BytesLike sealed_object,
                 BytesLike associated_data) {
  const Parameters given(suite, key, nonce, associated_data);
  const Buffer sealed(sealed_object, "sealed");
  const Buffer output(output_object, "output", Access::write);
  check_holds_tag(suite, sealed);
  const size_t written = sealed.size() - suite.tag_size;
  check_room(suite, written, output.size());
  check_in_place(suite, output.data(), written, sealed);
  given.refuse_overlap(suite.slug, output.data(), written);
  return open_to(suite, output.writable(), given, sealed);
}

size_t sealed_size(const samara_suite &suite, size_t message_size) {
  return ciphertext_size(suite, message_size) + suite.tag_size;
}

nb::typed<nb::list, samara_suite> rows() {
  nb::typed<nb::list, samara_suite> all;
  size_t index = 0;
  while (const samara_suite *row = samara_suite_at(index++)) {
    all.append(nb::cast(row, nb::rv_policy::reference));
  }
  return all;
}

void bind_fields(nb::class_<samara_suite> &type) {
  using Row = samara_suite;
  type.def_prop_ro("slug", [](const Row &row) { return row.slug; })
      .def_prop_ro(
          "standing",
          [](const Row &row) { return samara_standing_text(row.standing); })
      .def_prop_ro("source", [](const Row &row) { return row.source; })
      .def_prop_ro("note", [](const Row &row) { return row.note; })
      .def_prop_ro("key_size", [](const Row &row) { return row.key_size; })
      .def_prop_ro("nonce_size", [](const Row &row) { return row.nonce_size; })
      .def_prop_ro("nonce_size_min",
                   [](const Row &row) { return row.nonce_size_min; })
      .def_prop_ro("nonce_size_max",
                   [](const Row &row) { return row.nonce_size_max; })
      .def_prop_ro("tag_size", [](const Row &row) { return row.tag_size; })
      .def_prop_ro("padding_size",
                   [](const Row &row) { return row.padding_size; })
      .def_prop_ro("streams",
                   [](const Row &row) { return row.stream != nullptr; });
}

void bind_calls(nb::class_<samara_suite> &type) {
  const auto key = bytes_argument("key");
  const auto nonce = bytes_argument("nonce");
  const auto message = bytes_argument("message");
  const auto sealed = bytes_argument("sealed");
  const auto associated_data = bytes_argument("associated_data");
  const auto output = bytes_argument("output");
  type.def("sealed_size", sealed_size, nb::arg("message_size"),
           "Return the size of a sealed message: ciphertext and tag.")
      .def("seal", seal, key, nonce, message, associated_data,
           "Return ciphertext and tag.")
      .def("open", open, key, nonce, sealed, associated_data,
           "Return the message. AuthenticationError when it is not genuine.")
      .def("seal_into", seal_into, output, key, nonce, message, associated_data,
           "Seal into a writable buffer; return how many bytes were written.")
      .def("open_into", open_into, output, key, nonce, sealed, associated_data,
           "Open into a writable buffer; return how many bytes were written.")
      .def("seal_batch", seal_batch, nb::arg("messages"),
           "Seal tuples of key, nonce, message and associated data.")
      .def("open_batch", open_batch, nb::arg("messages"),
           "Open tuples of key, nonce, sealed message and associated data;\n"
           "None stands for a message that is not genuine.")
      .def("time_seal", time_seal, nb::arg("message_size"),
           nb::arg("repetitions"),
           "Seal messages of one size, one after the other, each with its own\n"
           "key set-up; return how long they took together.")
      .def("time_seal_batch", time_seal_batch, nb::arg("message_size"),
           nb::arg("count"), nb::arg("repetitions"),
           "Seal batches of `count` messages of one size, each message with "
           "its\n"
           "own key; return how long they took together.");
}

} // namespace

Parameters::Parameters(const samara_suite &suite, BytesLike key_object,
                       BytesLike nonce_object, BytesLike associated_data_object)
    : key(key_object, "key"), nonce(nonce_object, "nonce"),
      associated_data(associated_data_object, "associated_data") {
  check_size(suite.slug, "key", suite.key_size, key.size());
  check_nonce_size(suite, nonce.size());
  if (suite.tag_size == 0 && associated_data.size() != 0) {
    raise_value_error(std::string(suite.slug) +
                      " does not authenticate and takes no associated data");
  }
}

void Parameters::refuse_overlap(const char *slug, const uint8_t *output,
                                size_t output_size) const {
  for (const Buffer *input : {&key, &nonce, &associated_data}) {
    if (overlap(output, output_size, input->data(), input->size())) {
      check(slug, SAMARA_ERROR_OVERLAP);
    }
  }
}

size_t ciphertext_size(const samara_suite &suite, size_t message_size) {
  const size_t size = samara_suite_ciphertext_size(&suite, message_size);
  if (size < message_size) {
    check(suite.slug, SAMARA_ERROR_MESSAGE_SIZE);
  }
  return size;
}

void bind_suites(nb::module_ &module) {
  nb::class_<Timing>(module, "Timing",
                     "How long a number of calls took together.")
      .def_ro("nanoseconds", &Timing::nanoseconds, "Of the steady clock.")
      .def_ro("ticks", &Timing::ticks,
              "Of the processor's time stamp counter; 0 where there is none.");
  nb::class_<samara_suite> type(
      module, "SuiteRow", "A suite of the registry: a row of samara/suite.h.");
  bind_fields(type);
  bind_calls(type);
  module.def("suite_rows", rows,
             "Return all suites, in the order of the registry.");
}

} // namespace samara::python
