// The Calls panel: a table of a trace's calls, or of their statements.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/questions/background_task.h"
#include "app/window/panels/panel.h"
#include "app/window/panels/save_table.h"
#include "render/views/panels/calls.h"

namespace cinderscope {

// One per tab. UI thread only; tables are read, sorted and filtered on another.
class CallsPanel : public Panel {
 public:
  static constexpr std::string_view kWord = "calls";
  CallsPanel();
  std::string_view word() const override { return kWord; }
  std::string_view label() const override { return "Calls"; }
  bool available(const Session& session) const override;
  bool poll(Session& session, bool visible) override;
  bool busy() const override { return task_.busy(); }
  bool asks_for_path() const override { return saving_.asks(); }
  void draw(const PanelFrame& frame, Actions& actions) override;

  // What commands do. What is copied or saved is made at once.
  Status show(CallsShown shown, const Session& session);
  CallsShown shown() const { return shown_kind_; }
  Status sort_by(std::string_view column);
  void filter_by(std::string text) { order().filter = std::move(text); }
  Result<std::string> table_to_copy(const Session& session);
  Status save(const CommandArguments& arguments, const Session& session);

 private:
  using Table = std::shared_ptr<const ValueTable>;
  struct Question {
    CallsShown shown = CallsShown::calls;
    ValueOrder order;
    std::uint64_t generation = 0, children_generation = 0;
    bool same_table(const Question& other) const {
      return shown == other.shown && generation == other.generation &&
             children_generation == other.children_generation;
    }
    bool operator==(const Question&) const = default;
  };
  struct Answer {
    Question question;
    Table table;  // null: there was no memory for it
    std::vector<std::uint32_t> rows;
    std::string problem;  // of the filter; the rows are all then
    std::string foreign;  // texts whose characters the fonts need
  };
  // Everything that a worker needs.
  struct Work {
    Question question;
    Table known;
    std::shared_ptr<const SliceSet> slices;
    std::vector<std::shared_ptr<const ProcessPauses>> pauses;
    std::shared_ptr<const TraceSource> source;
  };
  static Answer answered(const Work& work, const std::atomic<bool>& cancelled);
  ValueOrder& order() { return orders_[static_cast<std::size_t>(shown_kind_)]; }
  Question question_now(const Session& session) const;
  std::optional<Work> work_for(const Session& session, const Question& question) const;
  bool settle(const Session& session);
  Status save_to(const std::string& path, const Session& session);

  CallsShown shown_kind_ = CallsShown::calls;
  ValueOrder orders_[2];
  CallsView view_;
  SaveTable saving_;
  Question asked_;
  std::optional<Answer> shown_;
  mutable std::uint64_t looked_at_ = 0;  // generation of the timeline that has_calls_ is about
  mutable bool has_calls_ = false;
  BackgroundTask<Answer> task_;  // last: its worker ends before what it works at goes
};

std::span<const Command> calls_commands();

}  // namespace cinderscope
