#include "ingest/build/profile/frame_paths.h"

#include <algorithm>
#include <utility>

#include "ingest/base/fields.h"
#include "ingest/build/passing_memory.h"

namespace cinderscope {

void FrameUses::save(FieldWriter& out) const {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(2 * uses_.size());
  for (const FrameUse& use : uses_) {
    numbers.push_back(use.frame);
    numbers.push_back(use.samples);
  }
  out.add_values(first_);
  out.add_values(numbers);
}

void FrameUses::restore(FieldReader& in, std::size_t frames) {
  first_ = in.take_values<std::uint32_t>();
  const auto numbers = in.take_values<std::uint32_t>();
  uses_.clear();
  uses_.reserve(numbers.size() / 2);
  for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
    uses_.push_back({numbers[i], numbers[i + 1]});
    if (numbers[i] >= frames) in.fail();
  }
  const bool in_order = !first_.empty() && std::ranges::is_sorted(first_);
  if (!in_order || first_.front() != 0 || first_.back() != uses_.size()) in.fail();
}

FrameUses FramePaths::take_uses() {
  const auto add = [](std::uint32_t& to, std::uint32_t samples) {
    to = samples > UINT32_MAX - to ? UINT32_MAX : to + samples;
  };
  const auto paths = static_cast<std::uint32_t>(paths_.size());
  for (std::uint32_t i = paths; i-- > 0;) {
    if (paths_.caller(i) != kNoCall) add(samples_[paths_.caller(i)], samples_[i]);
  }
  FrameUses out;
  out.first_.assign(calls_->size() + 1, 0);
  for (const std::uint32_t call : call_of_path_) ++out.first_[call + 1];
  for (std::size_t i = 1; i < out.first_.size(); ++i) out.first_[i] += out.first_[i - 1];
  out.uses_.resize(paths);
  std::vector<std::uint32_t> next(out.first_.begin(), out.first_.end() - 1);
  for (std::uint32_t i = 0; i < paths; ++i) {
    out.uses_[next[call_of_path_[i]]++] = {paths_.function(i), samples_[i]};
  }
  release(paths_);
  release(call_of_path_);
  release(samples_);
  // Paths of different callers' places may end in the same frame of the same call.
  std::uint32_t kept = 0;
  for (std::size_t call = 0; call + 1 < out.first_.size(); ++call) {
    const std::uint32_t begin = std::exchange(out.first_[call], kept), end = out.first_[call + 1];
    std::sort(out.uses_.begin() + begin, out.uses_.begin() + end,
              [](const FrameUse& a, const FrameUse& b) { return a.frame < b.frame; });
    for (std::uint32_t i = begin; i < end; ++i) {
      if (kept > out.first_[call] && out.uses_[kept - 1].frame == out.uses_[i].frame) {
        add(out.uses_[kept - 1].samples, out.uses_[i].samples);
      } else {
        out.uses_[kept++] = out.uses_[i];
      }
    }
  }
  out.first_.back() = kept;
  out.uses_.resize(kept);
  out.uses_.shrink_to_fit();
  return out;
}

}  // namespace cinderscope
