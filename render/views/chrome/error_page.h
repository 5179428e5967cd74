// The page of a trace that could not be loaded.
#pragma once

#include <string>

#include "ingest/base/result.h"
#include "render/base/actions.h"
#include "render/base/rect.h"
#include "render/base/theme.h"

namespace cinderscope {

struct ErrorFrame {
  const Theme& theme;
  Rect area;
  std::string path;
  const Error& error;
};
// Runs "reload" and "close", of a trace that is too large "load-on-disk", "load-part" and
// "load-anyway"; copies the message.
void draw_error(const ErrorFrame& frame, Actions& actions);

}  // namespace cinderscope
