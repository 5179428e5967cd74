// Stacks of frames: a frame is a place in a function (a line, an address), so that several paths of
// frames may be one call. Counts how many samples met each frame in each call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ingest/build/profile/call_nodes.h"

namespace cinderscope {

class FieldReader;
class FieldWriter;

struct FrameUse {
  std::uint32_t frame = 0, samples = 0;
};

// The frames of each call with their samples, each frame once, by its number.
class FrameUses {
 public:
  std::size_t calls() const { return first_.empty() ? 0 : first_.size() - 1; }
  std::span<const FrameUse> of(std::uint32_t call) const {
    return std::span(uses_).subspan(first_[call], first_[call + 1] - first_[call]);
  }
  // For a prepared copy of the trace; of `frames` frames.
  void save(FieldWriter& out) const;
  void restore(FieldReader& in, std::size_t frames);
  std::uint64_t kept_bytes() const {
    return first_.capacity() * sizeof(std::uint32_t) + uses_.capacity() * sizeof(FrameUse);
  }

 private:
  friend class FramePaths;
  std::vector<std::uint32_t> first_;  // by call: its uses lie in [first_[call], first_[call + 1])
  std::vector<FrameUse> uses_;
};

class FramePaths {
 public:
  // Calls are made in `calls`, which outlives this.
  explicit FramePaths(CallNodes& calls) : calls_(&calls) {}

  // The path that goes on from `caller` (kNoCall: begins) by `frame`, which is of `function`; made
  // where there is none yet.
  std::uint32_t path(std::uint32_t caller, std::uint32_t frame, std::uint32_t function) {
    const std::uint32_t path = paths_.call(caller, frame);
    if (path == call_of_path_.size()) {
      call_of_path_.push_back(calls_->call(call(caller), function));
      samples_.push_back(0);
    }
    return path;
  }
  // The innermost call of a path.
  std::uint32_t call(std::uint32_t path) const {
    return path == kNoCall ? kNoCall : call_of_path_[path];
  }
  // A sample that had just these frames.
  void count_sample(std::uint32_t path) {
    if (path != kNoCall && samples_[path] < UINT32_MAX) ++samples_[path];
  }

  // Gives all up.
  FrameUses take_uses();

 private:
  CallNodes* calls_;
  CallNodes paths_;  // whose functions are frames
  std::vector<std::uint32_t> call_of_path_, samples_;
};

}  // namespace cinderscope
