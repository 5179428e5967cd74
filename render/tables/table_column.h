// A column of a table: what its head says, what its cells hold and how much room it wants.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace cinderscope {

enum class CellKind : std::uint8_t {
  text,
  number,
  duration,   // in the axis' unit
  timestamp,  // on the axis, as the trace's begin is
  percent,    // of the column's whole
  real,       // a number with a fraction
  reference,  // the number of something in the trace: no quantity
};

inline constexpr std::int64_t kNoNumber = std::numeric_limits<std::int64_t>::min();  // no value

struct TableColumn {
  std::string title;
  std::string key;   // in commands, CSV and JSON; empty: the title, with the unit in CSV
  std::string help;  // for the note over the head
  std::string unit;  // of all its numbers, e.g. "bytes"
  CellKind kind = CellKind::text;
  float width_px = 0;         // at scale 1; never narrower than its title
  bool grows = false;         // takes the width that is to spare
  bool names = false;         // where a text is cut, its telling part stays
  bool bar = false;           // a bar behind each number shows its share of the largest
  bool hidden = false;        // only in CSV and JSON
  int importance = 0;         // where room is short the least important goes first; 0: always shown
  std::string if_empty = {};  // stands for the empty text, e.g. "(no name)"
};

}  // namespace cinderscope
