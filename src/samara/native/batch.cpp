// SPDX-License-Identifier: Apache-2.0

// Suites: many messages in one call of the C library.

#include "bindings.h"
#include "call.h"

#include <string>
#include <vector>

namespace samara::python {

namespace {

// One message of a batch: a tuple of key, nonce, message (or sealed message)
// and associated data.
struct Job {
  Job(const samara_suite &suite, const nb::tuple &item, const char *role)
      : given(suite, nb::handle(item[0]), nb::handle(item[1]),
              nb::handle(item[3])),
        input(nb::handle(item[2]), role) {}

  Parameters given;
  Buffer input;
  nb::bytes output = nb::steal<nb::bytes>(nb::handle());
};

std::vector<Job> jobs_of(const samara_suite &suite, const nb::list &messages,
                         const char *role) {
  std::vector<Job> jobs;
  jobs.reserve(messages.size());
  for (const nb::handle item : messages) {
    jobs.emplace_back(suite, nb::cast<nb::tuple>(item), role);
  }
  return jobs;
}

samara_batch_message entry_of(const Job &job) {
  samara_batch_message entry{};
  entry.key = job.given.key.data();
  entry.nonce = job.given.nonce.data();
  entry.nonce_size = job.given.nonce.size();
  entry.associated_data = job.given.associated_data.data();
  entry.associated_data_size = job.given.associated_data.size();
  entry.input = job.input.data();
  entry.input_size = job.input.size();
  return entry;
}

size_t work_of(const std::vector<samara_batch_message> &entries) {
  size_t work = 0;
  for (const samara_batch_message &entry : entries) {
    work += entry.input_size + entry.associated_data_size;
  }
  return work;
}

// The result of the batch tells only whether all succeeded. The result of each
// message is checked instead.
template <typename Batch>
void run(const samara_suite &suite, Batch batch,
         std::vector<samara_batch_message> &entries) {
  const samara_result first = unlocked(work_of(entries), [&] {
    return batch(&suite, entries.data(), entries.size());
  });
  static_cast<void>(first);
}

} // namespace

nb::typed<nb::list, nb::bytes> seal_batch(const samara_suite &suite,
                                          const BatchMessages &messages) {
  std::vector<Job> jobs = jobs_of(suite, messages, "message");
  std::vector<samara_batch_message> entries;
  entries.reserve(jobs.size());
  for (Job &job : jobs) {
    const size_t size = ciphertext_size(suite, job.input.size());
    job.output = new_bytes(size + suite.tag_size);
    samara_batch_message &entry = entries.emplace_back(entry_of(job));
    entry.output = contents(job.output);
    entry.tag = entry.output + size;
  }
  run(suite, samara_suite_seal_batch, entries);
  nb::typed<nb::list, nb::bytes> sealed;
  for (size_t index = 0; index < jobs.size(); index++) {
    check(suite.slug, entries[index].result);
    sealed.append(jobs[index].output);
  }
  return sealed;
}

nb::typed<nb::list, std::optional<nb::bytes>>
open_batch(const samara_suite &suite, const BatchMessages &messages) {
  std::vector<Job> jobs = jobs_of(suite, messages, "sealed");
  // A message that is too short for a tag gets no entry. It is refused below.
  std::vector<samara_batch_message> entries;
  std::vector<uint8_t *> tags;
  entries.reserve(jobs.size());
  for (Job &job : jobs) {
    if (job.input.size() < suite.tag_size) {
      continue;
    }
    const size_t size = job.input.size() - suite.tag_size;
    job.output = new_bytes(size);
    samara_batch_message &entry = entries.emplace_back(entry_of(job));
    entry.input_size = size;
    entry.output = contents(job.output);
    // Opening only reads the tag; the structure serves sealing too.
    entry.tag = const_cast<uint8_t *>(entry.input) + size;
  }
  run(suite, samara_suite_open_batch, entries);
  nb::typed<nb::list, std::optional<nb::bytes>> opened;
  auto entry = entries.begin();
  for (Job &job : jobs) {
    if (!job.output.is_valid()) {
      opened.append(nb::none());
      continue;
    }
    if (not_authentic(entry->result)) {
      opened.append(nb::none());
    } else {
      check(suite.slug, entry->result);
      opened.append(shortened(std::move(job.output), entry->output_size));
    }
    ++entry;
  }
  return opened;
}

} // namespace samara::python
