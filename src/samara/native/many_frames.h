// SPDX-License-Identifier: Apache-2.0
#ifndef SAMARA_PYTHON_MANY_FRAMES_H
#define SAMARA_PYTHON_MANY_FRAMES_H

// The frames of one call, as a list of objects or one behind the other in one.

#include <cstddef>
#include <cstdint>
#include <vector>

#include <nanobind/nanobind.h>

#include "buffer.h"

namespace samara::python {

using FrameList = nb::typed<nb::list, BytesLike>;

struct Memory {
  const uint8_t *bytes;
  size_t size;
};

// All memory is borrowed until it is destroyed, and nothing is copied.
class ManyFrames {
public:
  // Both raise ValueError for more frames than one call takes.
  explicit ManyFrames(const FrameList &frames);
  // `sizes` has a uint32_t for each frame; ValueError unless their sum is the
  // size of `data`.
  ManyFrames(BytesLike data, BytesLike sizes);

  size_t count() const { return frames_.size(); }
  size_t total() const { return total_; }
  Memory at(size_t index) const { return frames_[index]; }

private:
  void add(const uint8_t *bytes, size_t size);

  std::vector<Buffer> buffers_;
  std::vector<Memory> frames_;
  size_t total_ = 0;
};

} // namespace samara::python

#endif
