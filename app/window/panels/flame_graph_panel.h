// The Flame graph panel: all calls of what is measured, added up by their callers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "app/commands/commands.h"
#include "app/questions/background_task.h"
#include "app/questions/trace_search.h"
#include "app/window/panels/measure_scope.h"
#include "app/window/panels/panel.h"
#include "ingest/totals/aggregated_call_tree.h"
#include "render/views/panels/flame_graph.h"

namespace cinderscope {

// One per tab. UI thread only.
class FlameGraphPanel : public Panel {
 public:
  static constexpr std::string_view kWord = "flame-graph";
  FlameGraphPanel(MeasureScope& scope, const TraceSearch& search);
  std::string_view word() const override { return kWord; }
  std::string_view label() const override { return "Flame graph"; }
  bool poll(Session& session, bool visible) override;
  bool busy() const override { return asked_ && (version_ == 0 || answer_.of != *asked_); }
  // What is searched for is marked.
  void draw(const PanelFrame& frame, Actions& actions) override;
  // Closes its menu, else shows the whole graph again.
  bool step_back() override { return view_.step_back(); }

  // "callees", "callers", "function", "time", "calls"; nothing for the other way round. `name` is
  // the function; empty: that of the selected call.
  Status show(std::string_view what, std::string_view name, const Session& session);
  // For `state`: what was added up last, as JSON.
  std::string state_json(const Session& session) const;

 private:
  void follow_rename(const Timeline& timeline);
  struct Question {
    SliceScope scope;
    FlameGraphDirection way = FlameGraphDirection::top_down;
    std::string function;  // of that way
    std::uint64_t generation = 0, children_generation = 0;

    bool is_of_same_calls(const Question& other) const {
      return scope == other.scope && way == other.way && function == other.function;
    }
    bool operator==(const Question&) const = default;
  };
  struct Answer {
    Question of;
    std::shared_ptr<const AggregatedCallTree> callees;  // whichever of the ways is asked for
    std::shared_ptr<const AggregatedCallTree> shown;
    std::shared_ptr<const FunctionTotals> function;  // whose callees are shown; null: another way
    std::shared_ptr<const StringPool> strings;       // what names mean
    bool has_deferred = false;                       // some children were not loaded
  };
  Status show_function(std::string_view name, const Session& session);
  void ask(const Session& session);
  const std::function<bool(StringId)>* found_names(const Session& session);

  MeasureScope& scope_;
  const TraceSearch& search_;
  FlameGraphView view_;
  std::optional<Question> asked_;
  Answer answer_;
  std::uint64_t version_ = 0;
  // Names that the search looks for, each tested once it is shown.
  struct FoundNames {
    std::string text;
    std::uint64_t generation = 0;  // of the timeline whose names they are
    const StringPool* names = nullptr;
    SearchQuery query;
    std::unordered_map<std::uint32_t, bool> tested;
    std::function<bool(StringId)> test;
  };
  FoundNames found_;
  BackgroundTask<Answer> task_;
};

std::span<const Command> flame_graph_commands();

}  // namespace cinderscope
