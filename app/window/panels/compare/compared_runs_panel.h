// The runs of both sides, and what each has for the selected name.
#pragma once

#include "app/window/panels/panel.h"
#include "render/views/widgets/table.h"

namespace cinderscope {

class ComparePage;

// UI thread only.
class ComparedRunsPanel : public Panel {
 public:
  static constexpr std::string_view kWord = "runs";
  explicit ComparedRunsPanel(ComparePage& page) : page_(page) {}
  std::string_view word() const override { return kWord; }
  std::string_view label() const override { return "Runs"; }
  std::uint64_t count(const Session& session) const override;
  std::string shown_count(const Session& session) const override;  // "5 + 5"
  void draw(const PanelFrame& frame, Actions& actions) override;
  TableView* table() override { return &table_; }
  std::string_view table_word() const override { return "runs"; }
  Result<TakenTable> take_table(Session& session, TableText form) override;

 private:
  ComparePage& page_;
  TableView table_;
};

}  // namespace cinderscope
