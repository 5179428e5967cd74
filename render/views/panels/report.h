// The Load report panel: what was read, what was odd and how it was handled, facts of the file.
#pragma once

#include "render/base/actions.h"
#include "render/base/rect.h"
#include "render/base/theme.h"
#include "render/text/report_text.h"

namespace cinderscope {

struct ReportFrame {
  const LoadReport& report;
  const Theme& theme;
  Rect area;
  bool offers_index = false;  // "write-index" would help
};

void draw_report(const ReportFrame& frame, Actions& actions);

}  // namespace cinderscope
