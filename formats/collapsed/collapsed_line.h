// A line of collapsed stacks: "main;draw;blit 12", or with two counts, "main;draw 12 15".
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace cinderscope::collapsed {

struct LineCount {
  std::int64_t whole = 0;
  std::int64_t thousandths = 0;  // the same, as fractions are kept
  bool has_fraction = false;     // some digit behind the point is not 0
};

struct StackLine {
  std::string_view stack;   // empty: the line has no count
  std::string_view before;  // the stack, if the first of two counts is one
  std::array<LineCount, 2> counts;
  int count_number = 0;  // 0, 1 or 2

  bool counted() const { return count_number > 0; }
};

// `line` without its end. Digits with an optional point and digits are a count.
StackLine read_stack_line(std::string_view line);

// Blank or a remark: neither counted nor wrong.
bool is_remark(std::string_view line);

// Takes the next line off `text`, without its end.
std::string_view take_line(std::string_view& text);

}  // namespace cinderscope::collapsed
