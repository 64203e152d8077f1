// SPDX-License-Identifier: Apache-2.0

// Finding a frame's counter. Arrays are checked by ple_sync.py, which can name
// them; what is checked here is what memory safety needs.

#include "bindings.h"
#include "call.h"

#include <cstring>
#include <string>

#include <samara/memory.h>
#include <samara/ple_interleave.h>
#include <samara/ple_sync.h>

namespace samara::python {

namespace {

// What wide windows take, in bytes of a long message: the GIL is let go.
constexpr size_t search_size = unlocked_size;

// A link whose key goes when it does.
class PleLink {
public:
  PleLink(nb::handle key_object, uint8_t direction, uint16_t link_id) {
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

// (counter, tested, margin), or None.
nb::object answer(bool is_found, const samara_ple_sync_found &found) {
  if (!is_found) {
    return nb::none();
  }
  return nb::make_tuple(found.counter, found.tested, found.margin);
}

const int8_t *soft_values(const Buffer &soft) {
  return reinterpret_cast<const int8_t *>(soft.data());
}

class PleReceiver {
public:
  PleReceiver(nb::handle key, uint8_t direction, uint16_t link_id,
              uint64_t next)
      : link_(key, direction, link_id) {
    samara_ple_sync_init(&sync_, next);
  }

  nb::object search(nb::handle soft_object) const {
    const Buffer soft(soft_object, "soft");
    samara_ple_sync_found found;
    // A copy: another thread may answer meanwhile.
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
  int stage() const { return sync_.stage; }

  nb::list windows() const {
    nb::list windows;
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

nb::object scan(nb::handle key, uint8_t direction, uint16_t link_id,
                uint64_t first, uint32_t count, nb::handle soft_object) {
  const PleLink link(key, direction, link_id);
  const Buffer soft(soft_object, "soft");
  samara_ple_sync_found found;
  const bool is_found = unlocked(search_size, [&] {
    return samara_ple_sync_scan(&found, link.get(), first, count, 0,
                                soft_values(soft), soft.size());
  });
  return answer(is_found, found);
}

nb::bytes nonce(unsigned domain, uint8_t direction, uint16_t link_id,
                uint64_t counter) {
  uint8_t bytes[samara_ple_sync_nonce_size];
  samara_ple_nonce(bytes, static_cast<samara_ple_domain>(domain), direction,
                   link_id, counter);
  return nb::bytes(bytes, sizeof bytes);
}

} // namespace

void bind_ple_sync(nb::module_ &module) {
  nb::class_<PleReceiver>(module, "PleReceiver")
      .def(nb::init<nb::handle, uint8_t, uint16_t, uint64_t>(), any_object,
           nb::arg(), nb::arg(), nb::arg())
      .def("search", &PleReceiver::search, any_object)
      .def("accept", &PleReceiver::accept)
      .def("miss", &PleReceiver::miss)
      .def("windows", &PleReceiver::windows)
      .def_prop_ro("next", &PleReceiver::next)
      .def_prop_ro("stage", &PleReceiver::stage);
  module.def("ple_scan", scan, any_object, nb::arg(), nb::arg(), nb::arg(),
             nb::arg(), any_object);
  module.def("ple_nonce", nonce);
  module.def("ple_stride", samara_ple_stride);
  module.attr("ple_air_version") = static_cast<int>(samara_ple_air_version);
}

} // namespace samara::python
