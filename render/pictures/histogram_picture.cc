// How long the calls of one name took, with what half, 90 % and 99 % of them do not exceed.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "render/pictures/panel_picture.h"
#include "render/text/label.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

constexpr float kHistogramHeadPx = 28, kMarksPx = 40, kBarsPx = 260, kAxisPx = 24, kNumbersPx = 46;

std::string calls_text(std::uint64_t count) {
  return count_text(count) + (count == 1 ? " call" : " calls");
}

class HistogramDrawing {
 public:
  HistogramDrawing(const HistogramPicture& picture, PicturePen& pen, PicturePoint at,
                   float width_px)
      : picture_(picture),
        pen_(pen),
        at_(at),
        width_px_(width_px),
        durations_(picture.durations),
        bars_(picture.linear ? picture.durations.linear_bars : picture.durations.log_bars),
        axis_(picture.timeline.axis) {}

  float draw(float most_height_px) {
    float y = at_.y;
    head(y);
    y += std::round(pen_.px(kHistogramHeadPx));
    const float fixed = std::round(pen_.px(kHistogramHeadPx + kMarksPx + kAxisPx + kNumbersPx));
    float bars = std::round(pen_.px(kBarsPx));
    if (most_height_px > 0) bars = std::max(most_height_px - fixed, pen_.px(40.0f));
    const float top = y;
    y += std::round(pen_.px(kMarksPx));
    draw_bars({at_.x, y, width_px_, bars});
    draw_marks(top, y + bars);
    y += bars;
    draw_axis(y + pen_.px(14.0f));
    y += std::round(pen_.px(kAxisPx));
    draw_numbers(y);
    y += std::round(pen_.px(kNumbersPx));
    return y - at_.y;
  }

 private:
  float edge(std::size_t bar) const {
    return std::round(at_.x + width_px_ * static_cast<float>(bar) /
                                  static_cast<float>(std::max<std::size_t>(bars_.size(), 1)));
  }

  void head(float top) {
    const float y = top + pen_.px(10.0f), side = pen_.px(10.0f);
    pen_.fill({at_.x, std::round(y - side / 2), side, side}, colour());
    const std::string text =
        calls_text(durations_.count) + "   total " + duration_text(durations_.total_ns, axis_);
    const float text_px = pen_.width(PictureFont::numbers, text);
    pen_.text_to(PictureFont::numbers, at_.x + width_px_, y, pen_.colours.text, text);
    pen_.short_name(PictureFont::heads, at_.x + side + pen_.px(8.0f), y,
                    width_px_ - text_px - pen_.px(40.0f), pen_.colours.text,
                    display_label(picture_.timeline, durations_.name));
  }

  Rgba colour() const { return pen_.palette.box(picture_.timeline.strings->hash(durations_.name)); }

  void draw_bars(const Rect& area) {
    std::uint64_t most = 1;
    for (const DurationBar& bar : bars_) most = std::max(most, bar.count);
    // Lines at a quarter, half, three quarters of the highest bar.
    for (int i = 1; i <= 4; ++i) {
      const float y = bottom_of(area) - std::round(area.height * static_cast<float>(i) / 4);
      pen_.horizontal_line(area.x, right_of(area), y, pen_.colours.grid);
    }
    for (std::size_t i = 0; i < bars_.size(); ++i) {
      const DurationBar& bar = bars_[i];
      if (bar.count == 0) continue;
      const double share = static_cast<double>(bar.count) / static_cast<double>(most);
      const float height =
          std::max(std::round(area.height * static_cast<float>(share)), pen_.px(2.0f));
      const float x0 = edge(i), x1 = std::max(edge(i + 1) - 1, x0 + 1);
      std::string title;
      if (picture_.titles) {
        title = fmt::format("{} – {}\n{}", duration_text(bar.shortest_ns, axis_),
                            duration_text(bar.longest_ns, axis_), calls_text(bar.count));
      }
      pen_.begin(PictureGroup::Kind::box, std::move(title));
      pen_.fill({x0, bottom_of(area) - height, x1 - x0, height}, colour());
      pen_.end();
    }
    pen_.horizontal_line(area.x, right_of(area), bottom_of(area), pen_.colours.line);
    pen_.list().box_count = bars_.size();
    const std::string highest = count_text(most);
    pen_.text(PictureFont::numbers, area.x + pen_.px(4.0f), area.y + pen_.px(9.0f),
              pen_.colours.dim, highest);
  }

