// What is known of the selected call and of its partner, side by side.
#pragma once

#include <cstdint>

#include "app/questions/name_durations.h"
#include "app/questions/selected_children.h"
#include "app/window/panels/panel.h"
#include "ingest/compare/compared_names.h"
#include "render/views/panels/details.h"

namespace cinderscope {

class ComparePage;

// UI thread only.
class ComparedDetailsPanel : public Panel {
 public:
  explicit ComparedDetailsPanel(ComparePage& page) : page_(page) {}
  std::string_view word() const override { return "details"; }
  std::string_view label() const override { return "Details"; }
  bool poll(Session& session, bool visible) override;
  bool busy() const override;
  void draw(const PanelFrame& frame, Actions& actions) override;

 private:
  struct Column {
    Column();
    DetailsView view;
    NameDurations durations;
    SelectedChildren children;
    std::uint64_t noted_facts = 0;  // the version whose texts were handed on
  };
  void draw_column(Side side, const PanelFrame& frame, const Rect& area, Actions& actions);

  ComparePage& page_;
  OfSides<Column> columns_;
};

}  // namespace cinderscope
