#include "render/views/chrome/start_page.h"

#include <algorithm>
#include <cmath>

#include "render/views/chrome/key_table.h"
#include "render/views/chrome/recent_files.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {
namespace {

constexpr float kBelowPx = 24;       // free below the lowest thing
constexpr float kListPx = 640;       // of recent files, if there is room
constexpr std::size_t kFewest = 10;  // recent files that go before the keys

// Puts as many groups side by side as fit.
std::vector<KeyGroup> groups_that_fit(const Pen& pen, const StartFrame& frame) {
  std::vector<KeyGroup> groups = key_groups(frame.keys);
  const float width = pen.px(296), gap = pen.px(16);
  const float room = frame.area.width - pen.px(32);
  const auto fit = static_cast<std::size_t>(std::max((room + gap) / (width + gap), 1.0f));
  if (groups.size() > fit) groups.resize(fit);
  return groups;
}

float height_of(const Pen& pen, const std::vector<KeyGroup>& groups) {
  float height = 0;
  for (const KeyGroup& group : groups) height = std::max(height, key_group_height(pen, group));
  return height;
}

// Draws a hint along the lower edge.
void draw_keys(const Pen& pen, const StartFrame& frame, const std::vector<KeyGroup>& groups) {
  const float width = pen.px(296), gap = pen.px(16);
  const float height = height_of(pen, groups);
  const float y = bottom_of(frame.area) - pen.px(kBelowPx) - height;
  const float all_px = static_cast<float>(groups.size()) * (width + gap) - gap;
  float x = std::round(frame.area.x + (frame.area.width - all_px) / 2);
  const Rgba faint = with_alpha(pen.colours.dim, 170);
  for (const KeyGroup& group : groups) {
    draw_key_group(pen, group, {x, y, width, height},
                   {pen.px(112), pen.colours.dim, pen.colours.dim, faint});
    x += width + gap;
  }
}

}  // namespace

void draw_start(const StartFrame& frame, Actions& actions) {
  const Pen pen = pen_of(frame.theme);
  fill(pen.list, frame.area, pen.colours.background);
  const float centre_x = frame.area.x + frame.area.width / 2;
  const bool has_recent = !frame.recent.empty();
  const float part = has_recent ? 0.16f : frame.keys.empty() ? 0.45f : 0.32f;
  float y = std::round(frame.area.y + frame.area.height * part);
  constexpr std::string_view kTitle = "Drop a trace here";
  draw_text(pen.list, pen.title, centre_x - text_width(pen.title, kTitle) / 2, y, pen.colours.text,
            kTitle);
  y += pen.px(26);
  constexpr std::string_view kFormats =
      "Chrome JSON, .spall, .tsd, Lincheck, Flow, Qubership; compressed too";
  draw_text(pen.list, pen.words, centre_x - text_width(pen.words, kFormats) / 2, y, pen.colours.dim,
            kFormats);
  y += pen.px(28);
  constexpr std::string_view kOpen = "Open…", kSample = "Open the sample";
  const bool has_sample = !frame.sample_path.empty();
  const float gap = pen.px(8);
  float width = text_button_width(pen, kOpen);
  if (has_sample) width += gap + text_button_width(pen, kSample);
  float x = centre_x - width / 2;
  if (text_button(pen, "open", x, y, kOpen)) actions.push_back(RunCommand{"open", {}});
  x += text_button_width(pen, kOpen) + gap;
  if (has_sample && text_button(pen, "sample", x, y, kSample)) {
    actions.push_back(RunCommand{"open", frame.sample_path});
  }
  y += pen.px(52);
  const std::vector<KeyGroup> keys = groups_that_fit(pen, frame);
  const float keys_y = bottom_of(frame.area) - pen.px(kBelowPx) - height_of(pen, keys);
  const float few_px = recent_files_height(pen, std::min(frame.recent.size(), kFewest));
  const bool shows_keys = !keys.empty() && keys_y >= y + few_px + (has_recent ? pen.px(24) : 0);
  if (shows_keys) draw_keys(pen, frame, keys);
  const float list_end =
      shows_keys ? keys_y - pen.px(24) : bottom_of(frame.area) - pen.px(kBelowPx);
  const float list_px = std::min(pen.px(kListPx), frame.area.width - pen.px(32));
  draw_recent_files(pen, frame, {std::round(centre_x - list_px / 2), y, list_px, list_end - y},
                    actions);
}

}  // namespace cinderscope
