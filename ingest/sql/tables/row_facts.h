// What all slices of a row have in common: keys, texts of the track, depth.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "ingest/sql/query_data.h"
#include "ingest/sql/slice_column.h"

namespace cinderscope {

struct FlagColumn {
  SliceColumn column;
  std::uint8_t bit;  // of SliceRow::flags()
};
inline constexpr std::array kFlagColumns = {FlagColumn{SliceColumn::unfinished, kUnfinished},
                                            FlagColumn{SliceColumn::overlapping, kOverlapping},
                                            FlagColumn{SliceColumn::cut_begin, kCutBegin},
                                            FlagColumn{SliceColumn::cut_end, kCutEnd}};

// Which rows a table has.
struct RowsOfTable {
  bool instants = false, nested = false;
  bool of_threads = false;  // they lie on threads' own tracks
  bool (*has)(const NumberedRow& row) = nullptr;
  std::vector<SliceColumn> columns;

  const SliceNumbers& numbers(const QueryData& data) const {
    return instants ? data.instant_numbers() : data.slice_numbers();
  }
  std::span<const NumberedRow> on_track(const QueryData& data, std::uint32_t input,
                                        TrackId track) const {
    return nested ? numbers(data).nested_rows_of(input, track)
                  : numbers(data).rows_of(input, track);
  }
};

struct RowKeys {
  std::int64_t trace = 0, process = 0, thread = 0, track = 0;
};
RowKeys keys_of(const QueryData& data, const NumberedRow& row);

// Of a column of thread_slice; NULL where `has` is false.
struct RowText {
  std::string_view text;
  bool has = false;
};
RowText row_text(const QueryData& data, const NumberedRow& row, SliceColumn column);

// The row tells how deep its slices lie.
bool row_is_depth(const QueryData& data, const NumberedRow& row);
// And all children of a slice are neighbours on the row below.
bool nests_plainly(const QueryData& data, const NumberedRow& row);
std::uint32_t depth_of_row(const QueryData& data, const NumberedRow& row);  // 1: outermost

// The number of the innermost slice around an instant; 0: none.
std::uint64_t slice_around(const QueryData& data, const NumberedPlace& instant);

}  // namespace cinderscope
