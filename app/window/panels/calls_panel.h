// The Calls tab: a table of a trace's calls, or of their statements.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/commands/commands.h"
#include "app/desktop/open_dialog.h"
#include "app/questions/background_task.h"
#include "app/window/panels/panel.h"
#include "render/views/panels/calls.h"

namespace cinderscope {

// One per tab. UI thread only; tables are read, sorted and filtered on another.
class CallsPanel {
 public:
  CallsPanel();
  // Asks for what is missing while `visible`. True if anything is to be drawn again.
  bool poll(Session& session, bool visible);
  bool busy() const { return task_.busy(); }
  bool asks_for_path() const { return save_dialog_.open(); }
  void draw(const PanelFrame& frame, Actions& actions);
  // A command of its own; returns what is wrong, empty if nothing. What is copied or saved is made
  // at once.
  std::string run(const Command& command, std::string_view argument, Session& session);
  // What there is to say of a command that went well; once.
  std::string take_message() { return std::exchange(message_, {}); }
  // Texts that are shown from now on and have characters beyond ASCII; once.
  std::string take_foreign_texts() {
    return shown_ ? std::exchange(shown_->foreign, {}) : std::string();
  }

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
  std::string save(const std::string& path, const Session& session);

  CallsShown shown_kind_ = CallsShown::calls;
  ValueOrder orders_[2];
  CallsView view_;
  OpenDialog save_dialog_;
  std::string message_;
  Question asked_;
  std::optional<Answer> shown_;
  BackgroundTask<Answer> task_;  // last: its worker ends before what it works at goes
};

}  // namespace cinderscope
