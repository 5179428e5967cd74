// Counts and searches the calls of a trace that is read piece by piece, those on disk included.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/questions/disk_matches.h"
#include "app/questions/latest.h"
#include "app/questions/trace_search.h"
#include "app/session/session.h"
#include "ingest/format/name_index.h"

namespace cinderscope {

// One for each tab; UI thread only. Reads the whole trace once after it was opened, and once more
// for each search that names alone do not answer.
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
    return needed_ && ((surveying() && search.active()) || found_.busy() || steps_.busy());
  }
  // Null until the whole trace was read once.
  const NameIndex* survey() const {
    return survey_.answer() == nullptr ? nullptr : survey_.answer()->get();
  }
  // All calls of the trace; nothing until it was read once, or where it could not be.
  std::optional<std::uint64_t> all_calls() const;
  // In words, empty where nothing lies on disk: "counting the calls on disk, 40 %".
  std::string progress_text() const;
  std::string search_text() const;    // what the search finds, on disk too
  std::string measured_text() const;  // which calls Statistics covers

  // All that the search finds, so far. Null: nothing is known, or what is on disk is not searched.
  DiskMatchesPointer matches() const {
    return found_.answer() == nullptr ? nullptr : *found_.answer();
  }
  // The same as lines of a table; null before they are sorted.
  const DiskLines* lines() const { return shared_lines().get(); }
  std::shared_ptr<const DiskLines> shared_lines() const {
    return matches() == nullptr || lines_.answer() == nullptr ? nullptr : *lines_.answer();
  }

  // Steps of the search may lead to calls on disk.
  bool leads() const;
  // Looks for the match after (+1) or before (-1) that place, of which duration and name say
  // nothing; take_step() gives it some polls later.
  void step(const DiskMatch& from, int direction);
  struct Step {
    std::optional<DiskMatch> match;  // nullopt: there is none
    int direction = 1;
    bool wrapped = false;  // it was looked for from the other end
  };
  std::optional<Step> take_step();

 private:
  struct Asked {
    std::string text;
    Scope scope;
    bool operator==(const Asked&) const = default;
  };
  struct Listed {
    DiskMatchesPointer matches;
    MatchSorting sorting;
    bool operator==(const Listed&) const = default;
  };
  using SurveyAnswer = std::shared_ptr<const NameIndex>;
  // The names that the search looks for, where it asks for nothing else.
  using NamesAnswer = std::shared_ptr<const NameIndex::NameSet>;

  void forget();
  void ask_survey(const Session& session);
  void ask_matches(const Session& session, const TraceSearch& search, const Asked& asked);
  void poll_lines(const TraceSearch& search, bool& changed);
  Step step_in_list(const DiskMatch& from, int direction) const;

  std::function<void()> wake_;
  std::uint64_t generation_ = UINT64_MAX;
  bool needed_ = false;
  // Outlives the survey, which reads its input.
  std::shared_ptr<const TraceSource> source_;
  std::shared_ptr<std::atomic<int>> percent_ = std::make_shared<std::atomic<int>>(0);
  int shown_percent_ = 0;
  std::uint64_t step_count_ = 0;
  std::optional<Step> step_;  // not taken yet
  // Of the timeline, once it was surveyed.
  std::shared_ptr<const DiskTracks> tracks_;
  // Last, so that what they use is still there while they end.
  Latest<std::uint64_t, SurveyAnswer> survey_;  // of a generation; null: it failed
  Latest<Asked, DiskMatchesPointer> found_;     // null: it cannot be answered
  Latest<Asked, NamesAnswer> names_;
  Latest<Listed, std::shared_ptr<const DiskLines>> lines_;
  Latest<std::uint64_t, Step> steps_;  // numbered
};

// The selected slice or instant as a place to go on from; nullopt if there is none.
std::optional<DiskMatch> selected_on_disk(const Timeline& timeline, const TimelineState& state);

}  // namespace cinderscope
