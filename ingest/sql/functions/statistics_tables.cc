// The tables name_stat and call_tree: Statistics and the flame graph, to be asked.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "ingest/sql/functions/all_functions.h"
#include "ingest/sql/functions/statistics_parts.h"
#include "ingest/sql/functions/table_function.h"

namespace cinderscope {

namespace {

using enum ColumnKind;

// Goes from trace to trace; what is measured of one is worked out when its turn comes.
class PartsCursor : public FunctionCursor {
 public:
  PartsCursor(const QueryData& data, int first, std::size_t arguments)
      : FunctionCursor(first, arguments), data_(data) {}

  bool eof() const override { return part_ >= parts_.parts.size(); }

 protected:
  // The number of rows of the part; an error message of fail() leaves.
  virtual Result<std::size_t> measure(const StatisticsPart& part) = 0;

  int begin() override {
    Result<StatisticsParts> parts = statistics_parts(data_, arguments());
    parts_ = parts ? std::move(*parts) : StatisticsParts();
    part_ = 0;
    if (!parts) return fail(parts.error().text);
    row_ = rows_ = 0;
    return enter(0);
  }
  int advance() override {
    if (++row_ < rows_) return SQLITE_OK;
    return enter(part_ + 1);
  }

  const StatisticsPart& part() const { return parts_.parts[part_]; }
  bool by_calls() const { return parts_.weight == CallWeight::calls; }
  std::size_t row() const { return row_; }
  void give_slice(sqlite3_context* out, const SliceRef& slice) const {
    give_key(out, static_cast<std::int64_t>(data_.slice_numbers().number_of(part().input, slice)));
  }
  void give_name(sqlite3_context* out, StringId name) const {
    give_lasting_text(out, data_.text(part().input, name));
  }

  const QueryData& data_;

 private:
  int enter(std::size_t part) {
    for (part_ = part; part_ < parts_.parts.size(); ++part_) {
      const Result<std::size_t> rows = measure(parts_.parts[part_]);
      if (data_.stopped()) return SQLITE_INTERRUPT;
      if (!rows) return fail(rows.error().text);
      row_ = 0;
      rows_ = *rows;
      if (rows_ > 0) break;
    }
    return SQLITE_OK;
  }

  StatisticsParts parts_;
  std::size_t part_ = 0, row_ = 0, rows_ = 0;
};

class NameStatCursor final : public PartsCursor {
 public:
  NameStatCursor(const QueryData& data, std::shared_ptr<KeptStatistics> kept, int first,
                 std::size_t arguments)
      : PartsCursor(data, first, arguments), kept_(std::move(kept)) {}

 protected:
  Result<std::size_t> measure(const StatisticsPart& part) override {
    statistics_ = kept_->of(part);
    return statistics_->names.size();
  }

  void cell(sqlite3_context* out, int column) override {
    const NameStatistics& name = statistics_->names[row()];
    // By calls each counts 1.
    const auto count = static_cast<std::int64_t>(name.count);
    const auto sum = [&](std::int64_t ns) { sqlite3_result_int64(out, by_calls() ? count : ns); };
    const auto one = [&](std::int64_t ns) { sqlite3_result_int64(out, by_calls() ? 1 : ns); };
    switch (column) {
      case 0:
        return give_name(out, name.name);
      case 1:
        return give(out, name.count);
      case 2:
        return sum(name.total_ns);
      case 3:
        return sum(name.self_ns);
      case 4:
        return one(name.mean_ns());
      case 5:
        return one(name.median_ns);
      case 6:
        return one(name.p90_ns);
      case 7:
        return one(name.p99_ns);
      case 8:
        return one(name.min_ns);
      case 9:
        return one(name.max_ns);
      case 10:
        return sqlite3_result_double(out, by_calls()
                                              ? 100.0 * static_cast<double>(count) /
                                                    static_cast<double>(statistics_->call_count)
                                              : share_percent(*statistics_, name));
      case 11:
        return give(out, name.unfinished_count);
      case 12:
        return sqlite3_result_int64(out, data_.name_key(part().input, name.name));
      case 13:
        return give_slice(out, name.longest);
      default:
        return sqlite3_result_int64(out, part().trace);
    }
  }

 private:
  std::shared_ptr<KeptStatistics> kept_;
  std::shared_ptr<const SliceStatistics> statistics_;
};

class CallTreeCursor final : public PartsCursor {
 public:
  using PartsCursor::PartsCursor;

 protected:
  int begin() override {
    first_number_ = 1;
    order_.clear();
    return PartsCursor::begin();
  }

