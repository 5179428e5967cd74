// The SQL panel: queries, tables, an editor, and what the last run gave.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/questions/query_answer.h"
#include "app/window/panels/panel.h"
#include "app/window/sql/sql_rows.h"
#include "app/window/sql/sql_tracks.h"
#include "render/views/editor/code_editor.h"
#include "render/views/sql/sql_results.h"
#include "render/views/sql/sql_side.h"

namespace cinderscope {

class ComparePage;
class StatisticsPanel;
struct Tab;

// One per tab. In a comparison's both traces are asked: A is the first, B the second. UI thread
// only.
class SqlPanel : public Panel {
 public:
  static constexpr std::string_view kWord = "sql";
  // `page`: of a comparison, else null; `statistics` have totals of a trace already; null: none
  // has.
  SqlPanel(ComparePage* page, const StatisticsPanel* statistics);
  std::string_view word() const override { return kWord; }
  std::string_view label() const override { return "SQL"; }
  std::uint64_t count(const Session& session) const override;
  bool poll(Session& session, bool visible) override;
  std::uint64_t kept_bytes() const override { return runner_.kept_bytes(); }
  void draw(const PanelFrame& frame, Actions& actions) override;
  TableView* table() override { return &results_.table(); }
  bool close_menu() override;
  std::string_view table_word() const override { return "query"; }
  Result<TakenTable> take_table(Session& session, TableText form) override;
  CodeEditor* editor() override { return &editor_; }
  Rect editor_area() const override { return editor_area_; }
  bool take_editor_key(AppContext& app, const KeyChord& chord) override;

  // The text, as if it was typed; `name`: what it is saved as.
  void set_text(std::string_view text, std::string name = {});
  const std::string& text() const { return editor_.text().text(); }
  const std::string& query_name() const { return name_; }
  // As it is, or nothing known of it.
  bool is_saved() const { return !name_.empty() && saved_text_ == text(); }
  void note_saved(std::string name);
  void insert(std::string_view text);

  // What is selected, else the statement at the caret, or all statements.
  Status run(AppContext& app, const Session& session, bool all);
  Status run_text(AppContext& app, const Session& session, std::string text, std::size_t offset);
  void cancel();
  bool running() const { return runner_.running() || tracks_.busy(); }
  // What somebody waits for is not all there: rows may still be sorted.
  bool busy() const override { return running() || rows_.busy(); }

  // All of its statements were run on this machine.
  bool was_run_before(AppContext& app) const;
  // As a session has it; what was never run here waits for somebody.
  void restore(AppContext& app, Tab& tab, bool shown, const std::vector<std::string>& tracks);
  SqlTracks& tracks() { return tracks_; }
  const SqlTracks& tracks() const { return tracks_; }
  // What is shown as a track, and goes there; without a name it is called as the query is. In a
  // comparison each row is shown in the lane of its trace.
  Status add_track(AppContext& app, std::string name);
  Status close_track(Session& session, const std::string& name);  // empty: all

  bool shows() const { return shows_; }
  Status show(AppContext& app, bool on);
  bool follows() const { return follows_; }
  void follow(bool on) { follows_ = on; }
  SqlRows& rows() { return rows_; }
  const SqlRows& rows() const { return rows_; }
  // The row of that number in the result, from 1, as it was given.
  Status go(AppContext& app, std::uint64_t row, bool zooms);

  std::string state_json(const Session& session) const;

 private:
  void draw_side(const PanelFrame& frame, const Rect& area, Actions& actions);
  void draw_editor(const PanelFrame& frame, const Rect& area, Actions& actions);
  void draw_foot(const PanelFrame& frame, const Rect& area, Actions& actions);
  float draw_estimate(const PanelFrame& frame, const Rect& area, Actions& actions);
  void draw_results(const PanelFrame& frame, const Rect& area, Actions& actions);
  bool take_answer();
  QueriedTraces traces(const Session& session);
  TrackLanes lanes(Session& session) const;  // of the same
  // Of those.
  Tab& tab_of(AppContext& app, std::uint32_t input) const;
  TimestampFormat time_format(const Session& session) const;
  QueryWindow window_of(const Session& session) const;
  std::string head_text() const;
  std::string head_note(const Session& session);
  void step_history(AppContext& app, int by);
  std::optional<TextSpan> error_span() const;

  ComparePage* page_;
  const StatisticsPanel* statistics_;
  std::shared_ptr<const QueriedComparison> compared_;
  std::uint64_t compared_version_ = 0;  // of the page's answers
  CodeEditor editor_;
  Rect editor_area_{};
  SqlSide side_;
  SqlResults results_;
  std::vector<SideQuery> side_queries_;
  std::string name_, saved_text_;  // of what is in the editor

  SqlTracks tracks_;
  QueryRunner runner_;
  QueryAsked asked_;  // last
  std::uint64_t answers_taken_ = 0;
  std::uint64_t editor_version_ = 0;  // that was run last
  SqlRows rows_;                      // of the last answer that had any
  std::optional<std::uint32_t> chosen_row_;

  bool shows_ = false, shown_given_ = false, follows_ = false;
  std::size_t history_at_ = 0;      // steps back from the newest
  std::string before_history_;      // what was there before the first of them
  std::int64_t shown_seconds_ = 0;  // since the query began
};

}  // namespace cinderscope
