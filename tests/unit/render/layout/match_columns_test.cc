#include "render/layout/match_columns.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>

#include "ingest/build/timeline_builder.h"
#include "ingest/search/slice_search.h"

namespace cinderscope {
namespace {

TEST(MatchColumnsTest, MarkEachColumnInWhichAMatchBegins) {
  TimelineBuilder builder;
  const ThreadId thread = builder.thread(builder.process("1"), "1");
  std::mt19937 random(3);
  std::int64_t at_ns = 0;
  std::vector<std::int64_t> begins_ns;
  for (int i = 0; i < 20'000; ++i) {
    const bool match = random() % 50 == 0;
    if (match) begins_ns.push_back(at_ns);
    builder.slices(thread).complete(at_ns, 1, builder.intern(match ? "found" : "other"), 1);
    at_ns += random() % 10 == 0 ? 5000 : 3;
  }
  const Timeline timeline = builder.finish();
  const std::atomic<bool> cancelled = false;
  const SearchAnswer answer = search_slices(
      {slice_set_of(timeline), *parse_search("=\"found\""), {}, nullptr, 1}, cancelled, {});
  ASSERT_EQ(answer.matches->count(), begins_ns.size());
  for (const float width_px : {1.0f, 100.0f, 1700.0f}) {
    for (const std::int64_t end_ns : {at_ns, at_ns / 100, std::int64_t{50}}) {
      const Viewport view = showing(0, end_ns, width_px);
      std::vector<std::uint8_t> wanted(static_cast<std::size_t>(width_px), 0);
      for (const std::int64_t begin_ns : begins_ns) {
        const auto column = static_cast<std::size_t>(view.px_from_ns(begin_ns));
        if (column < wanted.size()) wanted[column] = 1;
      }
      EXPECT_EQ(match_columns(*answer.matches, view), wanted) << width_px << " " << end_ns;
    }
  }
}

}  // namespace
}  // namespace cinderscope
