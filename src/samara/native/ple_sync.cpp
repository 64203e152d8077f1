// SPDX-License-Identifier: Apache-2.0

// Search for the frame counter. ple_sync.py checks the types of arrays. Checked
// here is what memory safety needs.

#include "bindings.h"
#include "call.h"

#include <cstring>
#include <optional>
#include <string>

#include <samara/memory.h>
#include <samara/ple_interleave.h>
#include <samara/ple_sync.h>

namespace samara::python {

namespace {

// A search of a wide window takes as long as a long message: it releases the
// GIL.
constexpr size_t search_size = unlocked_size;

// A link, whose key is wiped with it.
class PleLink {
public:
  PleLink(BytesLike key_object, uint8_t direction, uint16_t link_id) {
    const Buffer key(key_object, "key");
    check_size("grain128ple", "key", samara_ple_sync_key_size, key.size());
    std::memcpy(link_.key, key.data(), samara_ple_sync_key_size);
    link_.direction = direction;
    link_.link_id = link_id;
  }

  ~PleLink() { samara_wipe(&link_, sizeof link_); }
  PleLink(const PleLink &) = delete;
  PleLink &operator=(const PleLink &) = delete;

  const samara_ple_link *get() const { return &link_; }

private:
  samara_ple_link link_;
};

// What a search proposes. The C library's margin is in 1/256.
struct Found {
  uint64_t counter;
  uint32_t tested;
  double margin;
};

std::optional<Found> answer(bool is_found, const samara_ple_sync_found &found) {
  if (!is_found) {
    return std::nullopt;
  }
  return Found{found.counter, found.tested, found.margin / 256.0};
}

const int8_t *soft_values(const Buffer &soft) {
  return reinterpret_cast<const int8_t *>(soft.data());
}

// The first counter of each window, and how many it has.
using Windows = nb::typed<nb::list, nb::typed<nb::tuple, uint64_t, uint32_t>>;

class PleReceiver {
public:
  PleReceiver(BytesLike key, uint8_t direction, uint16_t link_id, uint64_t next)
      : link_(key, direction, link_id) {
    samara_ple_sync_init(&sync_, next);
  }

  std::optional<Found> search(BytesLike soft_object) const {
    const Buffer soft(soft_object, "soft");
    samara_ple_sync_found found;
    // A copy: another thread may call accept or miss meanwhile.
    const samara_ple_sync sync = sync_;
    const bool is_found = unlocked(search_size, [&] {
      return samara_ple_sync_search(&sync, &found, link_.get(),
                                    soft_values(soft), soft.size());
    });
    return answer(is_found, found);
  }

  void accept(uint64_t counter) {
    if (samara_ple_sync_accept(&sync_, counter) != SAMARA_OK) {
      raise_value_error("counter " + std::to_string(counter) +
                        " cannot be accepted: the next one is " +
                        std::to_string(sync_.next));
    }
  }

  void miss() { samara_ple_sync_miss(&sync_); }
  uint64_t next() const { return sync_.next; }
  samara_ple_sync_stage stage() const { return sync_.stage; }

  Windows windows() const {
    Windows windows;
    uint64_t first = 0;
    for (unsigned i = 0;; i++) {
      const uint32_t count = samara_ple_sync_window(&sync_, i, &first);
      if (count == 0) {
        return windows;
      }
      windows.append(nb::make_tuple(first, count));
    }
  }

private:
  PleLink link_;
  samara_ple_sync sync_;
};

std::optional<Found> scan(BytesLike key, uint8_t direction, uint16_t link_id,
                          uint64_t first, uint32_t count,
                          BytesLike soft_object) {
  const PleLink link(key, direction, link_id);
  const Buffer soft(soft_object, "soft");
  samara_ple_sync_found found;
  const bool is_found = unlocked(search_size, [&] {
    return samara_ple_sync_scan(&found, link.get(), first, count, 0,
                                soft_values(soft), soft.size());
  });
  return answer(is_found, found);
}

nb::bytes nonce(samara_ple_domain domain, uint8_t direction, uint16_t link_id,
                uint64_t counter) {
  uint8_t bytes[samara_ple_sync_nonce_size];
  samara_ple_nonce(bytes, domain, direction, link_id, counter);
  return nb::bytes(bytes, sizeof bytes);
}

void bind_values(nb::module_ &module) {
  nb::enum_<samara_ple_domain>(module, "Domain", nb::is_arithmetic(),
                               "What a nonce is for.")
      .value("KEYSTREAM", samara_ple_domain_keystream)
      .value("TAG", samara_ple_domain_tag);
  nb::enum_<samara_ple_sync_stage>(module, "Stage", nb::is_arithmetic(),
                                   "How far a receiver looks.")
      .value("LOCKED", samara_ple_sync_locked)
      .value("WIDE", samara_ple_sync_wide)
      .value("COLD", samara_ple_sync_cold);
  nb::class_<Found>(module, "Found",
                    "What a search proposes; the frame's tag decides.")
      .def(
          "__init__",
          [](Found *found, uint64_t counter, uint32_t tested, double margin) {
            new (found) Found{counter, tested, margin};
          },
          nb::arg("counter"), nb::arg("tested"), nb::arg("margin"))
      .def_ro("counter", &Found::counter, "The frame's counter.")
      .def_ro("tested", &Found::tested, "Candidates of the search.")
      .def_ro("margin", &Found::margin,
              "By how much the likelihood ratio is above its threshold, as a\n"
              "natural logarithm.");
}

void bind_receiver(nb::module_ &module) {
  nb::class_<PleReceiver>(module, "PleReceiver",
                          "One direction of a link, at the end that receives.")
      .def(nb::init<BytesLike, uint8_t, uint16_t, uint64_t>(),
           bytes_argument("key"), nb::kw_only(), nb::arg("direction"),
           nb::arg("link_id"), nb::arg("next_counter") = 0)
      .def("search_bytes", &PleReceiver::search, bytes_argument("soft"),
           "Return the counter that explains the soft values (int8) of one\n"
           "frame, if any. Nothing changes before accept or miss is called.")
      .def("accept", &PleReceiver::accept, nb::arg("counter"),
           "Tell that the tag was right under `counter`. ValueError when the\n"
           "counter is below next_counter, or is the last one, 2^64 - 1.")
      .def("miss", &PleReceiver::miss,
           "Tell that nothing was found, or that the tag was wrong.")
      .def_prop_ro("windows", &PleReceiver::windows,
                   "The first counter, and how many, of each window that the\n"
                   "next search looks at.")
      .def_prop_ro("next_counter", &PleReceiver::next,
                   "The lowest counter that may be accepted.")
      .def_prop_ro("stage", &PleReceiver::stage,
                   "How far the next search looks.");
}

} // namespace

void bind_ple_sync(nb::module_ &module) {
  bind_values(module);
  bind_receiver(module);
  module.def("ple_scan", scan, bytes_argument("key"), nb::kw_only(),
             nb::arg("direction"), nb::arg("link_id"), nb::arg("first"),
             nb::arg("count"), bytes_argument("soft"),
             "Search `count` counters from `first` on, without a receiver.");
  module.def("ple_nonce", nonce, nb::arg("domain"), nb::arg("direction"),
             nb::arg("link_id"), nb::arg("counter"),
             "Return the nonce of a frame.");
  module.def("ple_stride", samara_ple_stride, nb::arg("count"),
             "Return how many places coded bits that follow one another are\n"
             "apart on the air, in a frame with `count` of them.");
}

} // namespace samara::python
