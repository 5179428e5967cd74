#include "render/views/widgets/picture_preview.h"

#include <algorithm>

#include "render/views/widgets/imgui_versions.h"

namespace cinderscope {
namespace {

class Painter {
 public:
  Painter(const Pen& pen, const Rect& area, float scale) : pen_(pen), area_(area), scale_(scale) {}

  void operator()(const PictureBox& box) const {
    const ImVec2 from = at(box.rect.x, box.rect.y);
    if (from.y > bottom_of(area_)) return;
    pen_.list.AddRectFilled(from, at(right_of(box.rect), bottom_of(box.rect)), box.colour);
  }
  void operator()(const PictureOutline& outline) const {
    const Rect& rect = outline.rect;
    pen_.list.AddRect(at(rect.x, rect.y), at(right_of(rect), bottom_of(rect)), outline.colour, 0, 0,
                      std::max(outline.width_px * scale_, 1.0f));
  }
  void operator()(const PicturePolygon& polygon) const {
    // Areas of counters are not convex, and too small to be told from their edge here.
    constexpr std::size_t kMostCorners = 4;
    if (polygon.points.size() > kMostCorners || polygon.points.size() < 3) return;
    std::vector<ImVec2> points;
    for (const PicturePoint& point : polygon.points) points.push_back(at(point.x, point.y));
    pen_.list.AddConvexPolyFilled(points.data(), static_cast<int>(points.size()), polygon.colour);
  }
  void operator()(const PictureLine& line) const {
    const float width = std::max(line.width_px * scale_, 0.5f);
    if (line.curved && line.points.size() == 4) {
      const auto point = [&](std::size_t i) { return at(line.points[i].x, line.points[i].y); };
      pen_.list.AddBezierCubic(point(0), point(1), point(2), point(3), line.colour, width);
      return;
    }
    for (std::size_t i = 1; i < line.points.size(); ++i) {
      pen_.list.AddLine(at(line.points[i - 1].x, line.points[i - 1].y),
                        at(line.points[i].x, line.points[i].y), line.colour, width);
    }
  }
  void operator()(const PictureText& text) const {
    const ImVec2 from = at(text.x, text.baseline_px - text.size_px);
    if (from.y > bottom_of(area_)) return;
    const ImFont& font = text.font == PictureFont::numbers ? pen_.numbers
                         : text.font == PictureFont::heads ? pen_.heads
                                                           : pen_.words;
    add_text_of_size(pen_.list, font, std::max(text.size_px * scale_ * 1.2f, 1.0f), from,
                     text.colour, visual(text.text));
  }
  void operator()(const PictureGroup& group) {
    clipped_.push_back(group.kind == PictureGroup::Kind::clip);
    if (!clipped_.back()) return;
    pen_.list.PushClipRect(at(group.rect.x, group.rect.y),
                           at(right_of(group.rect), bottom_of(group.rect)), true);
  }
  void operator()(const PictureEnd& /*end*/) {
    if (clipped_.empty()) return;
    if (clipped_.back()) pen_.list.PopClipRect();
    clipped_.pop_back();
  }

 private:
  ImVec2 at(float x, float y) const { return {area_.x + x * scale_, area_.y + y * scale_}; }

  const Pen& pen_;
  const Rect& area_;
  float scale_;
  std::vector<bool> clipped_;
};

}  // namespace

void draw_preview(const Pen& pen, const DrawList& list, const Rect& area, float scale) {
  const float right = std::min(right_of(area), area.x + list.width_px * scale);
  const float bottom = std::min(bottom_of(area), area.y + list.height_px * scale);
  pen.list.PushClipRect({area.x, area.y}, {right, bottom}, true);
  if (list.background >> 24 != 0) {
    pen.list.AddRectFilled({area.x, area.y}, {right, bottom}, list.background);
  }
  Painter painter(pen, area, scale);
  for (const PictureItem& item : list.items) std::visit(painter, item);
  pen.list.PopClipRect();
}

}  // namespace cinderscope
