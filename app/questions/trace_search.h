// The search of one tab: what is asked, what was found so far, and the steps through it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/questions/background_task.h"
#include "app/session/session.h"
#include "ingest/search/match_order.h"
#include "ingest/search/slice_search.h"

namespace cinderscope {

enum class SearchScope : std::uint8_t { trace, thread, range };

// Where a step leads.
struct FoundMatch {
  MatchRef match;  // falsy: there is none
  bool wrapped = false;
  int direction = 1;
};

// UI thread only. The text lives on while timelines come and go: it is asked again of each.
class TraceSearch {
 public:
  // `wake` is called on a worker thread when poll() has something to do.
  TraceSearch(unsigned jobs, std::function<void()> wake);

  const std::string& text() const { return text_; }
  void set_text(std::string text);
  SearchScope scope() const { return scope_; }
  TrackId scope_track() const { return scope_track_; }
  // Empty, or what is missing: a selection or a range.
  std::string set_scope(SearchScope scope, const TimelineState& state);

  // Asks what is to be asked now and takes what was found; true if anything is to be drawn again.
  bool poll(Session& session);
  // There is a search, and not all of its answer is known.
  bool searching() const { return has_query_ && !complete_; }

  const SearchQuery& query() const { return query_; }  // of an active search
  // Something is searched for: all else steps back.
  bool active() const { return has_query_; }
  const std::optional<Error>& error() const { return error_; }
  // Null while nothing is known. Where stale() they answer what was asked before, maybe of an
  // earlier timeline: good to be looked at until the new ones come, and for nothing else.
  const std::shared_ptr<const MatchSet>& matches() const { return answer_.matches; }
  bool stale() const;
  const SearchAnswer& answer() const { return answer_; }
  bool complete() const { return !has_query_ || complete_; }

  MatchSorting sorting() const { return sorting_; }
  void sort_by(MatchColumn column);  // the same column again turns it round
  // Null while nothing is known; by time until the wanted order was made.
  const MatchOrder* lines() const;
  // Places of the lines are those of the timeline that is shown; else they lead nowhere.
  bool lines_fit() const;

  // Leads to the next (+1) or previous (-1) match as soon as it is known: take_step() says where.
  void step(int direction) { step_ = direction; }
  // For what answers a step in another way: which one is wanted, 0: none.
  int wanted_step() const { return step_; }
  void drop_step() { step_ = 0; }
  std::optional<FoundMatch> take_step(const TimelineState& state);

  // The selected match, falsy if what is selected is none, and its place among all.
  MatchRef current(const TimelineState& state) const;
  std::optional<std::uint64_t> current_rank(const TimelineState& state);

 private:
  struct Asked {
    std::uint64_t text_version = 0, generation = 0, children = 0;
    SliceScope scope;
    bool with_source = false;
    bool operator==(const Asked&) const = default;
  };
  Asked wanted(const Session& session) const;
  void ask(const Session& session, const Asked& question);
  void forget();

  unsigned jobs_;
  BackgroundTask<SearchAnswer> task_;
  BackgroundTask<std::shared_ptr<const MatchOrder>> sorter_;
  std::string text_;
  std::uint64_t text_version_ = 0;
  SearchQuery query_;
  bool has_query_ = false, complete_ = true;
  std::optional<Error> error_;
  SearchScope scope_ = SearchScope::trace;
  TrackId scope_track_ = kNoTrack;
  std::optional<Asked> asked_;
  SearchAnswer answer_;
  std::optional<Asked> answered_;  // what `answer_` answers
  std::uint64_t generation_ = 0;   // of the timeline at the last poll()
  MatchSorting sorting_;
  std::shared_ptr<const MatchOrder> lines_;
  bool sort_due_ = false;
  int step_ = 0;
  // What current_rank() was last told of.
  std::shared_ptr<const MatchSet> ranked_in_;
  MatchRef ranked_;
  std::optional<std::uint64_t> rank_;
};

// The selection as a match is named; falsy if there is none.
MatchRef selected_ref(const TimelineState& state);

}  // namespace cinderscope
