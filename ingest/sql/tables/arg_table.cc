// The table arg: arguments of slices and instants, read from the file again.
#include <algorithm>

#include "ingest/base/number_text.h"
#include "ingest/format/trace_source.h"
#include "ingest/sql/tables/all_tables.h"
#include "ingest/sql/tables/flat_args.h"
#include "ingest/sql/tables/name_tests.h"
#include "ingest/sql/tables/record_texts.h"
#include "ingest/sql/tables/row_facts.h"

namespace cinderscope {

namespace {

using enum ColumnKind;

enum Column : int { kTrace, kSlice, kInstant, kKey, kValue, kNumber, kType };

// The slices and instants whose arguments are read: the listed ones, or all.
class ArgPlaces {
 public:
  explicit ArgPlaces(const QueryData& data) : data_(data) {}

  void set(const NumberSet& slices, const NumberSet& instants) {
    listed_.clear();
    next_listed_ = 0;
    rows_.clear();
    next_row_ = 0;
    place_ = {};
    const bool any_slice = !slices.is_all(), any_instant = !instants.is_all();
    if (any_slice && any_instant) return;  // none is both
    if (any_slice) {
      add(data_.slice_numbers(), slices);
    } else if (any_instant) {
      add(data_.instant_numbers(), instants);
    } else {
      rows_ = {data_.slice_numbers().rows(), data_.instant_numbers().rows()};
    }
  }
  bool next() {
    if (next_listed_ < listed_.size()) {
      place_ = listed_[next_listed_++];
      return true;
    }
    if (place_.row != nullptr && !rows_.empty() && ++place_.index < place_.row->count()) {
      return true;
    }
    for (; !rows_.empty(); rows_.erase(rows_.begin()), next_row_ = 0) {
      if (next_row_ == rows_.front().size()) continue;
      place_ = {&rows_.front()[next_row_++], 0};
      return true;
    }
    return false;
  }
  const NumberedPlace& place() const { return place_; }
  bool is_instant() const { return is_instant(*place_.row); }
  std::size_t ahead(std::span<NumberedPlace> places) const {
    std::size_t count = 0;
    for (std::size_t i = next_listed_; i < listed_.size() && count < places.size(); ++i) {
      places[count++] = listed_[i];
    }
    if (rows_.empty()) return count;
    for (std::uint64_t i = place_.index + 1; i < place_.row->count() && count < places.size();
         ++i) {
      places[count++] = {place_.row, i};
    }
    return count;
  }

 private:
  bool is_instant(const NumberedRow& row) const {
    const auto all = data_.instant_numbers().rows();
    return !all.empty() && &row >= all.data() && &row < all.data() + all.size();
  }
  void add(const SliceNumbers& numbers, const NumberSet& wanted) {
    for (const std::int64_t number :
         wanted.numbers_in(1, static_cast<std::int64_t>(numbers.count()))) {
      listed_.push_back(*numbers.place_of(static_cast<std::uint64_t>(number)));
    }
  }

  const QueryData& data_;
  std::vector<NumberedPlace> listed_;
  std::size_t next_listed_ = 0;
  std::vector<std::span<const NumberedRow>> rows_;  // still to come
  std::size_t next_row_ = 0;
  NumberedPlace place_;
};

class ArgCursor final : public TableCursor {
 public:
  explicit ArgCursor(const QueryData& data) : data_(data), places_(data), records_(data) {}

  int filter(const PlanText& plan, std::span<sqlite3_value*> arguments) override {
    NumberSet slices, instants, traces;
    keys_.clear();
    for (std::size_t i = 0; i < plan.terms.size(); ++i) {
      if (plan.terms[i].column == kKey) {
        TextTest test;
        error_ = test.set(plan.terms[i], arguments[i], data_);
        if (!error_.empty()) return SQLITE_ERROR;
        keys_.push_back(std::move(test));
        continue;
      }
      NumberSet& set = plan.terms[i].column == kSlice     ? slices
                       : plan.terms[i].column == kInstant ? instants
                                                          : traces;
      set.keep(numbers_of(plan.terms[i], arguments[i]));
    }
    traces_ = std::move(traces);
    places_.set(slices, instants);
    args_.clear();
    at_ = 0;
    at_end_ = false;
    number_ = 0;
    return go_on();
  }
  int next() override {
    ++at_;
    return go_on();
  }
  bool eof() const override { return at_end_; }
  int column(sqlite3_context* out, int column) override {
    const ArgsNode& node = *args_[at_].node;
    switch (column) {
      case kTrace:
        sqlite3_result_int64(out, trace_);
        break;
      case kSlice:
      case kInstant: {
        const NumberedPlace& place = places_.place();
        const auto number = static_cast<std::int64_t>(place.row->first_number + place.index);
        give_key(out, places_.is_instant() == (column == kInstant) ? number : 0);
        break;
      }
      case kKey:
        give_text(out, args_[at_].key);
        break;
      case kValue:
        if (node.kind == ArgsKind::null) {
          sqlite3_result_null(out);
        } else {
          give_text(out, node.value);
        }
        break;
      case kNumber: {
        const auto number = parse_number<double>(node.value);
        if (node.kind != ArgsKind::number || !number) {
          sqlite3_result_null(out);
        } else {
          sqlite3_result_double(out, *number);
        }
        break;
      }
      default:
        give_lasting_text(out, type_of(node.kind));
    }
    return SQLITE_OK;
  }
  sqlite3_int64 rowid() const override { return number_; }

