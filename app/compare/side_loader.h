// Loads the runs of both sides one after the other and keeps their numbers: for what needs no
// window.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/compare/side_text.h"
#include "ingest/base/result.h"
#include "ingest/compare/compared_sides.h"
#include "ingest/format/load_options.h"
#include "ingest/totals/aggregated_call_tree.h"

namespace cinderscope {

inline constexpr std::size_t kMostRuns = 1000;  // of a side

struct SideLoading {
  LoadOptions load;
  NameRules rules;
  bool with_trees = false;
  bool with_spans = true;
};

// Of each side the slices of the last run stay in memory, as long as there is room: with one run a
// side nothing is read twice. Of a run that was dropped before it was known which of its names
// become one, those that may are measured together at once; it is only read again where others do.
class SideLoader {
 public:
  explicit SideLoader(SideLoading loading);
  ~SideLoader();

  // A trace, a folder that is one, else each trace in it, or a saved side. An Error: more runs than
  // kMostRuns. What cannot be read is left out, and told by runs(). `left_out_runs`: of a saved
  // side, from 0, do not count.
  Status add(Side side, const std::string& path, const ComparedPart& part,
             const std::vector<std::size_t>& left_out_runs = {});
  const OfSides<SideRuns>& runs() const { return runs_; }

  // After all was added.
  Result<ComparedSides> compare();
  // Sums over the runs, with compared names; null: a side has numbers only.
  const AggregatedCallTree* tree(Side side) const;
  // Once compare() is done: what is left is of no use for its answer.
  void drop_slices();

 private:
  struct Loaded;  // a run with its slices
  struct Place {  // where a run came from; no path: of a saved side
    std::string path;
    ComparedPart part;
    std::map<std::vector<std::uint32_t>, NameStatistics> measured;  // by names that became one
  };
  Result<Loaded> load(const std::string& path, const ComparedPart& part);
  Status load_run(Side side, const std::string& path, const ComparedPart& part);
  void measure_likely_groups(const Loaded& loaded, const MeasuredRun& run, Place& place);
  void add_tree(Side side, const Loaded& loaded, const MeasuredRun& run);
  std::optional<std::vector<NameStatistics>> groups_of(Side side, std::size_t run,
                                                       std::span<const NameGroup> groups);

  SideLoading loading_;
  OfSides<SideRuns> runs_;
  OfSides<std::vector<Place>> places_;
  OfSides<std::unique_ptr<Loaded>> kept_;
  OfSides<std::size_t> kept_run_{};
  // Names of each side in the order in which its runs brought them, as in ComparedSides.
  OfSides<std::unordered_map<std::string, std::uint32_t>> side_names_;
  OfSides<std::optional<AggregatedCallTree>> trees_;
  OfSides<bool> has_saved_{};
  const std::atomic<bool> cancelled_{false};
};

}  // namespace cinderscope
