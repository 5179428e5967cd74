// The Details panel: what is known of the selected slice or instant, or of the selected range; with
// nothing selected of the whole trace.
#pragma once

#include "app/questions/name_durations.h"
#include "app/questions/range_totals.h"
#include "app/questions/selected_children.h"
#include "app/window/panels/panel.h"
#include "render/views/panels/details.h"

namespace cinderscope {

// What is shown of these: its characters are looked for in fonts.
std::string texts_of(const SelectionFacts& facts);

class DetailsPanel : public Panel {
 public:
  DetailsPanel();
  static constexpr std::string_view kWord = "details";
  std::string_view word() const override { return kWord; }
  std::string_view label() const override { return "Details"; }
  bool poll(Session& session, bool visible) override;
  bool busy() const override { return durations_.busy() || children_.busy() || range_.busy(); }
  void draw(const PanelFrame& frame, Actions& actions) override;
  bool step_back() override { return shows_totals_ && view_.step_back(); }
  // Of the selection its facts, of a range or the whole trace the names in it.
  std::string_view table_word() const override { return "details"; }
  Result<TakenTable> take_table(Session& session, TableText form) override;
  // The bars of the histogram of the selected name's durations.
  Result<TakenTable> take_bars(Session& session, TableText form);

 private:
  bool choose_range(const TimelineState& state);
  void note_shown_texts();

  DetailsView view_;
  NameDurations durations_;        // of all slices of the selected one's name
  SelectedChildren children_;      // of the selected slice
  RangeTotals range_;              // of the selected range or the whole trace
  std::uint64_t noted_facts_ = 0;  // the version of the facts whose texts were handed on
  // What was selected last, the range or something else, is shown.
  SliceRef selected_;
  InstantRef selected_instant_;
  std::optional<TimeRange> selected_range_;
  bool range_chosen_ = false;
  bool shows_totals_ = false;  // of the range or the whole trace
  bool lights_flow_ = false;   // the pointer is on the row of a flow
};

}  // namespace cinderscope
