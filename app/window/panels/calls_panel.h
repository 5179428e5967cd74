// The Calls panel: a table of a trace's calls, or of their statements.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/commands/arguments.h"
#include "app/questions/latest.h"
#include "app/window/panels/panel.h"
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
  bool busy() const override { return table_.busy(); }
  void draw(const PanelFrame& frame, Actions& actions) override;
  TableView* table() override { return &view_.table(); }
  std::string_view table_word() const override {
    return shown_kind_ == CallsShown::calls ? "calls" : "statements";
  }
  Result<TakenTable> take_table(Session& session, TableText form) override;

  // What commands do. What is copied or saved is made at once.
  Status show(CallsShown shown, const Session& session);
  CallsShown shown() const { return shown_kind_; }
  Status sort_by(std::string_view column);
  void filter_by(std::string text) { order().filter = std::move(text); }

 private:
  using Table = std::shared_ptr<const ValueTable>;
  struct Question {
    CallsShown shown = CallsShown::calls;
    TableOrder order;
    std::uint64_t version = 0;  // of the session
    bool same_table(const Question& other) const {
      return shown == other.shown && version == other.version;
    }
    bool operator==(const Question&) const = default;
  };
  struct Answer {
    Table table;  // null: cancelled
    std::vector<std::uint32_t> rows;
    std::string problem;  // of the filter; the rows are all then
    std::string foreign;  // texts whose characters the fonts need
  };
  using Tables = Latest<Question, Answer>;
  // The table that answers the question before, if this one only sorts and filters it; else null.
  Table known_table(const Question& question) const;
  // Null while the trace is still being read.
  Tables::Work work_for(const Session& session, const Question& question) const;
  void note_answer();
  // The table of what is asked now, made at once; null where there is none.
  const Answer* compute_now(const Session& session);
  const Answer* shown_answer() const;  // of the kind that is shown; may be stale
  TableOrder& order() { return orders_[static_cast<std::size_t>(shown_kind_)]; }
  Question question_now(const Session& session) const;

  CallsShown shown_kind_ = CallsShown::calls;
  TableOrder orders_[2];
  CallsView view_;
  mutable std::uint64_t looked_at_ = 0;  // generation of the timeline that has_calls_ is about
  mutable bool has_calls_ = false;
  Tables table_;
};

std::span<const Command> calls_commands();

}  // namespace cinderscope
