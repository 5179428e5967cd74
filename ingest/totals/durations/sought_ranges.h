// Few ranges of durations for each name, and whether a call lies in one of them: asked of all calls
// of a trace, few of which do.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace cinderscope {

// Each name has up to four.
class SoughtRanges {
 public:
  explicit SoughtRanges(std::size_t names) : narrow_(names), wide_(names) {}

  // `span` values from `low` on.
  void add(std::uint32_t name, std::size_t which, std::uint64_t low, std::uint64_t span) {
    wide_[name].lows[which] = low;
    wide_[name].spans[which] = span;
    constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
    if (low >= kMost || span > kMost - low) {
      is_narrow_ = false;
      return;
    }
    narrow_[name].before[which] = static_cast<std::int32_t>(low) - 1;
    narrow_[name].end[which] = static_cast<std::int32_t>(low + span);
  }

  // All ends fit 32 bits: then one comparison of four numbers tells.
  bool is_narrow() const { return is_narrow_; }
  bool narrow_hit(std::uint32_t name, std::uint64_t duration) const {
    constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
    const auto value = static_cast<std::int32_t>(std::min(duration, kMost));
    const Lanes values = {value, value, value, value};
    const Narrow& of = narrow_[name];
    const Lanes inside = (values > of.before) & (values < of.end);
    const auto halves = std::bit_cast<std::array<std::uint64_t, 2>>(inside);
    return (halves[0] | halves[1]) != 0;
  }
  bool wide_hit(std::uint32_t name, std::uint64_t duration) const {
    const Wide& of = wide_[name];
    unsigned hits = 0;
    for (std::size_t i = 0; i < of.lows.size(); ++i) hits += duration - of.lows[i] < of.spans[i];
    return hits != 0;
  }

 private:
  typedef std::int32_t Lanes __attribute__((vector_size(16)));  // NOLINT: what compilers know
  static constexpr std::int32_t kNever = std::numeric_limits<std::int32_t>::max();
  struct alignas(32) Narrow {
    Lanes before = {kNever, kNever, kNever, kNever}, end = {0, 0, 0, 0};
  };
  struct Wide {
    std::array<std::uint64_t, 4> lows{}, spans{};  // span 0: nothing
  };

  std::vector<Narrow> narrow_;
  std::vector<Wide> wide_;
  bool is_narrow_ = true;
};

}  // namespace cinderscope
