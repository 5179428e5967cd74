// The Details panel: what is known of the selected slice or instant.
#pragma once

#include "app/questions/name_durations.h"
#include "app/window/panels/panel.h"
#include "render/views/panels/details.h"

namespace cinderscope {

class DetailsPanel : public Panel {
 public:
  DetailsPanel();
  std::string_view word() const override { return "details"; }
  std::string_view label() const override { return "Details"; }
  bool poll(Session& session, bool visible) override;
  bool busy() const override { return durations_.busy(); }
  void draw(const PanelFrame& frame, Actions& actions) override;

 private:
  void note_shown_texts();

  DetailsView view_;
  NameDurations durations_;        // of all slices of the selected one's name
  std::uint64_t noted_facts_ = 0;  // the version of the facts whose texts were handed on
};

}  // namespace cinderscope
