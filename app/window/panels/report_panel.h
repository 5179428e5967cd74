// The Load report panel: what was read, what was odd about it, facts of the file.
#pragma once

#include "app/window/panels/panel.h"

namespace cinderscope {

class DiskSearch;

class ReportPanel : public Panel {
 public:
  explicit ReportPanel(const DiskSearch& disk) : disk_(disk) {}
  std::string_view word() const override { return "report"; }
  std::string_view label() const override { return "Load report"; }
  std::uint64_t count(const Session& session) const override;
  void draw(const PanelFrame& frame, Actions& actions) override;
  std::string_view table_word() const override { return "report"; }
  Result<TakenTable> take_table(Session& session, TableText form) override;

 private:
  const DiskSearch& disk_;
};

}  // namespace cinderscope
