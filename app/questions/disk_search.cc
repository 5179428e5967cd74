#include "app/questions/disk_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ingest/base/parallel.h"
#include "ingest/search/name_mask.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

// Names alone tell what is found, or the first of it.
bool is_by_name(const SearchQuery& query) {
  return !query.empty() && std::ranges::all_of(query.terms, [](const SearchTerm& term) {
    return term.field == TermField::anything || term.field == TermField::name;
  });
}

unsigned background_jobs() {
  return std::max(1u, core_count() - 1);  // the window goes on meanwhile
}

std::string counted(std::uint64_t count, const char* what) {
  return count_text(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

DiskSearch::DiskSearch(std::function<void()> wake)
    : wake_(std::move(wake)),
      survey_(wake_),
      found_(wake_),
      names_(wake_),
      lines_(wake_),
      steps_(wake_) {}

DiskSearch::~DiskSearch() = default;

void DiskSearch::forget() {
  survey_.forget();
  found_.forget();
  names_.forget();
  lines_.forget();
  steps_.forget();
  step_.reset();
  tracks_.reset();
  *percent_ = shown_percent_ = 0;
}

void DiskSearch::ask_survey(const Session& session) {
  // Of its own, so that what an earlier question still says of its progress goes nowhere.
  percent_ = std::make_shared<std::atomic<int>>(0);
  source_ = session.shared_source();
  survey_.ask(generation_, [source = source_, percent = percent_, wake = wake_,
                            strings = session.timeline().strings](
                               const BackgroundQuestion<SurveyAnswer>& asked) {
    const auto progress = [&](double share) {
      const int now = static_cast<int>(share * 100);
      if (percent->exchange(now) != now && wake) wake();
    };
    const NameIndexReader* names = source->name_index();
    return names == nullptr ? nullptr
                            : names->read(strings, background_jobs(), asked.cancelled, progress);
  });
}

void DiskSearch::ask_matches(const Session& session, const TraceSearch& search,
                             const Asked& asked) {
  step_.reset();
  steps_.cancel();
  found_.forget();
  names_.forget();
  lines_.forget();
  if (tracks_ == nullptr) tracks_ = disk_tracks(*survey(), session.timeline());
  // What flows connect is loaded, since an end of a flow is a slice that was read: the search of
  // what is loaded finds all of it.
  const bool is_answerable = search.active() && !search.shows_given() && !asked.scope.has_set();
  found_.ask(asked, [question = DiskQuestion{.index = *survey_.answer(),
                                             .tracks = tracks_,
                                             .query = search.query(),
                                             .scope = asked.scope,
                                             .source = source_,
                                             .jobs = background_jobs()},
                     is_answerable](const BackgroundQuestion<DiskMatchesPointer>& running) {
    if (!is_answerable) return DiskMatchesPointer();
    return search_on_disk(question, running.cancelled, running.publish);
  });
  // A step to the next of a name has not to wait until the whole trace was searched.
  const bool by_name = is_answerable && asked.scope == Scope{} && is_by_name(search.query());
  names_.ask(asked,
             [query = search.query(), strings = session.timeline().strings,
              by_name](const BackgroundQuestion<NamesAnswer>& running) -> NamesAnswer {
               const auto mask = by_name ? name_mask(query, *strings, 1, running.cancelled)
                                         : std::optional<NameMask>();
               if (!mask || mask->empty()) return nullptr;
               NameIndex::NameSet names(strings->size());
               for (std::uint32_t name = 0; name < names.size(); ++name)
                 names[name] = mask->holds(name);
               return std::make_shared<const NameIndex::NameSet>(std::move(names));
             });
}

void DiskSearch::poll_lines(const TraceSearch& search, bool& changed) {
  if (matches() != nullptr) {
    const Listed wanted{matches(), search.sorting()};
    if (lines_.is_due(wanted, true)) {
      lines_.ask(wanted,
                 [wanted](const BackgroundQuestion<std::shared_ptr<const DiskLines>>& running) {
                   return std::make_shared<const DiskLines>(
                       order_lines(wanted.matches, wanted.sorting, running.cancelled));
                 });
    }
  }
  changed |= lines_.poll();
}

bool DiskSearch::poll(const Session& session, const TraceSearch& search) {
  const bool ready = session.phase() == SessionPhase::ready;
  if (!ready || generation_ != session.generation()) {
    if (needed_) forget();
    needed_ = ready && has_calls_on_disk(session.timeline());
    generation_ = ready ? session.generation() : UINT64_MAX;
    if (needed_) ask_survey(session);
  }
  if (!needed_) return false;
  bool changed = survey_.poll();
  changed |= std::exchange(shown_percent_, percent_->load()) != *percent_;
  const Asked asked{search.text(), search.searched(session)};
  if (survey() != nullptr && found_.is_due(asked)) {
    ask_matches(session, search, asked);
    changed = true;
  }
  changed |= found_.poll();
  changed |= names_.poll();
  poll_lines(search, changed);
  if (steps_.poll()) {
    if (steps_.answer() != nullptr) step_ = *steps_.answer();
    changed = true;
  }
  return changed;
}

std::string DiskSearch::progress_text() const {
  if (!needed_) return {};
  if (surveying()) return fmt::format("counting the calls on disk, {} %", shown_percent_);
  return survey() == nullptr ? "the calls on disk could not be counted" : "";
}

std::optional<std::uint64_t> DiskSearch::all_calls() const {
  if (!needed_ || survey() == nullptr) return std::nullopt;
  std::uint64_t calls = tracks_ == nullptr ? 0 : tracks_->loaded_calls;
  for (const NameIndex::NameCount& name : survey()->names()) calls += name.slices;
  return calls;
}

std::string DiskSearch::measured_text() const {
  if (!needed_) return {};
  std::string text = "Only calls that are loaded are measured; ";
  if (survey() == nullptr) return text + progress_text() + ".";
  const std::uint64_t calls = *all_calls();
  return text + fmt::format("{} {} of {} names.",
                            survey()->whole() ? "the whole trace has"
                                              : "those files that could be read have",
                            count_text(calls), count_text(survey()->names().size()));
}

std::string DiskSearch::search_text() const {
  if (!needed_) return {};
  if (survey() == nullptr) return progress_text();
  if (found_.out_of_memory()) return "there is not enough memory to search the calls on disk";
  const DiskMatchesPointer found = matches();
  if (found == nullptr) return found_.busy() ? "searching the calls on disk" : "";
  if (found->failed) return "the calls on disk could not be searched";
  std::string text;
  if (!found->complete) {
    text = fmt::format("searching the calls on disk, {:.0f} %: ", std::floor(found->share * 100));
  }
  const Scope& scope = found_.answered()->scope;
  const bool of_all = !scope.has_range() && !scope.names_tracks();
  if (!survey()->whole()) text += "without the files that could not be read, ";
  text += (of_all ? "in the whole trace " : "with those on disk ") + counted(found->slices, "call");
  if (found->instants > 0) text += " and " + counted(found->instants, "point");
  if (!found->all_listed()) {
    text += fmt::format(", the first {} are listed", count_text(found->listed.size()));
  }
  return text;
}

bool DiskSearch::leads() const {
  const DiskMatchesPointer found = matches();
  const bool by_name = names_.answer() != nullptr && *names_.answer() != nullptr;
  return by_name || (found != nullptr && (found->complete || !found->listed.empty()));
}

DiskSearch::Step DiskSearch::step_in_list(const DiskMatch& from, int direction) const {
  const DiskMatchesPointer found = matches();
  const std::vector<DiskMatch>& listed = found->listed;
  const auto place = [](const DiskMatch& match) { return match.place(); };
  Step step{.direction = direction};
  if (listed.empty()) return step;
  if (direction > 0) {
    const auto next = std::ranges::upper_bound(listed, from.place(), {}, place);
    step.wrapped = next == listed.end();
    step.match = step.wrapped ? listed.front() : *next;
  } else {
    const auto next = std::ranges::lower_bound(listed, from.place(), {}, place);
    step.wrapped = next == listed.begin();
    step.match = step.wrapped ? listed.back() : *std::prev(next);
  }
  return step;
}

void DiskSearch::step(const DiskMatch& from, int direction) {
  if (!leads()) return;
  const DiskMatchesPointer found = matches();
  const NamesAnswer names = names_.answer() == nullptr ? nullptr : *names_.answer();
  const bool is_known = found != nullptr && found->complete && found->all_listed();
  if (is_known || names == nullptr) {
    step_ = step_in_list(from, direction);
    return;
  }
  steps_.ask(++step_count_, [index = *survey_.answer(), source = source_, names, tracks = tracks_,
                             from_ns = from.begin_ns,
                             direction](const BackgroundQuestion<Step>& asked) {
    Step step{.direction = direction};
    auto place = index->nearest(*names, from_ns, direction, asked.cancelled);
    if (!place) {
      place =
          index->nearest(*names, direction > 0 ? INT64_MIN : INT64_MAX, direction, asked.cancelled);
      step.wrapped = place.has_value();
    }
    if (place) {
      step.match = DiskMatch{.begin_ns = place->begin_ns,
                             .track = tracks->of_thread[place->thread],
                             .record = place->record,
                             .instant = place->instant};
    }
    return step;
  });
}

std::optional<DiskSearch::Step> DiskSearch::take_step() {
  return std::exchange(step_, std::nullopt);
}

std::optional<DiskMatch> selected_on_disk(const Timeline& timeline, const TimelineState& state) {
  const auto match_of = [](TrackId track, const Slice& slice, bool instant) {
    return DiskMatch{slice.begin_ns, track, slice.record, slice.duration_ns, slice.name, instant};
  };
  if (const SliceRow* instants = instants_of(timeline, state.selected_instant)) {
    const InstantRef& instant = state.selected_instant;
    return match_of(instant.track, instants->slice(instant.instant), true);
  }
  if (block_of(timeline, state.selected) == nullptr) return std::nullopt;
  return match_of(state.selected.track, slice_at(timeline, state.selected), false);
}

}  // namespace cinderscope
