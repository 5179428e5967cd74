#include "app/questions/trace_search.h"

#include <utility>

#include "app/questions/chosen_scope.h"
#include "ingest/search/given_matches.h"

namespace cinderscope {

MatchRef selected_ref(const TimelineState& state) {
  if (state.selected) {
    return {state.selected.track, false, state.selected.block, state.selected.row,
            state.selected.slice};
  }
  if (!state.selected_instant) return {};
  const InstantRef& instant = state.selected_instant;
  return {instant.track, true, instant.block, instant.row, instant.instant};
}

TraceSearch::TraceSearch(unsigned jobs, const std::function<void()>& wake)
    : jobs_(jobs), found_(wake), lines_(wake) {}

void TraceSearch::set_text(std::string text) {
  if (text == text_) return;
  text_ = std::move(text);
  given_.reset();
  ++text_version_;
  step_ = 0;
  found_.cancel();
  Result<SearchQuery> query = parse_search(text_);
  error_.reset();
  if (query) {
    query_ = std::move(*query);
  } else {
    query_ = {};
    error_ = query.error();
  }
  has_query_ = !query_.empty();
  complete_ = !has_query_;
  // What was found before stays in sight until the first of the new is there.
  if (!has_query_) forget();
}

void TraceSearch::show_given(std::string text, std::vector<MatchRef> matches) {
  text_ = std::move(text);
  ++text_version_;
  step_ = 0;
  found_.cancel();
  query_ = {};
  error_.reset();
  given_ = std::make_shared<const std::vector<MatchRef>>(std::move(matches));
  has_query_ = true;
  complete_ = false;
}

void TraceSearch::forget() {
  found_.forget();
  lines_.forget();
  ranked_in_.reset();  // it holds all slices that were searched
}

bool TraceSearch::lines_fit() const {
  return lines() != nullptr && matches() && !stale() &&
         lines()->matches->slices == matches()->slices;
}

bool TraceSearch::stale() const {
  const std::optional<Asked>& answered = found_.answered();
  return !answered || answered->text_version != text_version_ ||
         answered->generation != generation_;
}

Status TraceSearch::set_scope(ScopeChoice scope, const TimelineState& state) {
  if (scope == ScopeChoice::thread) {
    std::vector<TrackId> tracks = selected_threads(state);
    if (const MatchRef selected = selected_ref(state); selected && tracks.empty()) {
      tracks.push_back(selected.track);
    }
    if (tracks.empty()) return refused("Select a call or threads first: they are searched.");
    scope_tracks_ = std::move(tracks);
  }
  if (scope == ScopeChoice::connected) {
    if (!state.selected) {
      return refused("Select a call first: what is connected with it is searched.");
    }
    scope_slice_ = state.selected;
  }
  if (scope == ScopeChoice::range && !state.range) {
    return refused("Select a range first: drag over the timeline with Shift held.");
  }
  scope_ = scope;
  return ok();
}

void TraceSearch::restore_scope(ScopeChoice scope, std::vector<TrackId> tracks) {
  std::ranges::sort(tracks);
  scope_ = scope == ScopeChoice::thread && tracks.empty() ? ScopeChoice::trace : scope;
  scope_tracks_ = std::move(tracks);
}

Status TraceSearch::set_slices(std::string_view word) {
  const std::optional<SlicesOf> slices = slices_of_word(word);
  if (!slices && !word.empty()) return refused("What is searched is calls, samples or both.");
  slices_ = slices;
  return ok();
}

Scope TraceSearch::searched(const Session& session) const {
  Scope scope;
  if (scope_ == ScopeChoice::thread) scope.tracks = scope_tracks_;
  if (scope_ == ScopeChoice::connected) {
    scope = connected_scope(scope_slice_);
    scope.slices = SlicesOf::both;  // flows know what they connect
  }
  if (scope_ == ScopeChoice::range) scope = scope_of_range(session.state().range);
  if (measures_kinds()) {
    scope.slices = slices_ ? *slices_ : slices_worth_searching(session.timeline(), scope);
  }
  return scope;
}

TraceSearch::Asked TraceSearch::wanted(const Session& session) const {
  return {.text_version = text_version_,
          .generation = session.generation(),
          .version = session.version(),
          .scope = searched(session),
          .with_source = session.source() != nullptr};
}

void TraceSearch::ask(const Session& session, const Asked& question) {
  complete_ = false;
  if (given_ != nullptr) {
    found_.ask(question, [slices = session.slices(),
                          given = given_](const BackgroundQuestion<SearchAnswer>& asked) {
      return SearchAnswer{.matches = given_matches(slices, *given, asked.cancelled),
                          .names_done = true,
                          .complete = true,
                          .records_read = 1};
    });
    return;
  }
  SearchQuestion search{.slices = session.slices(),
                        .query = query_,
                        .scope = question.scope,
                        .source = session.shared_source(),
                        .jobs = jobs_};
  found_.ask(question, [search = std::move(search)](const BackgroundQuestion<SearchAnswer>& asked) {
    return search_slices(search, asked.cancelled, asked.publish);
  });
}

bool TraceSearch::poll(Session& session) {
  bool changed = false;
  if (scope_ == ScopeChoice::range && !session.state().range) {
    scope_ = ScopeChoice::trace;
    changed = true;
  }
  // Tracks have other numbers in another timeline.
  const bool replaced = generation_ != 0 && generation_ != session.generation();
  if (replaced && scope_ == ScopeChoice::thread) {
    scope_tracks_ = selected_threads(session.state());
    const TrackId selected = selected_ref(session.state()).track;
    if (scope_tracks_.empty() && selected != kNoTrack) scope_tracks_.push_back(selected);
    if (scope_tracks_.empty()) scope_ = ScopeChoice::trace;
    changed = true;
  }
  if (replaced && scope_ == ScopeChoice::connected) {
    scope_slice_ = session.state().selected;
    if (!scope_slice_) scope_ = ScopeChoice::trace;
    changed = true;
  }
  generation_ = session.generation();
  if (replaced && given_ != nullptr) {
    set_text({});
    changed = true;
  }
  if (has_query_ && session.has_trace()) changed |= poll_answer(session);
  return poll_lines() || changed;
}

bool TraceSearch::poll_answer(const Session& session) {
  bool changed = false;
  const Asked question = wanted(session);
  // Snapshots and children come again and again: they wait until the last ones were searched.
  const std::optional<Asked>& asked = found_.asked();
  const bool can_wait = asked && asked->text_version == question.text_version &&
                        asked->scope == question.scope &&
                        (session.loading() || asked->generation == question.generation) &&
                        asked->with_source == question.with_source;
  if (found_.is_due(question, can_wait)) {
    ask(session, question);
    changed = true;
  }
  if (found_.poll()) {
    if (found_.out_of_memory()) {
      error_ = Error{ErrorCode::no_memory, "There is not enough memory for this search.", {}};
    }
    ranked_in_.reset();
    changed = true;
  }
  // Where no source will come (the load was stopped) names are all that can be searched.
  const bool done = found_.is_whole() && found_.asked() == question && !session.loading();
  changed = changed || done != complete_;
  complete_ = done;
  return changed;
}

bool TraceSearch::poll_lines() {
  // Matches that are not in order yet come once more, in order.
  const std::shared_ptr<const MatchSet>& set = matches();
  const Listed wanted{set, sorting_};
  const bool sortable = set && (set->ordered() || set->count() > kMostOrderedMatches);
  if (sortable && lines_.is_due(wanted, true)) {
    lines_.ask(wanted,
               [wanted](const BackgroundQuestion<std::shared_ptr<const MatchOrder>>& asked) {
                 return std::make_shared<const MatchOrder>(
                     order_lines(wanted.matches, wanted.sorting, asked.cancelled));
               });
  }
  if (!lines_.poll()) return false;
  if (lines_.out_of_memory()) {
    error_ = Error{ErrorCode::no_memory, "There is not enough memory to list what was found.", {}};
  }
  return true;
}

void TraceSearch::sort_by(MatchColumn column) {
  sorting_ = {column, column == sorting_.column && !sorting_.descending};
}

std::optional<FoundMatch> TraceSearch::take_step(const TimelineState& state) {
  if (step_ == 0) return std::nullopt;
  if (!has_query_) {
    step_ = 0;
    return std::nullopt;
  }
  // The first hits are not the next ones.
  const bool known =
      matches() && !stale() && answer().names_done && (matches()->count() > 0 || complete_);
  if (!known) return std::nullopt;
  FoundMatch found{.direction = std::exchange(step_, 0)};
  const MatchSet& set = *matches();
  const MatchRef here = current(state);
  found.match = here ? match_beside(set, here, found.direction)
                     : match_from(set, state.view.begin_ns, found.direction);
  if (!found.match && set.count() > 0) {
    found.wrapped = true;
    found.match = match_from(set, found.direction > 0 ? INT64_MIN : INT64_MAX, found.direction);
  }
  return found;
}

MatchRef TraceSearch::current(const TimelineState& state) const {
  const MatchRef selected = selected_ref(state);
  if (!selected || !matches() || stale()) return {};
  return is_match(*matches(), selected) ? selected : MatchRef{};
}

std::optional<std::uint64_t> TraceSearch::current_rank(const TimelineState& state) {
  const MatchRef here = current(state);
  if (!here) return std::nullopt;
  if (ranked_in_ != matches() || ranked_ != here) {
    ranked_in_ = matches();
    ranked_ = here;
    rank_ = rank_of(*matches(), here);
  }
  return rank_;
}

}  // namespace cinderscope
