// The lists of Details that lead on from the selected slice: its flows, its children, its callers.
#pragma once

#include <cstdint>
#include <optional>

#include "render/views/panels/details.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

// Returns the flow whose row is under the pointer.
std::optional<std::uint32_t> draw_flow_list(const DetailsFrame& frame, Column& column,
                                            const SelectionFacts& facts, Actions& actions);
void draw_children(const DetailsFrame& frame, Column& column, const SelectionFacts& facts,
                   Actions& actions);
void draw_callers(const DetailsFrame& frame, Column& column, const SelectionFacts& facts,
                  Actions& actions);

// A name with its calls added up, as a row of a list: a click selects the longest of them, the
// button at the end shows the flame graph of the function.
struct NameRow {
  StringId name = kEmptyString;
  std::uint64_t count = 0;
  std::int64_t total_ns = 0;
  double share = 0;  // of the whole, in [0, 1]
  SliceRef longest;
  std::int64_t largest_ns = 0;  // of the totals of all rows, which share their columns
};
void draw_name_row(const Pen& pen, const Timeline& timeline, const NameRow& of, std::size_t id,
                   const Rect& row, Actions& actions);

// A dim line above a list; with `copy_help` it ends in a copy button. True if that was clicked.
bool draw_list_head(Column& column, std::string_view text, std::string_view copy_help = {});

inline constexpr float kListRowPx = 19;

}  // namespace cinderscope
