// What the selected range has in it, or the whole trace without one: its names, and its calls by
// their callers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "app/questions/latest.h"
#include "app/session/session.h"
#include "ingest/totals/aggregated_call_tree.h"
#include "ingest/totals/segment_totals.h"
#include "ingest/totals/slice_statistics.h"

namespace cinderscope {

// One for each tab. UI thread only.
class RangeTotals {
 public:
  // `wake` is called on another thread when poll() has something to take.
  explicit RangeTotals(const std::function<void()>& wake) : statistics_(wake), tree_(wake) {}

  // To be called while they are shown; `precomputed` as in slice_statistics(). While a range is
  // dragged each answer by name is let come to its end, so that there is something to see; the
  // tree, which takes longer, waits until the range rests.
  void ask(const Session& session, std::shared_ptr<const PrecomputedTotals> precomputed);
  // True if there is something new to draw.
  bool poll();
  bool busy() const { return statistics_.busy() || tree_.busy(); }
  // Of the range asked for or, while that is added up, of the one before; null before the first.
  const SliceStatistics* statistics(const Session& session) const;
  const AggregatedCallTree* tree(const Session& session) const;
  std::uint64_t version() const { return version_; }  // grows with each answer

 private:
  struct Question {
    Scope scope;
    std::uint64_t version = 0;  // of the session
    bool operator==(const Question&) const = default;
  };
  template <class Sums>
  struct Answer {
    std::shared_ptr<const Sums> sums;
    std::shared_ptr<const StringPool> strings;  // what names mean
  };
  Latest<Question, Answer<SliceStatistics>> statistics_;
  Latest<Question, Answer<AggregatedCallTree>> tree_;
  std::uint64_t version_ = 0;
};

}  // namespace cinderscope
