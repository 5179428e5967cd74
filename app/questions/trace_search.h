// The search of a tab: its text and scope, the matches so far, and the steps through them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/questions/latest.h"
#include "app/session/session.h"
#include "ingest/search/match_order.h"
#include "ingest/search/slice_search.h"
#include "render/base/scope_choice.h"

namespace cinderscope {

// Where a step leads.
struct FoundMatch {
  MatchRef match;  // falsy: there is none
  bool wrapped = false;
  int direction = 1;
};

// UI thread only. The text stays when the timeline is replaced, which is then searched again.
class TraceSearch {
 public:
  // `wake` is called on a worker thread when poll() has something to do.
  TraceSearch(unsigned jobs, const std::function<void()>& wake);

  const std::string& text() const { return text_; }
  void set_text(std::string text);
  // Shows what was found elsewhere, as a search of this text. It goes with the next text, and with
  // the timeline that the matches are of.
  void show_given(std::string text, std::vector<MatchRef> matches);
  bool shows_given() const { return given_ != nullptr; }
  // What somebody typed to be searched for.
  std::string typed_text() const { return shows_given() ? std::string() : text_; }
  ScopeChoice scope() const { return scope_; }
  const std::vector<TrackId>& scope_tracks() const { return scope_tracks_; }
  const SliceRef& scope_slice() const { return scope_slice_; }
  // An Error says which selection or range is missing.
  Status set_scope(ScopeChoice scope, const TimelineState& state);
  // As it was in a session; without tracks the whole trace is searched.
  void restore_scope(ScopeChoice scope, std::vector<TrackId> tracks);
  std::string slices_word() const { return slices_ ? std::string(word_of(*slices_)) : ""; }
  // A word of the command `search-slices`: what is searched of the scope. Empty: calls, and samples
  // where the scope has no calls.
  Status set_slices(std::string_view word);
  // The choice between calls and samples makes a difference.
  bool measures_kinds() const {
    return scope_ == ScopeChoice::trace || scope_ == ScopeChoice::range;
  }
  // What is searched now, the selected range and samples taken into account.
  Scope searched(const Session& session) const;

  // Starts what has to be searched and takes matches; true if anything has to be drawn again.
  bool poll(Session& session);
  // There is a search, and not all of its matches are known.
  bool searching() const { return has_query_ && !complete_; }

  const SearchQuery& query() const { return query_; }  // of an active search
  // There is something to search for: the timeline dims all that does not match.
  bool active() const { return has_query_; }
  const std::optional<Error>& error() const { return error_; }
  // Null before the first match. Where stale() they belong to an earlier text or timeline and are
  // only drawn until the new ones come.
  const std::shared_ptr<const MatchSet>& matches() const { return answer().matches; }
  bool stale() const;
  const SearchAnswer& answer() const {
    return found_.answer() == nullptr ? nothing_ : *found_.answer();
  }
  bool complete() const { return !has_query_ || complete_; }

  MatchSorting sorting() const { return sorting_; }
  void sort_by(MatchColumn column);  // the same column again reverses it
  // Null before the first match; by time until they are sorted as asked.
  const MatchOrder* lines() const { return shared_lines().get(); }
  std::shared_ptr<const MatchOrder> shared_lines() const {
    return lines_.answer() == nullptr ? nullptr : *lines_.answer();
  }
  // The lines are of the timeline that is shown: a click on one leads to its match.
  bool lines_fit() const;

  // Asks for the next (+1) or previous (-1) match; take_step() gives it as soon as it is known.
  void step(int direction) { step_ = direction; }
  // The step that is asked for, 0: none; for DiskSearch, which takes it over.
  int wanted_step() const { return step_; }
  void drop_step() { step_ = 0; }
  std::optional<FoundMatch> take_step(const TimelineState& state);

  // The selected match, falsy if what is selected is none, and its place among all.
  MatchRef current(const TimelineState& state) const;
  std::optional<std::uint64_t> current_rank(const TimelineState& state);

 private:
  struct Asked {
    std::uint64_t text_version = 0;
    std::uint64_t generation = 0, version = 0;  // of the session
    Scope scope;
    bool with_source = false;
    bool operator==(const Asked&) const = default;
  };
  struct Listed {
    std::shared_ptr<const MatchSet> matches;
    MatchSorting sorting;
    bool operator==(const Listed&) const = default;
  };
  Asked wanted(const Session& session) const;
  bool poll_answer(const Session& session);
  bool poll_lines();
  void ask(const Session& session, const Asked& question);
  void forget();

  unsigned jobs_;
  std::string text_;
  std::uint64_t text_version_ = 0;
  SearchQuery query_;
  bool has_query_ = false, complete_ = true;
  std::optional<Error> error_;
  std::shared_ptr<const std::vector<MatchRef>> given_;  // in place of the query; null: none
  ScopeChoice scope_ = ScopeChoice::trace;
  std::vector<TrackId> scope_tracks_;  // ascending
  SliceRef scope_slice_;               // what is searched is connected with it
  std::optional<SlicesOf> slices_;
  std::uint64_t generation_ = 0;  // of the timeline at the last poll()
  MatchSorting sorting_;
  int step_ = 0;
  const SearchAnswer nothing_;
  Latest<Asked, SearchAnswer> found_;
  Latest<Listed, std::shared_ptr<const MatchOrder>> lines_;
  // The last answer of current_rank().
  std::shared_ptr<const MatchSet> ranked_in_;
  MatchRef ranked_;
  std::optional<std::uint64_t> rank_;
};

// The selection as a match is named; falsy if there is none.
MatchRef selected_ref(const TimelineState& state);

}  // namespace cinderscope
