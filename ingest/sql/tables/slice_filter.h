// Which slices a scan of `slice` or its like gives, by the constraints that it took over.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ingest/search/slice_bits.h"
#include "ingest/sql/tables/name_tests.h"
#include "ingest/sql/tables/row_facts.h"
#include "ingest/sql/tables/slice_nesting_cache.h"

namespace cinderscope {

// Neighbouring slices of a row.
struct ScannedSpan {
  const NumberedRow* row = nullptr;
  std::uint64_t first = 0, end = 0;
};

class SliceFilter {
 public:
  SliceFilter(const QueryData& data, const RowsOfTable& rows)
      : data_(data), rows_(rows), names_(data), nesting_(data) {}

  // Of a plan's terms; those of LIMIT and OFFSET have no effect here. What is wrong with an
  // argument; empty: nothing.
  std::string set(const std::vector<PlanTerm>& terms, std::span<sqlite3_value*> arguments);

  // Where matching slices may lie, by number.
  std::vector<ScannedSpan> spans();
  // The slices of the span's chunk `chunk` that pass; false: none. `durations` narrows further.
  bool mark(const ScannedSpan& span, std::uint64_t chunk, const TimeBounds& durations,
            ChunkBits& bits);
  TrackNesting& nesting() { return nesting_; }

 private:
  struct TrackText {
    SliceColumn column;
    TextTest test;
  };
  bool admits(const NumberedRow& row) const;
  void add_span(const NumberedRow& row, std::uint64_t first, std::uint64_t end,
                std::vector<ScannedSpan>& out) const;
  void add_numbers(const NumberSet::Interval& numbers, std::vector<ScannedSpan>& out) const;
  void add_rows(std::span<const NumberedRow> rows, std::vector<ScannedSpan>& out) const;
  void add_children(std::uint64_t parent, std::vector<ScannedSpan>& out) const;
  bool passes(const NumberedRow& row, std::uint64_t at);

  const QueryData& data_;
  const RowsOfTable& rows_;
  NumberSet& of(SliceColumn column) { return numbers_[static_cast<std::size_t>(column)]; }
  const NumberSet& of(SliceColumn column) const {
    return numbers_[static_cast<std::size_t>(column)];
  }
  std::array<NumberSet, kSliceColumns> numbers_;  // by column
  std::vector<TrackText> track_texts_;
  NameTests names_;
  TrackNesting nesting_;
  bool flags_tested_ = false;
  bool one_by_one_ = false;  // something is left that is tested slice by slice
};

}  // namespace cinderscope
