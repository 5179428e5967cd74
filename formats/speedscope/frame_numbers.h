// Dense numbers for the frames that a profile uses, whose indices may be anything.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace cinderscope::speedscope {

class FrameNumbers {
 public:
  std::uint32_t number_of(std::uint64_t frame) {
    if (frame < kUsual) {
      if (frame >= usual_.size()) usual_.resize(frame + 1, 0);
      std::uint32_t& number = usual_[frame];
      if (number == 0) number = add(frame);
      return number - 1;
    }
    std::uint32_t& number = others_[frame];
    if (number == 0) number = add(frame);
    return number - 1;
  }
  std::span<const std::uint64_t> frames() const { return frames_; }  // by number

 private:
  static constexpr std::uint64_t kUsual = 1 << 20;

  std::uint32_t add(std::uint64_t frame) {
    frames_.push_back(frame);
    return static_cast<std::uint32_t>(frames_.size());
  }

  std::vector<std::uint32_t> usual_;  // number + 1
  std::unordered_map<std::uint64_t, std::uint32_t> others_;
  std::vector<std::uint64_t> frames_;
};

}  // namespace cinderscope::speedscope
