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
    : wake_(std::move(wake)), surveyor_(wake_), matcher_(wake_), stepper_(wake_) {}

DiskSearch::~DiskSearch() = default;

void DiskSearch::forget() {
  surveyor_.cancel();
  matcher_.cancel();
  stepper_.cancel();
  survey_.reset();
  matches_.reset();
  step_.reset();
  asked_text_.clear();
  failed_ = false;
  *percent_ = shown_percent_ = 0;
}

void DiskSearch::ask_survey(const Session& session) {
  // Of its own, so that what an earlier question still says of its progress goes nowhere.
  percent_ = std::make_shared<std::atomic<int>>(0);
  source_ = session.shared_source();
  surveyor_.start([source = source_, percent = percent_,
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

bool DiskSearch::poll(const Session& session, const TraceSearch& finder) {
  bool changed = false;
  const bool ready = session.phase() == SessionPhase::ready;
  if (!ready || generation_ != session.generation()) {
    if (needed_) forget();
    needed_ = ready && has_calls_on_disk(session.timeline());
    generation_ = ready ? session.generation() : UINT64_MAX;
    if (needed_) ask_survey(session);
  }
  if (!needed_) return false;
  if (surveying()) {
    const bool busy = surveyor_.busy();
    if (auto answer = surveyor_.take()) {
      survey_ = std::move(*answer);
      failed_ = survey_ == nullptr;
      changed = true;
    } else if (!busy) {
      failed_ = true;
    }
    changed = changed || std::exchange(shown_percent_, percent_->load()) != *percent_;
  }
  if (survey_ != nullptr && asked_text_ != finder.text()) {
    asked_text_ = finder.text();
    matches_.reset();
    step_.reset();
    stepper_.cancel();
    changed = true;
    if (!finder.active() || !is_by_name(finder.query())) {
      matcher_.cancel();
    } else {
      matcher_.start(
          [query = finder.query(), survey = survey_, source = source_,
           strings = session.timeline().strings](
              const BackgroundQuestion<std::optional<Matches>>& asked) -> std::optional<Matches> {
            const auto mask = name_mask(query, *strings, 1, asked.cancelled);
            if (!mask) return std::nullopt;
            Matches matches;
            for (const NameIndex::NameCount& count : survey->names()) {
              if (!mask->holds(index(count.name))) continue;
              if (index(count.name) >= matches.names.size()) {
                matches.names.resize(std::size_t{index(count.name)} + 1);
              }
              matches.names[index(count.name)] = true;
              matches.slices += count.slices;
              matches.instants += count.instants;
            }
            return matches;
          });
    }
  }
  if (auto matches = matcher_.take()) {
    matches_ = std::move(*matches);
    changed = true;
  }
  if (auto step = stepper_.take()) {
    step_ = *step;
    changed = true;
  }
  return changed;
}

std::string DiskSearch::progress_text() const {
  if (!needed_) return {};
  if (failed_) return "the calls on disk could not be counted";
  if (survey_ == nullptr) return fmt::format("counting the calls on disk, {} %", shown_percent_);
  return {};
}

std::string DiskSearch::measured_text() const {
  if (!needed_) return {};
  std::string text = "Only calls that are loaded are measured; ";
  if (survey_ == nullptr) return text + progress_text() + ".";
  std::uint64_t calls = 0;
  for (const NameIndex::NameCount& name : survey_->names()) calls += name.slices;
  return text + fmt::format("the whole trace has {} of {} names.", count_text(calls),
                            count_text(survey_->names().size()));
}

std::string DiskSearch::search_text() const {
  if (!needed_) return {};
  if (survey_ == nullptr) return progress_text();
  if (!matches_) return "arguments, threads and durations are searched in loaded calls only";
  std::string text = fmt::format("in the whole trace {} call{}", count_text(matches_->slices),
                                 matches_->slices == 1 ? "" : "s");
  if (matches_->instants > 0) text += fmt::format(" and {} points", count_text(matches_->instants));
  return text;
}

void DiskSearch::step(std::int64_t from_ns, int direction) {
  if (!matches_) return;
  stepper_.start([survey = survey_, source = source_, names = matches_->names, from_ns,
                  direction](const BackgroundQuestion<Step>& asked) {
    Step step{survey->nearest(names, from_ns, direction, asked.cancelled), direction};
    if (!step.place) {  // from the other end
      step.place =
          survey->nearest(names, direction > 0 ? INT64_MIN : INT64_MAX, direction, asked.cancelled);
    }
    return step;
  });
}

std::optional<DiskSearch::Step> DiskSearch::take_step() {
  return std::exchange(step_, std::nullopt);
}

}  // namespace cinderscope
