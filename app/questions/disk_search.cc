#include "app/questions/disk_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ingest/base/parallel.h"
#include "ingest/search/name_mask.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

// Names alone tell what is found.
bool is_by_name(const SearchQuery& query) {
  return !query.empty() && std::ranges::all_of(query.terms, [](const SearchTerm& term) {
    return term.field == TermField::anything || term.field == TermField::name;
  });
}

}  // namespace

DiskSearch::DiskSearch(std::function<void()> wake)
    : wake_(std::move(wake)), survey_(wake_), matches_(wake_), steps_(wake_) {}

DiskSearch::~DiskSearch() = default;

void DiskSearch::forget() {
  survey_.forget();
  matches_.forget();
  steps_.forget();
  step_.reset();
  *percent_ = shown_percent_ = 0;
}

void DiskSearch::ask_survey(const Session& session) {
  // Of its own, so that what an earlier question still says of its progress goes nowhere.
  percent_ = std::make_shared<std::atomic<int>>(0);
  source_ = session.shared_source();
  survey_.ask(generation_, [source = source_, percent = percent_,
                            wake = wake_](const BackgroundQuestion<SurveyAnswer>& asked) {
    const unsigned jobs = std::max(1u, core_count() - 1);  // the window goes on meanwhile
    const auto progress = [&](double share) {
      const int now = static_cast<int>(share * 100);
      if (percent->exchange(now) != now && wake) wake();
    };
    const NameIndexReader* names = source->name_index();
    return names == nullptr ? nullptr : names->read(jobs, asked.cancelled, progress);
  });
}

void DiskSearch::ask_matches(const Session& session, const TraceSearch& search) {
  step_.reset();
  steps_.cancel();
  matches_.forget();
  const bool is_answerable = search.active() && is_by_name(search.query());
  matches_.ask(
      search.text(),
      [query = search.query(), index = *survey_.answer(), source = source_, is_answerable,
       strings = session.timeline().strings](
          const BackgroundQuestion<std::optional<Matches>>& asked) -> std::optional<Matches> {
        if (!is_answerable) return std::nullopt;
        const auto mask = name_mask(query, *strings, 1, asked.cancelled);
        if (!mask) return std::nullopt;
        Matches matches;
        for (const NameIndex::NameCount& count : index->names()) {
          const std::uint32_t name = cinderscope::index(count.name);
          if (!mask->holds(name)) continue;
          if (name >= matches.names.size()) matches.names.resize(std::size_t{name} + 1);
          matches.names[name] = true;
          matches.slices += count.slices;
          matches.instants += count.instants;
        }
        return matches;
      });
}

const DiskSearch::Matches* DiskSearch::matches() const {
  const std::optional<Matches>* answer = matches_.answer();
  return answer == nullptr || !*answer ? nullptr : &**answer;
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
  if (survey() != nullptr && matches_.is_due(search.text())) {
    ask_matches(session, search);
    changed = true;
  }
  changed |= matches_.poll();
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

std::string DiskSearch::measured_text() const {
  if (!needed_) return {};
  std::string text = "Only calls that are loaded are measured; ";
  if (survey() == nullptr) return text + progress_text() + ".";
  std::uint64_t calls = 0;
  for (const NameIndex::NameCount& name : survey()->names()) calls += name.slices;
  return text + fmt::format("the whole trace has {} of {} names.", count_text(calls),
                            count_text(survey()->names().size()));
}

std::string DiskSearch::search_text() const {
  if (!needed_) return {};
  if (survey() == nullptr) return progress_text();
  if (matches() == nullptr)
    return "arguments, threads and durations are searched in loaded calls only";
  std::string text = fmt::format("in the whole trace {} call{}", count_text(matches()->slices),
                                 matches()->slices == 1 ? "" : "s");
  if (matches()->instants > 0)
    text += fmt::format(" and {} points", count_text(matches()->instants));
  return text;
}

void DiskSearch::step(std::int64_t from_ns, int direction) {
  if (matches() == nullptr) return;
  steps_.ask(++step_count_, [index = *survey_.answer(), source = source_, names = matches()->names,
                             from_ns, direction](const BackgroundQuestion<Step>& asked) {
    Step step{index->nearest(names, from_ns, direction, asked.cancelled), direction};
    if (!step.place) {  // from the other end
      step.place =
          index->nearest(names, direction > 0 ? INT64_MIN : INT64_MAX, direction, asked.cancelled);
    }
    return step;
  });
}

std::optional<DiskSearch::Step> DiskSearch::take_step() {
  return std::exchange(step_, std::nullopt);
}

}  // namespace cinderscope
