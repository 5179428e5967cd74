// What the selected range has in it: its names and its calls by their callers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "app/questions/latest.h"
#include "app/session/session.h"
#include "ingest/totals/aggregated_call_tree.h"
#include "ingest/totals/segment_totals.h"
#include "ingest/totals/slice_statistics.h"

namespace cinderscope {

struct RangeSums {
  SliceStatistics statistics;
  // Takes longer: until it is known that of the range before. Null: there was none.
  std::shared_ptr<const AggregatedCallTree> tree;
  std::shared_ptr<const StringPool> strings;
};

// One for each tab. UI thread only. While a range is dragged each answer is let come to its end, so
// that there is something to see.
class RangeTotals {
 public:
  // `wake` is called on another thread when poll() has something to take.
  explicit RangeTotals(std::function<void()> wake) : totals_(std::move(wake)) {}

  // To be called while they are shown; `precomputed` as in slice_statistics().
  void ask(const Session& session, std::shared_ptr<const PrecomputedTotals> precomputed);
  // True if there is something new to draw.
  bool poll();
  bool busy() const { return totals_.busy(); }
  // Of the range asked for or, while that is added up, of the one before; null before the first.
  const RangeSums* found(const Session& session) const;
  std::uint64_t version() const { return version_; }  // grows with each answer

 private:
  struct Question {
    Scope scope;
    std::uint64_t version = 0;  // of the session
    bool operator==(const Question&) const = default;
  };
  using Answer = std::shared_ptr<const RangeSums>;
  Latest<Question, Answer> totals_;
  std::uint64_t version_ = 0;
};

}  // namespace cinderscope
