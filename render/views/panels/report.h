// The load report: what was read, what was odd about it and what was done, facts of the file.
#pragma once

#include <cstdint>
#include <string>

#include "render/base/actions.h"
#include "render/base/theme.h"
#include "render/views/timeline/timeline.h"

namespace cinderscope {

// How far the file has been read.
enum class ReadState : std::uint8_t { loading, stopped, whole };

struct ReportFrame {
  const Timeline& timeline;
  const Theme& theme;
  Rect area;
  std::string format;  // for people; empty while unknown
  std::string path;
  std::uint64_t stored_bytes = 0, inflated_bytes = 0;
  double load_seconds = 0;
  ReadState read = ReadState::whole;
  bool offers_index = false;  // "write-index" would be of use
  std::string on_disk;        // how far the calls on disk were counted; may be empty
};

void draw_report(const ReportFrame& frame, Actions& actions);

struct PanelTab {
  std::string label;
  std::uint64_t count = 0;  // shown in mono behind it if not 0
  bool count_in_accent = false;
};
// The strip of tabs above the lower panel, 32 px at scale 1; returns the active one.
std::size_t draw_panel_tabs(const Theme& theme, const Rect& area, const std::vector<PanelTab>& tabs,
                            std::size_t active);

}  // namespace cinderscope
