// Durations of the selected name on both sides of a comparison.
#pragma once

#include <cstdint>
#include <optional>

#include "app/window/panels/panel.h"
#include "ingest/compare/compared_sides.h"
#include "render/views/compare/histogram.h"

namespace cinderscope {

class ComparePage;

// UI thread only.
class ComparedHistogramPanel : public Panel {
 public:
  static constexpr std::string_view kWord = "histogram";
  explicit ComparedHistogramPanel(ComparePage& page) : page_(page) {}
  std::string_view word() const override { return kWord; }
  std::string_view label() const override { return "Histogram"; }
  void draw(const PanelFrame& frame, Actions& actions) override;
  std::string_view table_word() const override { return "histogram"; }
  Result<TakenTable> take_table(Session& session, TableText form) override;

 private:
  ComparePage& page_;
  ComparedHistogramView view_;
  std::optional<ComparedHistogram> histogram_;
  std::optional<std::uint32_t> name_;  // what it is of
  std::uint64_t version_ = 0;          // of the compared names
};

}  // namespace cinderscope
