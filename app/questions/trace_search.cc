#include "app/questions/trace_search.h"

#include <utility>

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

TraceSearch::TraceSearch(unsigned jobs, std::function<void()> wake)
    : jobs_(jobs), task_(wake), sorter_(wake) {}

void TraceSearch::set_text(std::string text) {
  if (text == text_) return;
  text_ = std::move(text);
  ++text_version_;
  step_ = 0;
  task_.cancel();
  asked_.reset();
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

void TraceSearch::forget() {
  sorter_.cancel();
  answer_ = {};
  answered_.reset();
  lines_.reset();
  sort_due_ = false;
  ranked_in_.reset();  // it holds all slices that were searched
}

bool TraceSearch::lines_fit() const {
  return lines_ && answer_.matches && !stale() &&
         lines_->matches->slices == answer_.matches->slices;
}

bool TraceSearch::stale() const {
  return !answered_ || answered_->text_version != text_version_ ||
         answered_->generation != generation_;
}

std::string TraceSearch::set_scope(SearchScope scope, const TimelineState& state) {
  if (scope == SearchScope::thread) {
    const MatchRef selected = selected_ref(state);
    if (!selected) return "Select a call first: its thread is the one to be searched.";
    scope_track_ = selected.track;
  }
  if (scope == SearchScope::range && !state.range) {
    return "Select a range first: drag over the timeline with Shift held.";
  }
  scope_ = scope;
  return {};
}

TraceSearch::Asked TraceSearch::wanted(const Session& session) const {
  Asked question{text_version_,
                 session.generation(),
                 session.children_generation(),
                 {},
                 session.source() != nullptr};
  if (scope_ == SearchScope::thread) question.scope.track = scope_track_;
  if (scope_ == SearchScope::range && session.state().range) {
    question.scope.begin_ns = session.state().range->begin_ns;
    question.scope.end_ns = session.state().range->end_ns;
  }
  return question;
}

void TraceSearch::ask(const Session& session, const Asked& question) {
  asked_ = question;
  complete_ = false;
  SearchQuestion search{.slices = session.slices(),
                        .query = query_,
                        .scope = question.scope,
                        .source = session.shared_source(),
                        .jobs = jobs_};
  task_.start([search = std::move(search)](const BackgroundQuestion<SearchAnswer>& asked) {
    return search_slices(search, asked.cancelled, asked.publish);
  });
}

bool TraceSearch::poll(Session& session) {
  bool changed = false;
  if (scope_ == SearchScope::range && !session.state().range) {
    scope_ = SearchScope::trace;
    changed = true;
  }
  // Tracks have other numbers in another timeline.
  const bool replaced = generation_ != 0 && generation_ != session.generation();
  if (replaced && scope_ == SearchScope::thread) {
    scope_track_ = selected_ref(session.state()).track;
    if (scope_track_ == kNoTrack) scope_ = SearchScope::trace;
    changed = true;
  }
  generation_ = session.generation();
  if (has_query_ && session.has_trace()) {
    const Asked question = wanted(session);
    // Snapshots and children come again and again: they wait until the last ones were searched.
    const bool can_wait = asked_ && asked_->text_version == question.text_version &&
                          asked_->scope == question.scope &&
                          (session.loading() || asked_->generation == question.generation) &&
                          asked_->with_source == question.with_source && task_.busy();
    if (asked_ != question && !can_wait) {
      ask(session, question);
      changed = true;
    }
    // Looked at first: the whole answer may come between the two.
    const bool busy = task_.busy();
    if (task_.take_out_of_memory()) {
      error_ = Error{ErrorCode::no_memory, "There is not enough memory for this search.", {}};
      changed = true;
    }
    if (auto answer = task_.take()) {
      answer_ = std::move(*answer);
      answered_ = asked_;
      ranked_in_.reset();
      sort_due_ = true;
      changed = true;
    }
    // Where no source will come (the load was stopped) names are all that can be searched.
    const bool done = !busy && asked_ == question && !session.loading();
    changed = changed || done != complete_;
    complete_ = done;
  }
  // Those that are not in order yet come once more, in order.
  const bool sortable = answer_.matches && (answer_.matches->ordered() ||
                                            answer_.matches->count() > kMostOrderedMatches);
  if (sortable && sort_due_ && !sorter_.busy()) {
    sort_due_ = false;
    sorter_.start([matches = answer_.matches, sorting = sorting_](
                      const BackgroundQuestion<std::shared_ptr<const MatchOrder>>& asked) {
      return std::make_shared<const MatchOrder>(order_lines(matches, sorting, asked.cancelled));
    });
  }
  if (sorter_.take_out_of_memory()) {
    error_ = Error{ErrorCode::no_memory, "There is not enough memory to list what was found.", {}};
    changed = true;
  }
  if (auto lines = sorter_.take()) {
    lines_ = std::move(*lines);
    changed = true;
  }
  return changed;
}

void TraceSearch::sort_by(MatchColumn column) {
  sorting_ = {column, column == sorting_.column && !sorting_.descending};
  sort_due_ = answer_.matches != nullptr;
}

const MatchOrder* TraceSearch::lines() const {
  return lines_.get();
}

std::optional<FoundMatch> TraceSearch::take_step(const TimelineState& state) {
  if (step_ == 0) return std::nullopt;
  if (!has_query_) {
    step_ = 0;
    return std::nullopt;
  }
  // The first hits are not the next ones.
  const bool known = answer_.matches && !stale() && answer_.names_done &&
                     (answer_.matches->count() > 0 || complete_);
  if (!known) return std::nullopt;
  FoundMatch found{.direction = std::exchange(step_, 0)};
  const MatchSet& set = *answer_.matches;
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
  if (!selected || !answer_.matches || stale()) return {};
  return is_match(*answer_.matches, selected) ? selected : MatchRef{};
}

std::optional<std::uint64_t> TraceSearch::current_rank(const TimelineState& state) {
  const MatchRef here = current(state);
  if (!here) return std::nullopt;
  if (ranked_in_ != answer_.matches || ranked_ != here) {
    ranked_in_ = answer_.matches;
    ranked_ = here;
    rank_ = rank_of(*answer_.matches, here);
  }
  return rank_;
}

}  // namespace cinderscope
