// The Search panel: the matches of a tab's search as a table.
#pragma once

#include <string>
#include <vector>

#include "app/questions/disk_search.h"
#include "app/questions/trace_search.h"
#include "app/window/panels/panel.h"
#include "render/base/palette.h"
#include "render/views/panels/search.h"

namespace cinderscope {

// One per tab. UI thread only.
class SearchPanel : public Panel {
 public:
  static constexpr std::string_view kWord = "search";
  SearchPanel(TraceSearch& search, const DiskSearch& disk) : search_(search), disk_(disk) {}
  std::string_view word() const override { return kWord; }
  std::string_view label() const override { return "Search"; }
  std::uint64_t count(const Session& session) const override;
  void draw(const PanelFrame& frame, Actions& actions) override;
  TableView* table() override { return &view_.table(); }
  std::string_view table_word() const override { return "search"; }
  Result<TakenTable> take_table(Session& session, TableText form) override;

 private:
  std::vector<std::string> notes(const Session& session) const;
  std::string message(const Session& session) const;
  SearchViewFrame view_frame(const PanelFrame& frame, const Palette& palette);
  void answer(const SearchViewEvents& events, const PanelFrame& frame, Actions& actions);
  void show_loaded(SearchViewFrame& view, const Session& session, const Palette& palette);
  void show_on_disk(SearchViewFrame& view, const Session& session, const Palette& palette);
  void follow(const MatchRef& selected, MatchSorting sorting, bool on_disk);
  void answer_loaded(const SearchViewEvents& events, const PanelFrame& frame, Actions& actions);
  void answer_on_disk(const SearchViewEvents& events, const PanelFrame& frame, Actions& actions);
  // What the table lists; null: what is loaded.
  const DiskLines* disk_lines() const;

  TraceSearch& search_;
  const DiskSearch& disk_;
  SearchView view_;
  // What the table came to show last, and how often that changed.
  MatchRef followed_;
  MatchSorting followed_in_;
  bool followed_on_disk_ = false;
  std::uint64_t follow_ = 0;
};

}  // namespace cinderscope
