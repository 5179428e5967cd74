// Counts and searches the calls that are still on disk, of a trace that is read piece by piece.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/questions/latest.h"
#include "app/questions/trace_search.h"
#include "app/session/session.h"
#include "ingest/format/name_index.h"
#include "ingest/search/search_query.h"

namespace cinderscope {

// One for each tab; UI thread only. Reads the whole trace once after it was opened.
class DiskSearch {
 public:
  explicit DiskSearch(std::function<void()> wake);
  ~DiskSearch();

  // Starts and takes answers; true if anything has to be drawn again.
  bool poll(const Session& session, const TraceSearch& search);

  // Some of the trace lies on disk only.
  bool needed() const { return needed_; }
  bool surveying() const { return needed_ && survey_.busy(); }
  // A search waits for an answer.
  bool busy(const TraceSearch& search) const {
    return needed_ && ((surveying() && search.active()) || matches_.busy() || steps_.busy());
  }
  // Null until the whole trace was read once.
  const NameIndex* survey() const {
    return survey_.answer() == nullptr ? nullptr : survey_.answer()->get();
  }
  // In words, empty where nothing lies on disk: "counting the calls on disk, 40 %".
  std::string progress_text() const;
  std::string search_text() const;    // what the search finds in the whole trace
  std::string measured_text() const;  // which calls Statistics covers

  // Steps of the search may lead to calls on disk: it is by names, and these are counted.
  bool leads() const { return matches() != nullptr; }
  // Looks for the match after (+1) or before (-1) `from_ns`; take_step() gives it some polls later.
  void step(std::int64_t from_ns, int direction);
  struct Step {
    std::optional<NameIndex::Place> place;  // nullopt: there is none
    int direction = 1;
  };
  std::optional<Step> take_step();

 private:
  struct Matches {
    NameIndex::NameSet names;
    std::uint64_t slices = 0, instants = 0;
  };
  using SurveyAnswer = std::shared_ptr<const NameIndex>;

  void forget();
  void ask_survey(const Session& session);
  void ask_matches(const Session& session, const TraceSearch& search);
  const Matches* matches() const;  // null: not known, or names alone do not tell

  std::function<void()> wake_;
  std::uint64_t generation_ = UINT64_MAX;
  bool needed_ = false;
  // Outlives the survey, which reads its input.
  std::shared_ptr<const TraceSource> source_;
  std::shared_ptr<std::atomic<int>> percent_ = std::make_shared<std::atomic<int>>(0);
  int shown_percent_ = 0;
  std::uint64_t step_count_ = 0;
  std::optional<Step> step_;  // not taken yet
  // Last, so that what they use is still there while they end.
  Latest<std::uint64_t, SurveyAnswer> survey_;           // of a generation; null: it failed
  Latest<std::string, std::optional<Matches>> matches_;  // of a search's text
  Latest<std::uint64_t, Step> steps_;                    // numbered
};

}  // namespace cinderscope