  Result<std::size_t> measure(const StatisticsPart& part) override {
    if (part.query.whole_calls && part.query.scope.has_range()) {
      return refused("call_tree cuts calls at the ends of a range: whole is 0");
    }
    first_number_ += static_cast<std::int64_t>(order_.size());
    tree_ = aggregate_calls(data_.slices(part.input), part.query.scope, data_.stop_flag(),
                            kMaxCallTreeNodes, data_.jobs());
    order_.clear();
    std::uint64_t calls = 0;
    for (std::size_t i = 1; i < tree_.nodes.size(); ++i) calls += tree_.nodes[i].count;
    data_.count_added_up(calls);
    if (data_.stopped()) return std::size_t{0};
    if (tree_.left_out > 0) {
      return refused(
          "call_tree: more than 2 000 000 different chains of callers; ask for a range or a "
          "thread");
    }
    // Callers first, and below each what it called, the longest first.
    number_.assign(tree_.nodes.size(), 0);
    std::vector<std::uint32_t> waiting{0};
    while (!waiting.empty()) {
      const std::uint32_t node = waiting.back();
      waiting.pop_back();
      if (node != 0) {
        number_[node] = first_number_ + static_cast<std::int64_t>(order_.size());
        order_.push_back(node);
      }
      const auto callees =
          tree_.callees_of(node, by_calls() ? CallWeight::calls : CallWeight::time);
      waiting.insert(waiting.end(), callees.rbegin(), callees.rend());
    }
    return order_.size();
  }

  void cell(sqlite3_context* out, int column) override {
    const CallTreeNode& node = tree_.nodes[order_[row()]];
    switch (column) {
      case 0:
        return sqlite3_result_int64(out, number_[order_[row()]]);
      case 1:
        return give_key(out, number_[node.caller]);
      case 2:
        return sqlite3_result_int64(out, node.depth);
      case 3:
        return give_name(out, node.name);
      case 4:
        return give(out, node.count);
      case 5:
        return by_calls() ? give(out, node.subtree_calls)
                          : sqlite3_result_int64(out, node.total_ns);
      case 6:
        return by_calls() ? give(out, node.count) : sqlite3_result_int64(out, node.self_ns);
      case 7:
        return give_slice(out, node.longest);
      case 8:
        return give_path(out, order_[row()]);
      default:
        return sqlite3_result_int64(out, part().trace);
    }
  }

 private:
  void give_path(sqlite3_context* out, std::uint32_t node) const {
    std::vector<std::string_view> names;
    for (; node != 0; node = tree_.nodes[node].caller) {
      names.push_back(data_.text(part().input, tree_.nodes[node].name));
    }
    give_joined(out, names);
  }

  AggregatedCallTree tree_;
  std::vector<std::uint32_t> order_;  // nodes, as they are shown
  std::vector<std::int64_t> number_;  // by node: its node_id; of node 0: none
  std::int64_t first_number_ = 1;
};

double call_count_of(const QueryData& data) {
  double count = 0;
  for (const QueryInput& input : data.inputs()) {
    count += static_cast<double>(input.timeline->slice_count);
  }
  return count;
}

std::unique_ptr<SqlTable> make_name_stat(QueryData& data) {
  auto kept = std::make_shared<KeptStatistics>(data);
  const double cost = 100 + call_count_of(data) * kWalkedRowCost;
  return std::make_unique<FunctionTable>(name_stat_table(), static_cast<double>(data.name_count()),
                                         cost, [&data, kept](int first, std::size_t arguments) {
                                           return std::make_unique<NameStatCursor>(
                                               data, kept, first, arguments);
                                         });
}

std::unique_ptr<SqlTable> make_call_tree(QueryData& data) {
  const double cost = 100 + call_count_of(data) * kWalkedRowCost * 4;
  return std::make_unique<FunctionTable>(
      call_tree_table(), 10 * static_cast<double>(data.name_count()), cost,
      [&data](int first, std::size_t arguments) {
        return std::make_unique<CallTreeCursor>(data, first, arguments);
      });
}

}  // namespace

const TableEntry& name_stat_table() {
  static const TableEntry entry = {
      .name = "name_stat",
      .help = "Calls added up by name, as in Statistics",
      .columns = with_arguments({{"name", text},
                                 {"count", integer},
                                 {"total", duration, "Recursive calls count once"},
                                 {"self", duration, "Without the time of calls inside"},
                                 {"mean", duration},
                                 {"median", duration},
                                 {"p90", duration},
                                 {"p99", duration},
                                 {"min", duration},
                                 {"max", duration},
                                 {"share", real, "Percent of the measured time"},
                                 {"unfinished", integer},
                                 {"name_id", integer},
                                 {"longest_slice_id", slice},
                                 {"trace_id", integer}},
                                statistics_parameters()),
      .make = make_name_stat};
  return entry;
}

const TableEntry& call_tree_table() {
  static const TableEntry entry = {
      .name = "call_tree",
      .help = "Calls added up by their chain of callers, as in the flame graph",
      .columns = with_arguments({{"node_id", integer},
                                 {"parent_node_id", integer},
                                 {"depth", integer, "1: outermost"},
                                 {"name", text},
                                 {"count", integer},
                                 {"total", duration},
                                 {"self", duration},
                                 {"longest_slice_id", slice},
                                 {"path", text, "Names from the outermost, joined by ;"},
                                 {"trace_id", integer}},
                                statistics_parameters()),
      .make = make_call_tree};
  return entry;
}

}  // namespace cinderscope
