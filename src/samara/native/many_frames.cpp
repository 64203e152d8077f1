// SPDX-License-Identifier: Apache-2.0

#include "many_frames.h"

#include <cstring>

#include "call.h"

namespace samara::python {

namespace {

constexpr size_t frames_max = 65536;

void check_count(size_t count) {
  if (count > frames_max) {
    raise_value_error("more than 65,536 frames in one call");
  }
}

} // namespace

ManyFrames::ManyFrames(const FrameList &frames) {
  check_count(frames.size());
  buffers_.reserve(frames.size());
  frames_.reserve(frames.size());
  for (const nb::handle frame : frames) {
    const Buffer &buffer = buffers_.emplace_back(frame, "frame");
    add(buffer.data(), buffer.size());
  }
}

ManyFrames::ManyFrames(BytesLike data, BytesLike sizes_object) {
  const Buffer &all = buffers_.emplace_back(data, "data");
  const Buffer sizes(sizes_object, "sizes");
  const size_t count = sizes.size() / sizeof(uint32_t);
  check_size("each frame", "size", sizeof(uint32_t) * count, sizes.size());
  check_count(count);
  frames_.reserve(count);
  for (size_t i = 0; i < count; i++) {
    uint32_t size = 0;
    std::memcpy(&size, sizes.data() + sizeof size * i, sizeof size);
    if (size > all.size() - total_) {
      raise_value_error("the frames are longer than the data");
    }
    add(all.data() + total_, size);
  }
  if (total_ != all.size()) {
    raise_value_error("the data is longer than the frames");
  }
}

void ManyFrames::add(const uint8_t *bytes, size_t size) {
  frames_.push_back({bytes, size});
  total_ += size;
}

} // namespace samara::python
