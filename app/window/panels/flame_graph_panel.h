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
#include <vector>

#include "app/commands/commands.h"
#include "app/picture/picture_options.h"
#include "app/questions/chosen_scope.h"
#include "app/questions/latest.h"
#include "app/questions/trace_search.h"
#include "app/window/panels/panel.h"
#include "ingest/totals/aggregated_call_tree.h"
#include "ingest/totals/call_tree_edits.h"
#include "render/views/panels/flame_graph.h"

namespace cinderscope {

// One per tab. UI thread only.
class FlameGraphPanel : public Panel {
 public:
  static constexpr std::string_view kWord = "flame-graph";
  FlameGraphPanel(ChosenScope& scope, const TraceSearch& search);
  std::string_view word() const override { return kWord; }
  std::string_view label() const override { return "Flame graph"; }
  bool poll(Session& session, bool visible) override;
  bool busy() const override { return graph_.busy(); }
  // What is searched for is marked.
  void draw(const PanelFrame& frame, Actions& actions) override;
  // Closes its menu, else shows the whole graph again, else takes the last edit back.
  bool step_back() override;

  // "callees", "callers", "function", "time", "calls"; "drop", "focus" and "fold" take functions
  // out, "all" takes these edits back; nothing for the other way round. `name` is the function;
  // empty: that of the selected call.
  Status show(std::string_view what, std::string_view name, const Session& session);
  // The way, the function and the weight that it shows now.
  void describe(const Timeline& timeline, PictureOptions& options) const;
  // The words of show() for what is shown; the function, where it is one's.
  std::string_view way() const;
  std::string_view weight(const Timeline& timeline) const;
  std::string function() const { return function_now(); }
  // From the outermost call to the zoomed box; empty: all is shown.
  std::vector<std::string> zoom_names() const;
  void zoom_to(std::vector<std::string> names) { view_.zoom_to(std::move(names)); }
  // By names, through a timeline that is laid out anew.
  void keep_zoom() { view_.zoom_to(zoom_names()); }
  // For `state`: what was added up last, as JSON.
  std::string state_json(const Session& session) const;

 private:
  void follow_rename(const Timeline& timeline);
  // What was taken out of the graph, in this order. Names are kept as text, since ids change with a
  // reload.
  struct Edit {
    enum class Kind : std::uint8_t { drop, focus, fold };
    Kind kind = Kind::drop;
    std::string function;
    bool operator==(const Edit&) const = default;
  };
  struct Question {
    Scope scope;
    std::vector<Edit> edits;
    FlameGraphDirection direction = FlameGraphDirection::top_down;
    std::string function;       // of a sandwich
    std::uint64_t version = 0;  // of the session

    bool is_of_same_calls(const Question& other) const {
      return scope == other.scope && edits == other.edits && direction == other.direction &&
             function == other.function;
    }
    bool is_of_same_slices(const Question& other) const {
      return scope == other.scope && version == other.version;
    }
    bool operator==(const Question&) const = default;
  };
  struct Answer {
    std::shared_ptr<const AggregatedCallTree> callees;  // whatever the direction and the edits
    std::shared_ptr<const AggregatedCallTree> shown;    // never null
    std::shared_ptr<const FunctionTotals>
        function;  // whose callees are shown; null: in other directions
    std::shared_ptr<const StringPool> strings;  // what names mean
    bool has_deferred = false;                  // some children were not loaded
  };
  static Answer answered(const Question& question, const SliceSet& slices,
                         std::shared_ptr<const AggregatedCallTree> known,
                         const std::atomic<bool>& cancelled);
  std::string function_now() const {
    return view_.direction() == FlameGraphDirection::sandwich ? view_.function() : "";
  }
  // The function that is named, or that of the selected call.
  static Result<std::string> function_of(std::string_view name, const Session& session);
  Status edit(Edit::Kind kind, std::string_view name, const Session& session);
  static CallTreeEdits edits_of(const std::vector<Edit>& edits, const StringPool& strings);
  std::string edits_text() const;
  void ask(const Session& session);
  const std::function<bool(StringId)>* found_names(const Session& session);

  ChosenScope& scope_;
  const TraceSearch& search_;
  FlameGraphView view_;
  std::vector<Edit> edits_;
  std::uint64_t version_ = 0;  // grows with each answer
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
  Latest<Question, Answer> graph_;
};

std::span<const Command> flame_graph_commands();

}  // namespace cinderscope
