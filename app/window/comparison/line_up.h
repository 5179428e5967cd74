// Where two timelines line up: a time of A and the time of B that stands below it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "render/base/timeline_state.h"

namespace cinderscope {

enum class LineUpHow : std::uint8_t {
  starts,  // begin below begin
  clock,   // as recorded
  mark,    // bookmarks with equal notes
  call,    // the k-th call of a name
  hand,    // as it was dragged
};
std::string_view word_of(LineUpHow how);
std::optional<LineUpHow> line_up_of_word(std::string_view word);

struct LineUp {
  LineUpHow how = LineUpHow::starts;
  std::string name;       // of the calls, as compared; of the mark
  std::uint64_t k = 1;    // which of its calls, from 1
  std::int64_t a_ns = 0;  // these two stand below each other
  std::int64_t b_ns = 0;
  // How many times as wide B is drawn, so that two calls are equally wide. 1: as it is.
  double stretch = 1;

  // How far B's times lie behind A's.
  std::int64_t shift_ns() const;
  std::int64_t to_b(std::int64_t a_time_ns) const;
  std::int64_t to_a(std::int64_t b_time_ns) const;
  Viewport view_of_b(const Viewport& a) const;
  Viewport view_of_a(const Viewport& b) const;
  bool operator==(const LineUp&) const = default;
};

// The axis of `of` with the other trace, whose ends lie there at `other`.
ViewportLimits joined(const ViewportLimits& of, const ViewportLimits& other);

}  // namespace cinderscope
