// SPDX-License-Identifier: Apache-2.0
#ifndef SAMARA_PYTHON_FIFO_H
#define SAMARA_PYTHON_FIFO_H

#include <cstddef>
#include <vector>

namespace samara::python {

// A queue in one piece of memory, which it has none of while it is new: a
// network has several for each node, most of them empty.
template <typename Item> class Fifo {
public:
  bool empty() const { return count_ == 0; }
  bool is_new() const { return ring_.empty(); }
  size_t size() const { return count_; }
  const Item &front() const { return ring_[first_]; }

  void push_back(const Item &item) {
    if (count_ == ring_.size()) {
      grow();
    }
    ring_[(first_ + count_++) & (ring_.size() - 1)] = item;
  }

  void pop_front() {
    first_ = (first_ + 1) & (ring_.size() - 1);
    count_--;
  }

private:
  void grow() { // the size is a power of two
    std::vector<Item> larger(ring_.empty() ? 4 : 2 * ring_.size());
    for (size_t i = 0; i < count_; i++) {
      larger[i] = ring_[(first_ + i) & (ring_.size() - 1)];
    }
    ring_.swap(larger);
    first_ = 0;
  }

  std::vector<Item> ring_;
  size_t first_ = 0;
  size_t count_ = 0;
};

} // namespace samara::python

#endif
