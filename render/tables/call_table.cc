#include "render/tables/call_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "ingest/base/ascii.h"
#include "ingest/base/saturating.h"
#include "ingest/format/capabilities.h"

namespace cinderscope {
namespace {

constexpr std::size_t kMostColumns = 64, kMostCalls = 2'000'000;
constexpr std::size_t kMostCellBytes = 1024;
constexpr float kTitlePx = 334, kTextPx = 194, kTimestampPx = 204, kCallNumberPx = 110;

TableColumn head_of(std::string_view title, CellKind kind) {
  const bool names_row = title == "Call" || title == "Statement";
  return {.title = std::string(title),
          .kind = kind,
          .width_px = names_row                     ? kTitlePx
                      : kind == CellKind::text      ? kTextPx
                      : kind == CellKind::timestamp ? kTimestampPx
                                                    : kCallNumberPx,
          .grows = names_row,
          .names = title == "Call"};
}

// "12 ms" is a number and its unit; so is "12".
struct Amount {
  std::int64_t number = 0;
  std::string_view unit;
};
std::optional<Amount> amount_of(std::string_view text) {
  Amount amount;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, amount.number);
  if (error != std::errc() || amount.number == kNoNumber) return std::nullopt;
  const auto digits = static_cast<std::size_t>(rest - text.data());
  // As it would be written again: "007" is a name.
  if (text.substr(0, digits) != fmt::to_string(amount.number)) return std::nullopt;
  if (rest == end) return amount;
  if (*rest != ' ') return std::nullopt;
  amount.unit = text.substr(digits + 1);
  const bool words = std::ranges::all_of(amount.unit, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ' ';
  });
  return words ? std::optional(amount) : std::nullopt;
}

// Columns that grow row by row. One is of numbers for as long as all its cells are, in one unit.
class Builder {
 public:
  Builder() { table_->strings = strings_; }

  void next_row(const SliceRef& slice) {
    ++table_->row_count;
    table_->slices.push_back(slice);
  }
  void number(std::string_view name, CellKind kind, std::int64_t value) {
    if (ValueColumn* to = column(name, kind)) set_number(*to, value);
  }
  void text(std::string_view name, std::string_view value) {
    if (ValueColumn* to = column(name, CellKind::text)) set_text(*to, value);
  }
  // What a record says, whose kind its text tells.
  void fact(std::string_view name, std::string_view value) {
    if (value.empty()) return;
    const auto amount = amount_of(value);
    const std::size_t before = table_->columns.size();
    ValueColumn* to = column(name, amount ? CellKind::number : CellKind::text);
    if (to == nullptr) return;
    if (table_->columns.size() > before && amount) to->head.unit = amount->unit;
    // What the row has already under this name says the same, or more.
    if (std::max(to->numbers.size(), to->texts.size()) == table_->row_count) return;
    if (to->head.kind == CellKind::number && amount && amount->unit == to->head.unit) {
      set_number(*to, amount->number);
      return;
    }
    if (to->head.kind == CellKind::number) make_text(*to);
    if (to->head.kind == CellKind::text) set_text(*to, value);
  }

  std::shared_ptr<ValueTable> finish() {
    for (ValueColumn& column : table_->columns) fill(column, table_->row_count);
    finish_columns(*table_);
    return table_;
  }
  ValueTable& table() { return *table_; }

 private:
  // Null where there are too many.
  ValueColumn* column(std::string_view name, CellKind kind) {
    const auto [found, added] = by_name_.try_emplace(ascii_lower(name), table_->columns.size());
    if (added) {
      if (table_->columns.size() >= kMostColumns) {
        by_name_.erase(found);
        table_->columns_left_out = true;
        return nullptr;
      }
      table_->columns.push_back({.head = head_of(name, kind)});
    }
    return &table_->columns[found->second];
  }
  void fill(ValueColumn& column, std::size_t rows) {
    if (column.head.kind == CellKind::text) {
      column.texts.resize(rows, kEmptyString);
    } else {
      column.numbers.resize(rows, kNoNumber);
    }
  }
  void set_number(ValueColumn& column, std::int64_t value) {
    fill(column, table_->row_count);
    column.numbers.back() = value;
  }
  void set_text(ValueColumn& column, std::string_view value) {
    fill(column, table_->row_count);
    column.texts.back() = strings_->intern(value.substr(0, kMostCellBytes));
  }
  void make_text(ValueColumn& column) {
    const std::string unit = column.head.unit;
    column.head = head_of(std::string(column.head.title), CellKind::text);
    const std::vector<std::int64_t> numbers = std::exchange(column.numbers, {});
    for (const std::int64_t number : numbers) {
      column.texts.push_back(number == kNoNumber
                                 ? kEmptyString
                                 : strings_->intern(unit.empty()
                                                        ? fmt::to_string(number)
                                                        : fmt::format("{} {}", number, unit)));
    }
  }

  std::shared_ptr<StringPool> strings_ = std::make_shared<StringPool>();
  std::shared_ptr<ValueTable> table_ = std::make_shared<ValueTable>();
  std::unordered_map<std::string, std::size_t> by_name_;  // in lower case
};

