// In words what was compared, by which rules, and what cannot be compared.
#pragma once

#include <string>
#include <vector>

#include "app/window/panels/panel.h"

namespace cinderscope {

class ComparePage;

// UI thread only.
class CompareReportPanel : public Panel {
 public:
  static constexpr std::string_view kWord = "report";
  explicit CompareReportPanel(ComparePage& page) : page_(page) {}
  std::string_view word() const override { return kWord; }
  std::string_view label() const override { return "Report"; }
  void draw(const PanelFrame& frame, Actions& actions) override;

 private:
  std::vector<std::string> sentences() const;
  ComparePage& page_;
};

}  // namespace cinderscope
