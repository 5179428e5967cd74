// Which thread of A is which of B, and how busy both are.
#pragma once

#include <optional>

#include "app/window/panels/panel.h"
#include "render/views/widgets/table.h"

namespace cinderscope {

class ComparePage;

// UI thread only.
class ComparedThreadsPanel : public Panel {
 public:
  static constexpr std::string_view kWord = "threads";
  explicit ComparedThreadsPanel(ComparePage& page) : page_(page) {}
  std::string_view word() const override { return kWord; }
  std::string_view label() const override { return "Threads"; }
  std::uint64_t count(const Session& session) const override;
  void draw(const PanelFrame& frame, Actions& actions) override;
  TableView* table() override { return &table_; }
  std::string_view table_word() const override { return "threads"; }
  Result<TakenTable> take_table(Session& session, TableText form) override;

 private:
  ComparePage& page_;
  TableView table_;
  std::optional<std::uint64_t> dragged_;  // a row, to be paired with the one it is let go on
  float pressed_y_ = 0;
};

}  // namespace cinderscope