 private:
  static std::string_view type_of(ArgsKind kind) {
    switch (kind) {
      case ArgsKind::number:
        return "number";
      case ArgsKind::boolean:
        return "bool";
      case ArgsKind::null:
        return "null";
      default:
        return "text";
    }
  }
  bool passes() const {
    return std::ranges::all_of(keys_,
                               [&](const TextTest& each) { return each.holds(args_[at_].key); });
  }
  int go_on() {
    for (;;) {
      for (; at_ < args_.size(); ++at_) {
        if (!passes()) continue;
        ++number_;
        return SQLITE_OK;
      }
      if (data_.stopped()) return SQLITE_INTERRUPT;
      if (!places_.next()) {
        at_end_ = true;
        return SQLITE_OK;
      }
      at_ = 0;
      args_.clear();
      const NumberedPlace& place = places_.place();
      trace_ = data_.trace_key(place.row->input, place.row->track);
      if (!traces_.holds(trace_)) continue;
      const auto ahead = [this](std::span<NumberedPlace> places) { return places_.ahead(places); };
      flatten_args(records_.text_of(place, ahead).args, args_);
    }
  }

  const QueryData& data_;
  ArgPlaces places_;
  RecordTexts records_;
  NumberSet traces_;
  std::vector<TextTest> keys_;
  std::vector<FlatArg> args_;
  std::size_t at_ = 0;
  std::int64_t trace_ = 0, number_ = 0;
  bool at_end_ = true;
};

class ArgTable final : public SqlTable {
 public:
  explicit ArgTable(const QueryData& data) : data_(data) {}

  int plan(sqlite3_index_info& info) const override {
    constexpr double kEach = 6, kReadCost = 60;  // arguments of a record; reading it again
    PlanWriter plan(info);
    auto records =
        static_cast<double>(data_.slice_numbers().count() + data_.instant_numbers().count());
    double given = 1;
    for (int i = 0; i < info.nConstraint && !data_.plain(); ++i) {
      const auto& constraint = info.aConstraint[i];
      if (!constraint.usable) continue;
      if (constraint.iColumn == kKey && can_take_text(info, i)) {
        plan.take(i, is_text_test_done(info, i));
        given /= kEach;
      }
      if (constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
      if (constraint.iColumn == kSlice || constraint.iColumn == kInstant) {
        plan.take(i, true);
        records = std::min(records, sqlite3_vtab_in(&info, i, -1) != 0 ? 25.0 : 1.0);
      } else if (constraint.iColumn == kTrace) {
        plan.take(i, true);
      }
    }
    return plan.finish(std::max(1.0, records * kEach * given), records * kReadCost);
  }
  std::unique_ptr<TableCursor> open() const override { return std::make_unique<ArgCursor>(data_); }

 private:
  const QueryData& data_;
};

}  // namespace

const TableEntry& arg_table() {
  static const TableEntry entry = {
      .name = "arg",
      .help = "Arguments of slices and instants, read from the file again",
      .columns = {{"trace_id", integer},
                  {"slice_id", slice},
                  {"instant_id", instant},
                  {"key", text, "data.url, clip[3]"},
                  {"value", text},
                  {"number", real, "If it is one"},
                  {"type", text, "text, number, bool, null"}},
      .make = [](QueryData& data) -> std::unique_ptr<SqlTable> {
        return std::make_unique<ArgTable>(data);
      }};
  return entry;
}

}  // namespace cinderscope
