// children FILE: opens a trace piece by piece and reads the children of its largest outer call, for
// measuring by hand. Prints milliseconds of CPU (all threads).
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <utility>
#include <vector>

#include "formats/all_formats.h"
#include "ingest/format/format.h"

namespace cinderscope {
namespace {

double cpu_ms() {
  return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

int fail(const Error& error) {
  fmt::print(stderr, "{}\n", error.text);
  return 1;
}

int measure(const char* path) {
  LoadContext control({.jobs = 1, .lazy_above_bytes = 0});
  double since_ms = cpu_ms();
  const auto took = [&since_ms] {
    const double now_ms = cpu_ms();
    return now_ms - std::exchange(since_ms, now_ms);
  };
  Result<Input> input = Input::from_path(path);
  if (!input) return fail(input.error());
  const Result<const Format*> format = detect(all_formats(), *input);
  if (!format) return fail(format.error());
  Result<std::unique_ptr<TraceSource>> source = (*format)->open(std::move(*input));
  if (!source) return fail(source.error());
  const Result<Timeline> timeline = read_timeline(**source, control);
  if (!timeline) return fail(timeline.error());
  fmt::print("outer levels: {:.1f}, {} calls\n", took(), timeline->slice_count);

  const DeferredChildren* largest = nullptr;
  std::int64_t longest_ns = -1;
  for (const Track& track : timeline->tracks) {
    if (track.blocks.empty()) continue;
    for (const DeferredChildren& each : track.root().deferred) {
      const std::int64_t length_ns = track.root().rows[each.row].duration_ns(each.slice);
      if (length_ns <= longest_ns) continue;
      longest_ns = length_ns;
      largest = &each;
    }
  }
  if (largest == nullptr) return 0;
  DeferredChildren parent = *largest;
  if (parent.count == kNotCounted) {
    const auto counted = (*source)->load_children(
        {.source_key = parent.source_key, .only_count = true}, *timeline->strings, control);
    if (!counted) return fail(counted.error());
    parent.count = counted->count;
    parent.piece_children = counted->piece_children;
    fmt::print("counting its {} children: {:.1f}\n", parent.count, took());
  }
  const std::uint64_t step = std::max<std::uint64_t>(parent.piece_children, 1);
  const std::uint64_t pieces = (parent.count + step - 1) / step;
  constexpr std::uint64_t kRead = 40;
  std::vector<double> ms;
  std::uint64_t slices = 0;
  for (std::uint64_t i = 0; i < std::min(kRead, pieces); ++i) {
    // Here and there, as a view jumps.
    const std::uint64_t first = i * pieces / std::min(kRead, pieces) * step;
    took();
    const auto children =
        (*source)->load_children({parent.source_key, first, std::min(step, parent.count - first)},
                                 *timeline->strings, control);
    if (!children) return fail(children.error());
    ms.push_back(took());
    for (const SliceRow& row : children->rows) slices += row.count();
  }
  if (ms.empty()) return 0;
  std::ranges::sort(ms);
  fmt::print("a piece of {} children, {} in all: median {:.1f}, most {:.1f}; {} calls each\n", step,
             pieces, ms[ms.size() / 2], ms.back(), slices / ms.size());
  return 0;
}

}  // namespace
}  // namespace cinderscope

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: children FILE\n");
    return 2;
  }
  return cinderscope::measure(argv[1]);
}
