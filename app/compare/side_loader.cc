#include "app/compare/side_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "app/compare/side_file.h"
#include "app/session/find_traces.h"
#include "app/session/open_trace.h"
#include "ingest/base/parallel.h"
#include "ingest/compare/compared_tree.h"

namespace cinderscope {

// The slices of a run stay readable as long as its source does.
struct SideLoader::Loaded {
  std::shared_ptr<TraceSource> source;
  std::shared_ptr<const SliceSet> slices;
  std::shared_ptr<const PrecomputedTotals> totals;  // as the trace's prepared copy has them
  RunQuestion question;
  MeasuredRun facts;
};

SideLoader::SideLoader(SideLoading loading) : loading_(std::move(loading)) {
  loading_.load.lazy_above_bytes = UINT64_MAX;  // what is not read is not measured
  if (loading_.load.jobs == 0) loading_.load.jobs = core_count();
}

SideLoader::~SideLoader() = default;

Result<SideLoader::Loaded> SideLoader::load(const std::string& path, const ComparedPart& part) {
  Result<OpenedTrace> trace = open_trace(path, loading_.load);
  const auto is_too_much = [](const Error& error) {
    return error.code == ErrorCode::too_large || error.code == ErrorCode::no_memory;
  };
  if (!trace && is_too_much(trace.error()) && (kept_[side_a] || kept_[side_b])) {
    drop_slices();
    trace = open_trace(path, loading_.load);
  }
  if (!trace) return trace.error();
  const Result<StatisticsQuery> query = query_of(trace->timeline, part);
  if (!query) return query.error();
  Loaded loaded;
  loaded.source = std::move(trace->source);
  loaded.slices = slice_set_of(trace->timeline);
  loaded.totals = std::move(trace->totals);
  loaded.question = {.query = *query,
                     .ignored = {},
                     .with_spans = loading_.with_spans,
                     .jobs = loading_.load.jobs};
  loaded.facts = run_facts(trace->timeline, path, std::string(trace->format->name()));
  return loaded;
}

Status SideLoader::add(Side side, const std::string& path, const ComparedPart& part,
                       const std::vector<std::size_t>& left_out_runs) {
  const auto fits = [&](std::size_t more) {
    return runs_[side].runs.size() + runs_[side].left_out.size() + more <= kMostRuns;
  };
  const auto too_many = [&] {
    return refused(fmt::format("{}: a side may have {} runs.", path, kMostRuns));
  };
  if (is_saved_side(path)) {
    Result<SideRuns> saved = read_side_file(path);
    if (!saved) {
      runs_[side].left_out.push_back({path, message_of(path, saved.error())});
      return ok();
    }
    if (!fits(saved->runs.size())) return too_many();
    for (std::size_t i = 0; i < saved->runs.size(); ++i) {
      if (std::ranges::find(left_out_runs, i) != left_out_runs.end()) continue;
      runs_[side].runs.push_back(std::move(saved->runs[i]));
      places_[side].emplace_back();
    }
    has_saved_[side] = true;
    return ok();
  }
  std::string left_out;
  const Result<std::vector<std::string>> paths =
      traces_of(path, &left_out, {.traces = kMostRuns + 1});
  if (!paths) {
    runs_[side].left_out.push_back({path, message_of(path, paths.error())});
    return ok();
  }
  if (!left_out.empty()) runs_[side].left_out.push_back({path, left_out});
  if (!fits(paths->size())) return too_many();
  for (const std::string& each : *paths) {
    if (const Status loaded = load_run(side, each, part); !loaded) {
      runs_[side].left_out.push_back({each, message_of(each, loaded.error())});
    }
  }
  return ok();
}

Status SideLoader::load_run(Side side, const std::string& path, const ComparedPart& part) {
  if (kept_[side]) {
    // Its slices go now. What of its names may become one is measured before that.
    const std::size_t before = kept_run_[side];
    measure_likely_groups(*kept_[side], *runs_[side].runs[before], places_[side][before]);
    kept_[side].reset();
  }
  Result<Loaded> loaded = load(path, part);
  if (!loaded) return loaded.error();
  auto run = std::make_shared<MeasuredRun>(measure_run(*loaded->slices, loaded->question,
                                                       std::move(loaded->facts), cancelled_, {},
                                                       loaded->totals.get()));
  if (loading_.with_trees) add_tree(side, *loaded, *run);
  runs_[side].runs.push_back(std::move(run));
  places_[side].push_back({path, part, {}});
  kept_[side] = std::make_unique<Loaded>(std::move(*loaded));
  kept_run_[side] = runs_[side].runs.size() - 1;
  return ok();
}

// Names that rules make one whatever the other side has, and those that become one if all rules for
// the rest find partners.
void SideLoader::measure_likely_groups(const Loaded& loaded, const MeasuredRun& run, Place& place) {
  NameRules always = loading_.rules, all = loading_.rules;
  for (std::size_t r = 0; r < kNameRules; ++r) {
    if (always.states[r] != RuleState::rest) continue;
    always.states[r] = RuleState::off;
    all.states[r] = RuleState::always;
  }
  OfSides<SideNames> names;
  for (const MeasuredRun::Name& name : run.names) names[side_a].push_back(name.text);
  std::vector<NameGroup> groups;
  for (const NameRules* rules : {&always, &all}) {
    const Result<ComparedNames> compared = compare_names(names, *rules, cancelled_);
    if (!compared) return;
    std::vector<NameGroup> found;
    for (const ComparedName& name : compared->names) {
      const bool is_new =
          name.names[side_a].size() > 1 && !place.measured.contains(name.names[side_a]);
      if (is_new) found.push_back({name.names[side_a]});
    }
    if (found.empty()) continue;
    const auto measured = measure_groups(*loaded.slices, loaded.question, run, found, cancelled_);
    for (std::size_t i = 0; i < found.size(); ++i) place.measured[found[i].names] = measured[i];
  }
}

void SideLoader::add_tree(Side side, const Loaded& loaded, const MeasuredRun& run) {
  std::vector<std::uint32_t> side_name_of;  // by id of the trace
  for (std::size_t i = 0; i < run.names.size(); ++i) {
    const auto next = static_cast<std::uint32_t>(side_names_[side].size());
    const std::uint32_t name = side_names_[side].try_emplace(run.names[i].text, next).first->second;
    const std::uint32_t id = index(run.numbers[i].name);
    if (id >= side_name_of.size()) side_name_of.resize(std::size_t{id} + 1, kNoComparedName);
    side_name_of[id] = name;
  }
  AggregatedCallTree tree =
      with_compared_names(unordered_calls(*loaded.slices, loaded.question.query.scope, cancelled_,
                                          kMaxCallTreeNodes, loading_.load.jobs),
                          side_name_of, cancelled_);
  if (trees_[side]) {
    add_run(*trees_[side], tree, cancelled_);
  } else {
    trees_[side] = std::move(tree);
  }
}

std::optional<std::vector<NameStatistics>> SideLoader::groups_of(
    Side side, std::size_t run, std::span<const NameGroup> groups) {
  const Place& place = places_[side][run];
  if (place.path.empty()) return std::nullopt;
  std::vector<NameStatistics> out(groups.size());
  std::vector<NameGroup> missing;
  std::vector<std::size_t> missing_at;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto known = place.measured.find(groups[i].names);
    if (known != place.measured.end()) {
      out[i] = known->second;
    } else {
      missing.push_back(groups[i]);
      missing_at.push_back(i);
    }
  }
  if (missing.empty()) return out;
  if (!kept_[side] || kept_run_[side] != run) {
    kept_[side].reset();
    Result<Loaded> loaded = load(place.path, place.part);
    if (!loaded) return std::nullopt;
    kept_[side] = std::make_unique<Loaded>(std::move(*loaded));
    kept_run_[side] = run;
  }
  const Loaded& loaded = *kept_[side];
  // The same file gives the same ids; one that was changed in between does not.
  const MeasuredRun& measured = *runs_[side].runs[run];
  for (std::size_t i = 0; i < measured.names.size(); ++i) {
    const StringId id = measured.numbers[i].name;
    const bool is_same = index(id) < loaded.slices->strings->size() &&
                         loaded.slices->strings->text(id) == measured.names[i].text;
    if (!is_same) return std::nullopt;
  }
  const auto found = measure_groups(*loaded.slices, loaded.question, measured, missing, cancelled_);
  for (std::size_t i = 0; i < missing.size(); ++i) out[missing_at[i]] = found[i];
  return out;
}

Result<ComparedSides> SideLoader::compare() {
  Result<ComparedSides> sides = compare_runs(
      runs_, loading_.rules,
      [this](Side side, std::size_t run, std::span<const NameGroup> groups) {
        return groups_of(side, run, groups);
      },
      cancelled_);
  if (!sides) return sides;
  for (const Side side : {side_a, side_b}) {
    if (!trees_[side]) continue;
    trees_[side] =
        with_compared_names(std::move(*trees_[side]), sides->names.compared_of[side], cancelled_);
  }
  return sides;
}

const AggregatedCallTree* SideLoader::tree(Side side) const {
  return trees_[side] && !has_saved_[side] ? &*trees_[side] : nullptr;
}

void SideLoader::drop_slices() {
  for (auto& kept : kept_) kept.reset();
}

}  // namespace cinderscope
