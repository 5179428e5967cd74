// What lies on disk of a trace that is read piece by piece: counted in the background, and
// searched.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/questions/background_task.h"
#include "app/questions/trace_search.h"
#include "app/session/session.h"
#include "ingest/format/name_index.h"
#include "ingest/search/search_query.h"

namespace cinderscope {

// One per tab; UI thread only. Reads the whole trace once after it was opened.
class DiskSearch {
 public:
  explicit DiskSearch(std::function<void()> wake);
  ~DiskSearch();

  // Begins what is to be done and takes what is done; true if anything is to be drawn again.
  bool poll(const Session& session, const TraceSearch& finder);

  // Some of the trace lies on disk only.
  bool needed() const { return needed_; }
  bool surveying() const { return needed_ && survey_ == nullptr && !failed_; }
  // Something that a search waits for is on its way.
  bool busy(const TraceSearch& finder) const {
    return needed_ && ((surveying() && finder.active()) || matcher_.busy() || stepper_.busy());
  }
  // Null until the whole trace was read once.
  const NameIndex* survey() const { return survey_.get(); }
  // In words, empty where nothing lies on disk: "counting the calls on disk, 40 %".
  std::string progress_text() const;
  std::string search_text() const;    // what the search finds in the whole trace
  std::string measured_text() const;  // what Statistics covers

  // A step of the search can lead to calls on disk: the search is by names and all is counted.
  bool leads() const { return matches_.has_value(); }
  // Looks for the match after (+1) or before (-1) `from_ns`; found() gives it some polls later.
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

  std::function<void()> wake_;
  std::uint64_t generation_ = UINT64_MAX;
  bool needed_ = false, failed_ = false;
  // Outlives the survey, which reads its input.
  std::shared_ptr<const TraceSource> source_;
  std::shared_ptr<const NameIndex> survey_;
  std::shared_ptr<std::atomic<int>> percent_ = std::make_shared<std::atomic<int>>(0);
  int shown_percent_ = 0;
  std::string asked_text_;
  std::optional<Matches> matches_;
  std::optional<Step> step_;
  // Last, so that what they use is still there while they end.
  BackgroundTask<SurveyAnswer> surveyor_;
  BackgroundTask<std::optional<Matches>> matcher_;
  BackgroundTask<Step> stepper_;
};

}  // namespace cinderscope
