// SPDX-License-Identifier: Apache-2.0
#ifndef SAMARA_PYTHON_NODE_LISTS_H
#define SAMARA_PYTHON_NODE_LISTS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace samara::python {

using NodeNumber = uint32_t;

// A list of nodes for each of several nodes, one behind the other in one piece
// of memory. Several may have the same.
class NodeLists {
public:
  class List {
  public:
    List(const NodeNumber *first, const NodeNumber *last)
        : first_(first), last_(last) {}
    const NodeNumber *begin() const { return first_; }
    const NodeNumber *end() const { return last_; }
    size_t size() const { return static_cast<size_t>(last_ - first_); }
    NodeNumber operator[](size_t i) const { return first_[i]; }

  private:
    const NodeNumber *first_;
    const NodeNumber *last_;
  };

  // The list of the next node.
  void add(const std::vector<NodeNumber> &list) {
    parts_.push_back({nodes_.size(), nodes_.size() + list.size()});
    nodes_.insert(nodes_.end(), list.begin(), list.end());
  }

  // The next node has the list of another.
  void add_same(NodeNumber node) { parts_.push_back(parts_[node]); }

  List operator[](NodeNumber node) const {
    const Part part = parts_[node];
    return {nodes_.data() + part.begin, nodes_.data() + part.end};
  }

private:
  struct Part {
    size_t begin;
    size_t end;
  };

  std::vector<NodeNumber> nodes_;
  std::vector<Part> parts_;
};

} // namespace samara::python

#endif
