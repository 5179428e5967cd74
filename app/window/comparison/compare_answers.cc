#include "app/window/comparison/compare_answers.h"

#include <algorithm>
#include <utility>

#include "app/session/open_source.h"
#include "app/session/open_trace.h"
#include "ingest/base/parallel.h"

namespace cinderscope {

namespace {

constexpr std::chrono::seconds kWhileLoading{1};  // between two measurements of what grows

RunQuestion question_of(StatisticsQuery query, const std::vector<std::string>& ignored) {
  return {.query = std::move(query), .ignored = ignored, .jobs = core_count()};
}

}  // namespace

Result<std::shared_ptr<const MeasuredRun>> measured_file(const std::string& path,
                                                         const ComparedPart& part,
                                                         const std::vector<std::string>& ignored,
                                                         const std::atomic<bool>& cancelled) {
  LoadContext context({.lazy_above_bytes = UINT64_MAX});  // what is not read is not measured
  context.end_if([&cancelled] { return cancelled.load(); });
  Result<OpenedSource> opened = open_source(path, context);
  if (!opened) return opened.error();
  const Result<OpenedTrace> trace = load_opened(path, std::move(*opened), context);
  if (!trace) return trace.error();
  const Result<StatisticsQuery> query = query_of(trace->timeline, part);
  if (!query) return query.error();
  return std::make_shared<const MeasuredRun>(
      measure_run(*slice_set_of(trace->timeline), question_of(*query, ignored),
                  run_facts(trace->timeline, path, std::string(trace->format->name())), cancelled,
                  {}, trace->totals.get()));
}

CompareAnswers::CompareAnswers(const std::function<void()>& wake) : others_(wake), together_(wake) {
  for (auto& measure : measure_) {
    measure = std::make_unique<Latest<RunKey, std::shared_ptr<const MeasuredRun>>>(wake);
  }
}

void CompareAnswers::sides_swapped() {
  std::swap(shown_[side_a], shown_[side_b]);
  std::swap(measuring_[side_a], measuring_[side_b]);
  std::swap(measure_[side_a], measure_[side_b]);
  std::swap(measured_at_[side_a], measured_at_[side_b]);
  std::swap(other_runs_[side_a], other_runs_[side_b]);
  if (others_.busy()) {  // these would come on the wrong sides
    others_.forget();
    ++sources_version_;
  }
  for (ThreadPair& pair : pairs_by_hand_) std::swap(pair.a, pair.b);
  pair_shown_threads();
  ++shown_version_;
  sides_.reset();
  comparison_.reset();
  ++names_version_;
  ++version_;
}

void CompareAnswers::set_rules(NameRules rules) {
  rules_ = std::move(rules);
}

Status CompareAnswers::set_options(ComparisonOptions options) {
  if (sides_ != nullptr) {
    Result<Comparison> made = compare_sides(*sides_, options);
    if (!made) return made.error();
    comparison_ = std::move(*made);
    problem_.clear();
    ++version_;
  }
  options_ = std::move(options);
  return ok();
}

void CompareAnswers::pair_by_hand(ThreadPair pair) {
  std::erase_if(pairs_by_hand_,
                [&](const ThreadPair& each) { return each.a == pair.a || each.b == pair.b; });
  pairs_by_hand_.push_back(pair);
  make_table();
}

bool CompareAnswers::busy() const {
  return measure_[side_a]->busy() || measure_[side_b]->busy() || others_.busy() || together_.busy();
}

bool CompareAnswers::whole() const {
  return !busy() && (comparison_ || !problem_.empty());
}

// The run of a lane without calls.
bool CompareAnswers::take_saved(Side side) {
  const std::shared_ptr<const MeasuredRun>& saved = sources_[side].runs.front().saved;
  if (shown_[side].measured == saved) return false;
  measure_[side]->forget();
  shown_[side] = {saved, slice_set_of(Timeline()), {}};
  ++shown_version_;
  pair_shown_threads();
  return true;
}

// While a trace is read its numbers are taken once a second.
bool CompareAnswers::measure_shown(Side side, Session& session) {
  if (numbers_only(side)) return take_saved(side);
  auto& measure = *measure_[side];
  bool news = false;
  if (measure.poll() && measure.answer() != nullptr) {
    shown_[side] = {*measure.answer(), measuring_[side].slices, measuring_[side].question};
    ++shown_version_;
    pair_shown_threads();
    news = true;
  }
  if (!session.has_trace()) return news;
  const Result<StatisticsQuery> query = query_of(session.timeline(), sources_[side].part);
  part_problem_[side].clear();
  if (!query) {
    if (!session.loading()) part_problem_[side] = query.error().text;
    return news;
  }
  const RunKey key{session.version(), sources_version_, *query};
  const auto now = Clock::now();
  const bool rests = session.loading() && now - measured_at_[side] < kWhileLoading;
  if (rests || !measure.is_due(key, session.loading())) return news;
  measured_at_[side] = now;
  if (!asked_) asked_ = now;
  measuring_[side].slices = session.slices();
  measuring_[side].question = question_of(*query, ignored_);
  const std::string format =
      session.format() == nullptr ? "" : std::string(session.format()->name());
  measure.ask(key, [set = measuring_[side].slices, question = measuring_[side].question,
                    totals = session.totals(),
                    facts = run_facts(session.timeline(), session.path(), format)](
                       const BackgroundQuestion<std::shared_ptr<const MeasuredRun>>& asked) {
    const auto show_first = [&asked](const MeasuredRun& run) {
      asked.publish(std::make_shared<const MeasuredRun>(run));
    };
    return std::make_shared<const MeasuredRun>(
        measure_run(*set, question, facts, asked.cancelled, show_first, totals.get()));
  });
  return news;
}

// All runs but those that are shown, one after the other.
bool CompareAnswers::measure_others() {
  bool news = false;
  if (others_.poll() && others_.answer() != nullptr) {
    other_runs_ = *others_.answer();
    ++others_version_;
    news = true;
  }
  const OthersKey key{sources_version_};
  const bool none = sources_[side_a].runs.size() < 2 && sources_[side_b].runs.size() < 2;
  if (none) {
    if (!other_runs_[side_a].runs.empty() || !other_runs_[side_b].runs.empty()) ++others_version_;
    other_runs_ = {};
    others_.cancel();
    return news;
  }
  if (!others_.is_due(key)) return news;
  if (!asked_) asked_ = Clock::now();
  others_.ask(key,
              [sources = sources_, ignored = ignored_](const BackgroundQuestion<OtherRuns>& asked) {
                OtherRuns runs;
                for (const Side side : {side_a, side_b}) {
                  const CompareSource& source = sources[side];
                  for (std::size_t i = 1; i < source.runs.size() && !asked.cancelled; ++i) {
                    const CompareRun& each = source.runs[i];
                    if (each.left_out) continue;
                    if (!each.problem.empty()) {
                      runs[side].left_out.push_back({each.path, each.problem});
                      continue;
                    }
                    if (each.saved != nullptr) {
                      runs[side].runs.push_back(each.saved);
                      continue;
                    }
                    auto run = measured_file(each.path, source.part, ignored, asked.cancelled);
                    if (run) {
                      runs[side].runs.push_back(std::move(*run));
                    } else {
                      runs[side].left_out.push_back({each.path, run.error().text});
                    }
                    asked.publish(runs);
                  }
                }
                return runs;
              });
  return news;
}

OfSides<SideRuns> CompareAnswers::all_runs() const {
  OfSides<SideRuns> runs = other_runs_;
  for (const Side side : {side_a, side_b}) {
    const bool shown_counts = !sources_[side].runs.front().left_out || runs[side].runs.empty();
    if (shown_counts) runs[side].runs.insert(runs[side].runs.begin(), shown_[side].measured);
  }
  return runs;
}

bool CompareAnswers::bring_together() {
  bool news = false;
  if (together_.poll()) {
    news = true;
    if (together_.answer() != nullptr) {
      problem_ = together_.answer()->problem;
      if (together_.answer()->sides != nullptr) {
        sides_ = together_.answer()->sides;
        ++names_version_;
      }
      make_table();
    } else {
      problem_ = "There is not enough memory to compare these traces.";
    }
  }
  if (shown_[side_a].measured == nullptr || shown_[side_b].measured == nullptr) return news;
  const SidesKey key{shown_version_, others_version_, rules_};
  const bool same_rules = together_.asked() && together_.asked()->rules == rules_;
  if (!together_.is_due(key, same_rules)) return news;
  if (!asked_) asked_ = Clock::now();
  const OfSides<bool> no_calls = {numbers_only(side_a), numbers_only(side_b)};
  together_.ask(key, [runs = all_runs(), shown = shown_, no_calls,
                      rules = rules_](const BackgroundQuestion<SidesAnswer>& asked) {
    const auto groups_of =
        [&](Side side, std::size_t run,
            std::span<const NameGroup> groups) -> std::optional<std::vector<NameStatistics>> {
      if (no_calls[side] || runs[side].runs[run] != shown[side].measured) return std::nullopt;
      return measure_groups(*shown[side].slices, shown[side].question, *shown[side].measured,
                            groups, asked.cancelled);
    };
    Result<ComparedSides> sides = compare_runs(runs, rules, groups_of, asked.cancelled);
    if (!sides) return SidesAnswer{nullptr, sides.error().text};
    return SidesAnswer{std::make_shared<const ComparedSides>(std::move(*sides)), {}};
  });
  return news;
}

void CompareAnswers::make_table() {
  ++version_;
  if (sides_ == nullptr) return;
  Result<Comparison> made = compare_sides(*sides_, options_);
  if (!made && options_.measure != Measure::count) {
    // Time does not compare with events, numbers of calls do.
    ComparisonOptions calls = options_;
    calls.measure = Measure::count;
    calls.scale = Scale::recorded;
    made = compare_sides(*sides_, calls);
    if (made) options_ = calls;
  }
  if (made) {
    comparison_ = std::move(*made);
  } else {
    problem_ = made.error().text;
  }
  pair_shown_threads();
}

// They refer to the runs that are shown now, so no older ones may be left.
void CompareAnswers::pair_shown_threads() {
  pairs_.clear();
  if (shown_[side_a].measured != nullptr && shown_[side_b].measured != nullptr) {
    pairs_ = pair_threads(shown_[side_a].measured->threads, shown_[side_b].measured->threads,
                          pairs_by_hand_);
  }
}

bool CompareAnswers::poll(const OfSides<Session*>& shown) {
  bool news = measure_others();
  for (const Side side : {side_a, side_b}) news |= measure_shown(side, *shown[side]);
  news |= bring_together();
  for (const Side side : {side_a, side_b}) {
    if (!part_problem_[side].empty()) problem_ = part_problem_[side];
  }
  if (asked_ && whole()) {
    ready_ms_ = std::chrono::duration<double, std::milli>(Clock::now() - *asked_).count();
    asked_.reset();
    news = true;
  }
  return news;
}

}  // namespace cinderscope
