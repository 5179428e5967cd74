#include "ingest/sql/run/estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "ingest/base/grouped_text.h"
#include "ingest/base/number_text.h"

namespace cinderscope {

namespace {

// Of a row that SQLite takes, and of one that it puts into a tree or sorts; measured.
constexpr double kRowSeconds = 60e-9, kSortedRowSeconds = 650e-9;
constexpr double kWorthSaying = 2;  // seconds

double number_behind(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return -1;
  std::string_view digits = text.substr(at + key.size());
  digits = digits.substr(0, digits.find(' '));
  return parse_number<double>(digits).value_or(-1);
}

class Plan {
 public:
  explicit Plan(const std::vector<PlanLine>& lines) {
    for (const PlanLine& line : lines) below_[line.parent].push_back(&line);
  }

  struct Cost {
    double rows = 1, seconds = 0;
  };
  // Of all that lies below a line. As deep as expressions may be, so it may call itself.
  Cost cost_below(int parent, int depth = 0) {
    Cost cost;
    if (depth > 250) return cost;
    bool is_union = false;
    for (const PlanLine* line : below_[parent]) {
      const std::string_view detail = line->detail;
      if (detail.starts_with("SCAN ") || detail.starts_with("SEARCH ")) {
        std::string name = line->detail.substr(detail.find(' ') + 1);
        name = name.substr(0, name.find(' '));
        const double rows = number_behind(detail, "rows="), each = number_behind(detail, "cost=");
        if (rows >= 0) {
          cost.seconds += cost.rows * std::max(each, rows) * kRowSeconds;
          cost.rows *= std::max(rows, 1.0);
          largest_ = std::max(largest_, cost.rows);
        } else {
          const auto found = rows_of_.find(name);
          cost.rows *= found == rows_of_.end() ? 100 : found->second;
          cost.seconds += cost.rows * kRowSeconds;
        }
      } else if (detail.starts_with("MATERIALIZE ") || detail.starts_with("CO-ROUTINE ")) {
        const Cost once = cost_below(line->id, depth + 1);
        rows_of_[line->detail.substr(detail.find(' ') + 1)] = once.rows;
        cost.seconds += once.seconds;
      } else if (detail.starts_with("CORRELATED")) {
        cost.seconds += cost.rows * cost_below(line->id, depth + 1).seconds;
      } else if (detail.starts_with("USE TEMP B-TREE FOR ")) {
        cost.seconds += cost.rows * kSortedRowSeconds;
        (detail.ends_with("GROUP BY") ? grouped_ : sorted_) = true;
      } else {
        const Cost inner = cost_below(line->id, depth + 1);
        cost.seconds += inner.seconds;
        const bool part = detail.ends_with("SUBQUERY") || detail.starts_with("UNION");
        if (part) {
          cost.rows = is_union ? cost.rows + inner.rows : inner.rows;
          is_union = true;
        } else if (detail.starts_with("COMPOUND") || detail.starts_with("MERGE")) {
          cost.rows = std::max(cost.rows, inner.rows);
        }
      }
    }
    return cost;
  }
  double largest() const { return largest_; }
  const char* done_with_rows() const {
    return grouped_ ? "grouped" : sorted_ ? "sorted" : "looked at";
  }

 private:
  std::map<int, std::vector<const PlanLine*>> below_;
  std::map<std::string, double> rows_of_;  // of sub-queries by name
  double largest_ = 0;
  bool grouped_ = false, sorted_ = false;
};

}  // namespace

QueryEstimate estimate_of(const std::vector<PlanLine>& lines) {
  Plan plan(lines);
  const double seconds = plan.cost_below(0).seconds;
  QueryEstimate estimate{.seconds = seconds,
                         .rows = static_cast<std::uint64_t>(std::min(plan.largest(), 1e18))};
  for (const PlanLine& line : lines) estimate.plan.push_back(line.detail);
  if (seconds >= kWorthSaying) {
    const double shown = seconds < 10 ? std::round(seconds) : std::round(seconds / 5) * 5;
    estimate.text = fmt::format("about {:.0f} s: {} rows {} one by one.", shown,
                                grouped(estimate.rows), plan.done_with_rows());
  }
  return estimate;
}

}  // namespace cinderscope
