// The Names panel of a comparison; in a wide window with flame graph and histogram beside it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/window/panels/panel.h"
#include "render/tables/compared_table.h"
#include "render/views/compare/names.h"

namespace cinderscope {

class ComparePage;
class ComparedFlamePanel;
class ComparedHistogramPanel;

// UI thread only.
class ComparedNamesPanel : public Panel {
 public:
  static constexpr std::string_view kWord = "names";
  ComparedNamesPanel(ComparePage& page, ComparedFlamePanel& flame,
                     ComparedHistogramPanel& histogram);
  std::string_view word() const override { return kWord; }
  std::string_view label() const override { return "Names"; }
  std::uint64_t count(const Session& session) const override;
  bool poll(Session& session, bool visible) override;
  bool busy() const override;
  void draw(const PanelFrame& frame, Actions& actions) override;
  TableView* table() override { return &view_.table(); }
  bool close_menu() override { return view_.close_menu(); }
  bool step_back() override;
  // Selects the row so many below the one that is selected; false: there is none.
  bool step(int by);
  std::string_view table_word() const override { return "comparison"; }
  Result<TakenTable> take_table(Session& session, TableText form) override;
  const std::vector<std::uint32_t>& rows() const { return rows_; }

 private:
  void update();
  void draw_table(const PanelFrame& frame, const Rect& area, Actions& actions);
  std::vector<ComparedField> fields() const;
  std::uint32_t hash_of(std::uint32_t name) const;

  ComparePage& page_;
  ComparedFlamePanel& flame_;
  ComparedHistogramPanel& histogram_;
  ComparedNamesView view_;
  std::vector<std::uint32_t> rows_;
  std::optional<ComparedOrder> order_;  // of the rows
  std::uint64_t version_ = 0;           // of the answers
  std::string longest_calls_;           // of the rows
  std::string filter_problem_;
  bool beside_ = false;  // drawn last with the flame graph beside it
};

}  // namespace cinderscope