// Values of the arguments' first level; a list is one text.
void add_args(Builder& out, const ArgsTree& args) {
  for (std::size_t i = 0; i < args.nodes.size(); ++i) {
    const ArgsNode& node = args.nodes[i];
    if (node.depth != 1 || node.kind == ArgsKind::object) continue;
    if (node.kind != ArgsKind::array) {
      out.fact(node.key, node.value);
      continue;
    }
    std::string all;
    for (std::size_t k = i + 1; k < args.nodes.size() && args.nodes[k].depth > 1; ++k) {
      if (all.size() > kMostCellBytes) break;
      all += (all.empty() ? "" : ", ") + args.nodes[k].value;
    }
    out.fact(node.key, all);
  }
}

std::string_view name_of(const SliceSet& set, const TrackSlices& track) {
  const StringId name = track.thread_name == kEmptyString ? track.tid : track.thread_name;
  return set.strings->text(name);
}

void add_call(Builder& out, const SliceSet& set, const TrackSlices& track, const Slice& slice,
              const ProcessPauses* pauses, const RecordText& record, bool several_processes) {
  out.number("Start", CellKind::timestamp, slice.begin_ns);
  out.number("Duration", CellKind::duration, slice.duration_ns);
  const std::string_view label = set.strings->label(slice.name);
  out.text("Call", label.empty() ? set.strings->text(slice.name) : label);
  out.text("Thread", name_of(set, track));
  if (several_processes) {
    const std::string_view process = set.strings->text(track.process_name);
    out.text("Process", track.file.empty() ? std::string(process)
                                           : fmt::format("{} ({})", process, track.file));
  }
  if (pauses != nullptr) {
    out.number("Pauses", CellKind::duration,
               pauses->within(slice.begin_ns, saturating_sum(slice.begin_ns, slice.duration_ns)));
  }
  if (record.cpu_ns) out.number("CPU", CellKind::duration, *record.cpu_ns);
  for (const auto& [key, value] : record.facts) out.fact(key, value);
  add_args(out, record.args);
}

}  // namespace

bool has_calls(const Timeline& timeline) {
  return std::ranges::any_of(timeline.tracks,
                             [](const Track& track) { return track.kind == TrackKind::calls; });
}

std::shared_ptr<const ValueTable> call_table(const SliceSet& set, const PauseList& pauses,
                                             const TraceSource& source,
                                             const std::atomic<bool>& cancelled) {
  Builder out;
  const bool several = std::ranges::any_of(set.tracks, [&](const TrackSlices& track) {
    return track.process != set.tracks.front().process;
  });
  std::unordered_map<std::uint32_t, const ProcessPauses*> pauses_of;
  for (const auto& one : pauses) pauses_of.emplace(index(one->process()), one.get());
  for (const TrackSlices& track : set.tracks) {
    if (track.kind != TrackKind::calls) continue;
    const auto paused = pauses_of.find(index(track.process));
    for (std::uint32_t b = 0; b < track.blocks.size(); ++b) {
      if (track.blocks[b] == nullptr) continue;
      const std::vector<SliceRow>& rows = track.blocks[b]->rows;
      for (std::uint32_t r = 0; r < rows.size(); ++r) {
        for (std::uint64_t i = 0; i < rows[r].count(); ++i) {
          if (cancelled) return nullptr;
          if (out.table().row_count >= kMostCalls) {
            ++out.table().left_out;
            continue;
          }
          const Slice slice = rows[r].slice(i);
          out.next_row({.track = track.track, .block = BlockId{b}, .row = r, .slice = i});
          add_call(out, set, track, slice, paused == pauses_of.end() ? nullptr : paused->second,
                   source.describe(slice.record, slice.end_record), several);
        }
      }
    }
  }
  return out.finish();
}

std::shared_ptr<const ValueTable> statement_table(const TraceSource& source,
                                                  const std::atomic<bool>& cancelled) {
  const Statements* told = source.statements();
  const std::vector<StatementTotal> statements =
      told == nullptr ? std::vector<StatementTotal>() : told->totals(cancelled);
  if (cancelled) return nullptr;
  auto table = std::make_shared<ValueTable>();
  table->row_count = statements.size();
  const auto strings = std::make_shared<StringPool>();
  table->strings = strings;
  ValueColumn text{.head = head_of("Statement", CellKind::text)},
      count{.head = head_of("Count", CellKind::number)},
      total{.head = head_of("Total", CellKind::duration)},
      mean{.head = head_of("Mean", CellKind::duration)};
  for (const StatementTotal& one : statements) {
    text.texts.push_back(strings->intern(one.text));
    count.numbers.push_back(static_cast<std::int64_t>(one.count));
    total.numbers.push_back(one.total_ns);
    mean.numbers.push_back(one.count == 0 ? 0
                                          : one.total_ns / static_cast<std::int64_t>(one.count));
  }
  table->columns = {std::move(text), std::move(count), std::move(total), std::move(mean)};
  finish_columns(*table);
  return table;
}

std::string foreign_texts(const ValueTable& table) {
  constexpr std::size_t kMostBytes = 64 << 10;
  std::string all;
  for (std::uint32_t i = 0; i < table.strings->size() && all.size() < kMostBytes; ++i) {
    const std::string_view text = table.strings->text(StringId{i});
    const bool foreign =
        std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
    if (foreign) all += text;
  }
  return all;
}

TableOrder first_call_order() {
  return {.column = 0, .descending = false};
}

TableOrder first_statement_order() {
  return {.column = 2, .descending = true};
}

}  // namespace cinderscope