  // Labels that would cover each other stand on two lines.
  void draw_marks(float top, float bottom) {
    const std::array<std::pair<const char*, std::int64_t>, 3> marks = {
        {{"median", durations_.median_ns}, {"p90", durations_.p90_ns}, {"p99", durations_.p99_ns}}};
    std::array<float, 2> ends = {at_.x - 1, at_.x - 1};
    for (const auto& [word, ns] : marks) {
      const std::size_t bar = bar_of(bars_, ns);
      if (bar >= bars_.size()) continue;
      const float x = std::round((edge(bar) + edge(bar + 1)) / 2);
      const std::string text = fmt::format("{} {}", word, duration_text(ns, axis_));
      const float width = pen_.width(PictureFont::numbers, text);
      const float left =
          std::clamp(x + pen_.px(5.0f), at_.x, std::max(at_.x, at_.x + width_px_ - width));
      const std::size_t line = left > ends[0] ? 0 : 1;
      if (left <= ends.at(line)) continue;
      ends.at(line) = left + width + pen_.px(10.0f);
      const float y = top + pen_.px(8.0f + 18 * static_cast<float>(line));
      pen_.vertical_line(x, y - pen_.px(7.0f), bottom, pen_.colours.dim);
      pen_.text(PictureFont::numbers, left, y, pen_.colours.text, text);
    }
  }

  void draw_axis(float y) {
    if (bars_.empty()) return;
    // Between bars, as many as there is room for.
    const float room = pen_.px(130.0f);
    const auto steps = static_cast<std::size_t>(
        std::clamp(width_px_ / room - 1, 1.0f, static_cast<float>(bars_.size())));
    for (std::size_t i = 0; i <= steps; ++i) {
      const bool last = i == steps;
      const std::size_t bar = bars_.size() * i / std::max<std::size_t>(steps, 1);
      const std::int64_t ns =
          last ? bars_.back().longest_ns : bars_[std::min(bar, bars_.size() - 1)].shortest_ns;
      const std::string text = duration_text(ns, axis_);
      const float width = pen_.width(PictureFont::numbers, text);
      const float x = last ? at_.x + width_px_ : edge(bar);
      pen_.vertical_line(last ? x - 1 : x, y - pen_.px(14.0f), y - pen_.px(9.0f),
                         pen_.colours.line);
      pen_.text(PictureFont::numbers,
                std::clamp(i == 0 ? x
                           : last ? x - width
                                  : x - width / 2,
                           at_.x, at_.x + width_px_ - width),
                y, pen_.colours.dim, text);
    }
  }

  void draw_numbers(float top) {
    const std::array<std::pair<const char*, std::string>, 6> cells = {
        {{"min", duration_text(durations_.min_ns, axis_)},
         {"median", duration_text(durations_.median_ns, axis_)},
         {"p90", duration_text(durations_.p90_ns, axis_)},
         {"p99", duration_text(durations_.p99_ns, axis_)},
         {"max", duration_text(durations_.max_ns, axis_)},
         {"self", duration_text(durations_.self_ns, axis_)}}};
    const float step = std::min(width_px_ / static_cast<float>(cells.size()), pen_.px(130.0f));
    pen_.horizontal_line(at_.x, at_.x + width_px_, top + pen_.px(5.0f), pen_.colours.grid);
    float x = at_.x;
    for (const auto& [word, number] : cells) {
      pen_.text(PictureFont::words, x, top + pen_.px(18.0f), pen_.colours.dim, word);
      pen_.text(PictureFont::numbers, x, top + pen_.px(36.0f), pen_.colours.text, number);
      x += step;
    }
  }

  const HistogramPicture& picture_;
  PicturePen& pen_;
  PicturePoint at_;
  float width_px_;
  const DurationHistogram& durations_;
  const std::vector<DurationBar>& bars_;
  TimeAxis axis_;
};

}  // namespace

float draw_histogram(const HistogramPicture& picture, PicturePen& pen, PicturePoint at,
                     float width_px, float most_height_px) {
  return HistogramDrawing(picture, pen, at, width_px).draw(most_height_px);
}

}  // namespace cinderscope
