// The Statistics panel: a table of names over what is measured.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/statistics_json.h"
#include "app/questions/background_task.h"
#include "app/questions/disk_search.h"
#include "app/window/panels/measure_scope.h"
#include "app/window/panels/panel.h"
#include "app/window/panels/save_table.h"
#include "render/views/panels/statistics.h"

namespace cinderscope {

// One per tab. UI thread only.
class StatisticsPanel : public Panel {
 public:
  static constexpr std::string_view kWord = "statistics";
  StatisticsPanel(MeasureScope& scope, const DiskSearch& disk);
  std::string_view word() const override { return kWord; }
  std::string_view label() const override { return "Statistics"; }
  // Takes what was found in the background and asks for what is missing: the table only while
  // `visible`, how many calls the range has always.
  bool poll(Session& session, bool visible) override;
  bool asks_for_path() const override { return saving_.asks(); }
  std::uint64_t kept_bytes() const override { return parts_bytes_; }  // for questions to come
  void draw(const PanelFrame& frame, Actions& actions) override;
  bool close_menu() override { return visible_ && view_.close_menu(); }

  // What commands do. Where they need numbers they add them up at once.
  Status measure(std::string_view part, const Session& session);  // empty: what is usual
  void count_whole_calls(bool whole) { scope_.whole_calls = whole; }
  bool counts_whole_calls() const { return scope_.whole_calls; }
  void sort_by(StatisticsColumn column) { order_ = sorted_by(order_, column); }
  void filter_by(std::string text) { order_.filter = std::move(text); }
  std::string table_to_copy(Session& session);
  Status save(const CommandArguments& arguments, Session& session);

  // Calls in the selected range, as far as they are known.
  std::optional<std::uint64_t> range_calls(const Session& session) const;
  // With the right numbers, for which it waits.
  StatisticsFacts facts(Session& session);

 private:
  using Statistics = std::shared_ptr<const SliceStatistics>;
  // What statistics depend on.
  struct Measured {
    StatisticsQuery query;
    std::uint64_t generation = 0, children_generation = 0;
    bool operator==(const Measured&) const = default;
  };
  struct Question {
    Measured measured;
    StatisticsOrder order;
    bool operator==(const Question&) const = default;
  };
  struct Answer {
    Question question;
    Statistics statistics;                    // null: there was no memory for it
    std::shared_ptr<const StringPool> names;  // a reload gives the session others
    std::vector<std::uint32_t> rows;
    double seconds = 0;
  };
  struct RangeCalls {
    Measured measured;
    std::uint64_t count = 0;
  };

  Measured measured_now(Session& session);
  static Measured range_now(const Session& session);
  bool holds_slices_of(const Session& session) const;
  const std::shared_ptr<const SliceSet>& slices(const Session& session);
  bool knows_all_of(const Measured& measured) const;
  void keep_parts(const Session& session);
  void forget_parts();
  static Answer answered(const Question& question, const SliceSet& set, Statistics known,
                         const PrecomputedTotals* parts,
                         const BackgroundQuestion<Answer>* background);
  void settle(Session& session);
  Status save_to(const std::string& path, Session& session);
  std::string table(Session& session, TableText form);
  bool count_range(Session& session);

  MeasureScope& scope_;
  const DiskSearch& disk_;
  StatisticsOrder order_;
  StatisticsView view_;
  SaveTable saving_;
  bool visible_ = false;

  std::shared_ptr<const SliceSet> slices_;
  std::uint64_t slices_generation_ = 0, slices_children_ = 0;
  // Of `slices_`: what parts of them add up to, so that any range has its numbers at once. Null
  // until that is known, soon after the trace is loaded.
  std::shared_ptr<const PrecomputedTotals> parts_;
  std::uint64_t parts_bytes_ = 0;
  bool parts_asked_ = false;
  std::optional<Answer> shown_;
  Question asked_;  // what the task works at
  std::chrono::steady_clock::time_point asked_at_;
  std::optional<RangeCalls> range_calls_;
  Measured range_measured_;
  Statistics range_;  // for facts(), where the table shows something else
  // Last: their workers end before what they work at goes.
  BackgroundTask<Answer> task_;
  BackgroundTask<RangeCalls> count_task_;
  BackgroundTask<std::shared_ptr<const PrecomputedTotals>> parts_task_;
};

std::span<const Command> statistics_commands();

}  // namespace cinderscope
