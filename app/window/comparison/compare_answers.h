// What a comparison knows: its runs measured one after the other, their names brought together, and
// the table that follows from both. All but the table is found in the background.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/compare/side_text.h"
#include "app/questions/latest.h"
#include "app/session/session.h"
#include "ingest/compare/comparison.h"
#include "ingest/compare/thread_pairs.h"

namespace cinderscope {

struct CompareRun {
  std::string path;
  // Its numbers, where a saved side has them or they were taken before; else null.
  std::shared_ptr<const MeasuredRun> saved;
  std::string problem;    // why it could not be read; empty: it could, or was not tried
  bool left_out = false;  // its check box is off
};

// What of a side is compared. The first run is the one that its lane shows.
struct CompareSource {
  std::vector<CompareRun> runs;
  ComparedPart part;
  std::string part_text;  // of what was measured before; empty: as `part` says

  bool has_saved() const {
    return std::ranges::any_of(runs, [](const CompareRun& run) { return run.saved != nullptr; });
  }
};

// "+1s .. +2s, worker"; empty: all.
std::string words_of(const ComparedPart& part);

// A run that is shown, as it was measured last, with what it was measured from.
struct ShownRun {
  std::shared_ptr<const MeasuredRun> measured;
  std::shared_ptr<const SliceSet> slices;
  RunQuestion question;
};

// Reads a run, takes its numbers and lets it go again. Any thread.
Result<std::shared_ptr<const MeasuredRun>> measured_file(const std::string& path,
                                                         const ComparedPart& part,
                                                         const std::vector<std::string>& ignored,
                                                         const std::atomic<bool>& cancelled);

// UI thread only.
class CompareAnswers {
 public:
  explicit CompareAnswers(const std::function<void()>& wake);

  OfSides<CompareSource>& sources() { return sources_; }
  const OfSides<CompareSource>& sources() const { return sources_; }
  void sources_changed() { ++sources_version_; }
  void sides_swapped();  // and the sessions with them: nothing is measured again
  const NameRules& rules() const { return rules_; }
  void set_rules(NameRules rules);
  const ComparisonOptions& options() const { return options_; }
  // An Error leaves them as they are.
  Status set_options(ComparisonOptions options);
  void pair_by_hand(ThreadPair pair);
  // Names as read, of both sides: their time is their callers'.
  const std::vector<std::string>& ignored() const { return ignored_; }
  void set_ignored(std::vector<std::string> names) {
    ignored_ = std::move(names);
    sources_changed();
  }

  // Measures what has changed; `shown` are the sessions of the lanes. True: there is news.
  bool poll(const OfSides<Session*>& shown);
  bool busy() const;
  // Both sides are there and nothing newer is on its way.
  bool whole() const;

  // Null until both sides are measured for the first time.
  const ComparedSides* sides() const { return sides_.get(); }
  const std::shared_ptr<const ComparedSides>& shared_sides() const { return sides_; }
  const Comparison* comparison() const { return comparison_ ? &*comparison_ : nullptr; }
  const OfSides<ShownRun>& shown_runs() const { return shown_; }
  const std::vector<ThreadPair>& thread_pairs() const { return pairs_; }
  std::uint64_t version() const { return version_; }              // grows with everything above
  std::uint64_t names_version() const { return names_version_; }  // grows with sides()
  // The first run has no calls: there is nothing for its lane.
  bool numbers_only(Side side) const { return sources_[side].runs.front().saved != nullptr; }
  const std::string& problem() const { return problem_; }  // why there is nothing; empty: none
  double ready_ms() const { return ready_ms_; }            // how long the last answer took
  bool more_runs_to_come() const { return others_.busy(); }

 private:
  using Clock = std::chrono::steady_clock;
  struct RunKey {
    std::uint64_t version = 0;  // of the session
    std::uint64_t sources = 0;
    StatisticsQuery query;
    bool operator==(const RunKey&) const = default;
  };
  struct OthersKey {
    std::uint64_t sources = 0;
    bool operator==(const OthersKey&) const = default;
  };
  struct SidesKey {
    std::uint64_t shown = 0, others = 0;
    NameRules rules;
    bool operator==(const SidesKey&) const = default;
  };
  // Either is null; shared, since answers are copied.
  struct SidesAnswer {
    std::shared_ptr<const ComparedSides> sides;
    std::string problem;
  };
  using OtherRuns = OfSides<SideRuns>;

  bool measure_shown(Side side, Session& session);
  bool take_saved(Side side);
  bool measure_others();
  bool bring_together();
  void make_table();
  void pair_shown_threads();
  OfSides<SideRuns> all_runs() const;

  OfSides<CompareSource> sources_;
  std::uint64_t sources_version_ = 1, shown_version_ = 0, others_version_ = 0, version_ = 0;
  std::uint64_t names_version_ = 0;
  NameRules rules_;
  std::vector<std::string> ignored_;
  ComparisonOptions options_;
  std::vector<ThreadPair> pairs_by_hand_, pairs_;
  OfSides<ShownRun> shown_, measuring_;
  OfSides<std::unique_ptr<Latest<RunKey, std::shared_ptr<const MeasuredRun>>>> measure_;
  OfSides<Clock::time_point> measured_at_{};
  Latest<OthersKey, OtherRuns> others_;
  OtherRuns other_runs_;
  Latest<SidesKey, SidesAnswer> together_;
  std::shared_ptr<const ComparedSides> sides_;
  std::optional<Comparison> comparison_;
  std::string problem_;
  OfSides<std::string> part_problem_;
  std::optional<Clock::time_point> asked_;
  double ready_ms_ = 0;
};

}  // namespace cinderscope
