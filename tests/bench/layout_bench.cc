// What a frame costs before anything is drawn: rows of slices to boxes, boxes to pixels.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "ingest/build/row_writer.h"
#include "render/layout/box_image.h"

namespace cinderscope {
namespace {

constexpr int kRows = 40;  // as many as a window of 1080 pixels shows
constexpr float kWidthPx = 1688;

// Rows of 250 000 calls each, of which a few are long; every tenth row is nearly full.
struct Rows {
  StringPool names;
  std::vector<SliceRow> rows;
  std::int64_t end_ns = 0;

  Rows() {
    std::mt19937_64 random(1);
    for (int i = 0; i < 200; ++i) names.intern("parse::Token#" + std::to_string(i));
    for (int r = 0; r < kRows; ++r) {
      RowWriter writer(names);
      std::exponential_distribution<double> length(1 / 500.0), gap(r % 10 == 0 ? 0.05 : 0.002);
      std::int64_t now_ns = 0;
      for (RecordOffset i = 0; i < 250'000; ++i) {
        now_ns += static_cast<std::int64_t>(gap(random));
        Slice slice{.begin_ns = now_ns, .name = StringId(1 + random() % 200), .record = i * 500};
        slice.duration_ns =
            static_cast<std::int64_t>(length(random) * (random() % 64 == 0 ? 20 : 1));
        writer.append(0, slice);
        now_ns += slice.duration_ns;
      }
      rows.push_back(std::move(writer.take().at(0)));
      rows.back().build_lod();
      end_ns = std::max(end_ns, now_ns);
    }
  }
};

const Rows& all_rows() {
  static const Rows rows;
  return rows;
}

// The argument is how much of the whole is left out: 10 shows a tenth.
Viewport view_of(const Rows& rows, std::int64_t part) {
  const Viewport whole = fitted({0, rows.end_ns}, kWidthPx);
  return zoomed(whole, 1 / static_cast<double>(part), static_cast<double>(kWidthPx) / 2);
}

void lay_out_rows(benchmark::State& state) {
  const Rows& rows = all_rows();
  const Viewport view = view_of(rows, state.range(0));
  std::vector<DrawBox> boxes;
  for (auto _ : state) {
    boxes.clear();
    for (const SliceRow& row : rows.rows) lay_out_row(row, view, rows.names, boxes);
    benchmark::DoNotOptimize(boxes.data());
  }
  state.counters["boxes"] = static_cast<double>(boxes.size());
}
BENCHMARK(lay_out_rows)
    ->Arg(1)
    ->Arg(2)
    ->Arg(5)
    ->Arg(10)
    ->Arg(20)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(100'000)
    ->Unit(benchmark::kMicrosecond);

void paint_boxes(benchmark::State& state) {
  const Rows& rows = all_rows();
  const Viewport view = view_of(rows, state.range(0));
  Layout layout;
  for (const SliceRow& row : rows.rows) {
    lay_out_row(row, view, rows.names, layout.line_boxes.emplace_back());
  }
  for (const std::vector<DrawBox>& boxes : layout.line_boxes) {
    layout.lines.push_back({.boxes = boxes});
  }
  layout.slice_lines = layout.lines.size();
  BoxImage image;
  for (auto _ : state) {
    ++layout.version;
    image.paint({.layout = layout,
                 .palette = palette_of(ThemeKind::dark, false),
                 .names = rows.names,
                 .width_px = kWidthPx});
    benchmark::DoNotOptimize(image.pixels().data());
  }
}
BENCHMARK(paint_boxes)->Arg(1)->Arg(10)->Arg(1000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace cinderscope
