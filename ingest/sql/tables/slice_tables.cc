// The tables of slices and instants: slice, thread_slice, async_slice, sample, lifetime, instant,
// async_step, nested_instant.
#include "ingest/sql/tables/all_tables.h"
#include "ingest/sql/tables/slices_table.h"

namespace cinderscope {

namespace {

using enum ColumnKind;
using Columns = std::vector<SliceColumn>;

Columns slice_columns(const Columns& more = {}) {
  Columns all;
  for (int i = 0; i <= static_cast<int>(SliceColumn::cut_end); ++i) {
    all.push_back(static_cast<SliceColumn>(i));
  }
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

const RowsOfTable& slice_rows() {
  static const RowsOfTable rows = {
      .of_threads = true,
      .has = [](const NumberedRow& row) { return row.kind == TrackKind::thread; },
      .columns = slice_columns()};
  return rows;
}

const RowsOfTable& thread_slice_rows() {
  static const RowsOfTable rows = {
      .of_threads = true,
      .has = [](const NumberedRow& row) { return row.kind == TrackKind::thread; },
      .columns = slice_columns({SliceColumn::trace_name, SliceColumn::process_name,
                                SliceColumn::pid, SliceColumn::thread_name, SliceColumn::tid})};
  return rows;
}

const RowsOfTable& async_rows() {
  static const RowsOfTable rows = {
      .has = [](const NumberedRow& row) { return row.kind == TrackKind::async; },
      .columns = slice_columns()};
  return rows;
}

const RowsOfTable& sample_rows() {
  static const RowsOfTable rows = {
      .has = [](const NumberedRow& row) { return row.kind == TrackKind::samples; },
      .columns = slice_columns()};
  return rows;
}

const RowsOfTable& lifetime_rows() {
  static const RowsOfTable rows = {
      .has = [](const NumberedRow& row) { return row.kind == TrackKind::lifetimes; },
      .columns = slice_columns({SliceColumn::kind})};
  return rows;
}

bool is_nested(const NumberedRow& row) {
  return index(row.block) != 0 || row.row != 0;
}

const RowsOfTable& instant_rows() {
  using enum SliceColumn;
  static const RowsOfTable rows = {.instants = true,
                                   .has = [](const NumberedRow& row) { return !is_nested(row); },
                                   .columns = {number, trace_id, track_id, thread_id, process_id,
                                               ts, name, scope, slice_around}};
  return rows;
}

const RowsOfTable& async_step_rows() {
  using enum SliceColumn;
  static const RowsOfTable rows = {
      .instants = true,
      .nested = true,
      .has = [](const NumberedRow& row) { return is_nested(row) && row.kind == TrackKind::async; },
      .columns = {trace_id, slice_around, ts, name}};
  return rows;
}

const RowsOfTable& nested_instant_rows() {
  using enum SliceColumn;
  static const RowsOfTable rows = {
      .instants = true,
      .nested = true,
      .has = [](const NumberedRow& row) { return is_nested(row) && row.kind != TrackKind::async; },
      .columns = {number, trace_id, track_id, thread_id, process_id, ts, name, slice_around}};
  return rows;
}

template <const RowsOfTable& (*kRows)()>
std::unique_ptr<SqlTable> make(QueryData& data) {
  return slices_table(data, kRows());
}

template <const RowsOfTable& (*kRows)()>
std::int64_t count(const QueryData& data) {
  std::uint64_t slices = 0;
  for (const NumberedRow& row : kRows().numbers(data).rows()) {
    if (kRows().has(row)) slices += row.count();
  }
  return static_cast<std::int64_t>(slices);
}

template <const RowsOfTable& (*kRows)()>
TableEntry entry_of(std::string_view name, std::string_view help,
                    const std::vector<SqlColumn>& columns) {
  return {.name = name,
          .help = help,
          .columns = columns,
          .make = make<kRows>,
          .row_count = count<kRows>};
}

std::vector<SqlColumn> slice_heads(const std::vector<SqlColumn>& more = {}) {
  std::vector<SqlColumn> all = {
      {"slice_id", slice},
      {"trace_id", integer},
      {"track_id", integer},
      {"thread_id", integer},
      {"process_id", integer},
      {"ts", time, "Begin"},
      {"dur", duration, "Duration"},
      {"ts_end", time, "End"},
      {"self_dur", duration, "Time that no slice inside covers"},
      {"depth", integer, "How many contain it, and itself; 1 is outermost"},
      {"parent_slice_id", slice, "The innermost that contains it"},
      {"name_id", integer, "Equal for equal names of a trace"},
      {"name", text},
      {"category", text, "Read from the file again"},
      {"unfinished", integer, "1: no end was recorded"},
      {"overlapping", integer, "1: partly overlaps an earlier one"},
      {"cut_begin", integer, "1: it began before the part of the trace"},
      {"cut_end", integer, "1: it went on"}};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace

const TableEntry& slice_table() {
  static const TableEntry entry =
      entry_of<slice_rows>("slice", "The calls of threads, a profile's too", slice_heads());
  return entry;
}

const TableEntry& thread_slice_table() {
  static const TableEntry entry = entry_of<thread_slice_rows>(
      "thread_slice", "Calls with the names of their threads and processes: no joins needed",
      slice_heads({{"trace_name", text},
                   {"process_name", text},
                   {"pid", text},
                   {"thread_name", text},
                   {"tid", text}}));
  return entry;
}

const TableEntry& async_slice_table() {
  static const TableEntry entry =
      entry_of<async_rows>("async_slice", "Asynchronous slices", slice_heads());
  return entry;
}

const TableEntry& sample_table() {
  static const TableEntry entry = entry_of<sample_rows>(
      "sample", "Slices made from samples that were taken beside recorded calls", slice_heads());
  return entry;
}

const TableEntry& lifetime_table() {
  static const TableEntry entry = entry_of<lifetime_rows>(
      "lifetime", "What lasts but is no call: objects", slice_heads({{"kind", text, "object"}}));
  return entry;
}

const TableEntry& instant_table() {
  static const TableEntry entry =
      entry_of<instant_rows>("instant", "Moments: marks of threads, of processes, of all",
                             {{"instant_id", instant},
                              {"trace_id", integer},
                              {"track_id", integer},
                              {"thread_id", integer},
                              {"process_id", integer},
                              {"ts", time},
                              {"name", text},
                              {"scope", text, "t: of a thread, p: of a process, g: of all"},
                              {"slice_id", slice, "The innermost call around it"}});
  return entry;
}

const TableEntry& async_step_table() {
  static const TableEntry entry = entry_of<async_step_rows>(
      "async_step", "Steps of asynchronous slices",
      {{"trace_id", integer}, {"slice_id", slice}, {"ts", time}, {"name", text}});
  return entry;
}

const TableEntry& nested_instant_table() {
  static const TableEntry entry = entry_of<nested_instant_rows>(
      "nested_instant", "Moments of which the format says in which call or lifetime they lie",
      {{"instant_id", instant},
       {"trace_id", integer},
       {"track_id", integer},
       {"thread_id", integer},
       {"process_id", integer},
       {"ts", time},
       {"name", text},
       {"slice_id", slice}});
  return entry;
}

}  // namespace cinderscope
