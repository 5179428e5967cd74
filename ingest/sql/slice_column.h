// What the columns of tables of slices and instants tell.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cinderscope {

enum class SliceColumn : std::uint8_t {
  number,  // slice_id, of instants instant_id
  trace_id,
  track_id,
  thread_id,
  process_id,
  ts,
  dur,
  ts_end,
  self_dur,
  depth,
  parent_slice_id,
  name_id,
  name,
  category,
  unfinished,
  overlapping,
  cut_begin,
  cut_end,
  trace_name,
  process_name,
  pid,
  thread_name,
  tid,
  kind,
  scope,
  slice_around,  // of an instant
};
inline constexpr std::size_t kSliceColumns = 26;

// Its name in `slice`, `thread_slice` and the like.
constexpr std::string_view column_of(SliceColumn column) {
  constexpr std::array<std::string_view, kSliceColumns> kColumns = {"slice_id",
                                                                    "trace_id",
                                                                    "track_id",
                                                                    "thread_id",
                                                                    "process_id",
                                                                    "ts",
                                                                    "dur",
                                                                    "ts_end",
                                                                    "self_dur",
                                                                    "depth",
                                                                    "parent_slice_id",
                                                                    "name_id",
                                                                    "name",
                                                                    "category",
                                                                    "unfinished",
                                                                    "overlapping",
                                                                    "cut_begin",
                                                                    "cut_end",
                                                                    "trace_name",
                                                                    "process_name",
                                                                    "pid",
                                                                    "thread_name",
                                                                    "tid",
                                                                    "kind",
                                                                    "scope",
                                                                    "slice_id"};
  return kColumns[static_cast<std::size_t>(column)];
}

// The others that conditions look at are whole numbers.
constexpr bool is_text(SliceColumn column) {
  return column == SliceColumn::name || column == SliceColumn::category ||
         (column >= SliceColumn::trace_name && column <= SliceColumn::scope);
}

}  // namespace cinderscope
