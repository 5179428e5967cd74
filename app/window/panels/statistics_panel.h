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

#include "app/commands/commands.h"
#include "app/output/statistics_json.h"
#include "app/questions/chosen_scope.h"
#include "app/questions/disk_search.h"
#include "app/questions/latest.h"
#include "app/window/panels/panel.h"
#include "ingest/totals/segment_totals.h"
#include "render/views/panels/statistics.h"

namespace cinderscope {

// One per tab. UI thread only.
class StatisticsPanel : public Panel {
 public:
  static constexpr std::string_view kWord = "statistics";
  StatisticsPanel(ChosenScope& scope, const DiskSearch& disk);
  std::string_view word() const override { return kWord; }
  std::string_view label() const override { return "Statistics"; }
  // Takes what was found in the background and asks for what is missing: the table only while
  // `visible`, how many calls the range has always.
  bool poll(Session& session, bool visible) override;
  std::uint64_t kept_bytes() const override { return precomputed_bytes_; }  // for questions to come
  void draw(const PanelFrame& frame, Actions& actions) override;
  TableView* table() override { return &view_.table(); }
  bool close_menu() override { return visible_ && view_.close_menu(); }
  std::string_view table_word() const override { return "statistics"; }
  Result<TakenTable> take_table(Session& session, TableText form) override;

  // What commands do. Where they need numbers they add them up at once.
  Status measure(std::string_view choice, const Session& session) {
    return scope_.choose(choice, session.state());
  }
  Status measure_slices(std::string_view word) { return scope_.choose_slices(word); }
  void count_whole_calls(bool whole) { scope_.whole_calls = whole; }
  bool counts_whole_calls() const { return scope_.whole_calls; }
  void sort_by(std::size_t column) {
    order_ = sorted_by(order_, column, statistics_columns()[column].head.kind);
  }
  const TableOrder& order() const { return order_; }
  void set_order(TableOrder order) { order_ = std::move(order); }
  void filter_by(std::string text) { order_.filter = std::move(text); }

  // Calls in the selected range, as far as they are known.
  std::optional<std::uint64_t> range_calls(const Session& session) const;
  // What it knows of stretches of the trace as it is, for whoever asks about it; null: not yet.
  std::shared_ptr<const PrecomputedTotals> precomputed(const Session& session) const;
  // With the right numbers, for which it waits.
  StatisticsFacts facts(Session& session);

 private:
  // What statistics depend on.
  struct Measured {
    StatisticsQuery query;
    std::uint64_t version = 0;  // of the session
    bool operator==(const Measured&) const = default;
  };
  struct Question {
    Measured measured;
    TableOrder order;
    bool operator==(const Question&) const = default;
  };
  struct Answer {
    std::shared_ptr<const SliceStatistics> statistics;
    std::shared_ptr<const ValueTable> table;  // of these
    std::vector<std::uint32_t> rows;
    double seconds = 0;  // that it took
  };
  using Tables = Latest<Question, Answer>;
  using Precomputed = std::shared_ptr<const PrecomputedTotals>;  // null: too many names

  Measured measured_now(const Session& session);
  static Measured range_now(const Session& session);
  const std::shared_ptr<const SliceSet>& slices(const Session& session);
  void forget_older(const Session& session);
  bool knows_all_of(const Measured& measured) const;
  void precompute(const Session& session);
  Tables::Work work_for(const Session& session, const Question& question);
  // The table of what is asked now, made at once; null where memory is short.
  const Answer* compute_now(const Session& session);
  bool count_range(const Session& session);

  ChosenScope& scope_;
  const DiskSearch& disk_;
  TableOrder order_ = first_statistics_order();
  StatisticsView view_;
  bool visible_ = false;

  std::uint64_t version_ = 0;  // of the session at the last look
  std::shared_ptr<const SliceSet> slices_;
  std::uint64_t precomputed_bytes_ = 0;
  std::chrono::steady_clock::time_point asked_at_;
  Tables table_;
  Tables range_table_;  // for facts(), where the table may show something else
  Latest<Measured, std::uint64_t> range_calls_;
  // What stretches of the slices add up to, so that any range has its numbers at once; known soon
  // after the trace is loaded. The question is the session's version.
  Latest<std::uint64_t, Precomputed> precomputed_;
};

std::span<const Command> statistics_commands();

}  // namespace cinderscope
