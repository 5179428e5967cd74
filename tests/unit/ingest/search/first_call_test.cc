#include "ingest/search/first_call.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

TEST(FirstCallTest, FindsTheCallThatBeginsFirst) {
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    TimelineBuilder builder;
    const ProcessId process = builder.process("1");
    for (int t = 0; t < 3; ++t) {
      TrackWriter& slices = builder.slices(builder.thread(process, std::to_string(t)));
      for (int i = 0; i < 3000; ++i) {
        const auto begin = static_cast<std::int64_t>(random() % 4000);
        slices.complete(begin, static_cast<std::int64_t>(random() % 30),
                        builder.intern(random() % 900 == 0 ? "rare" : "often"), 1);
      }
    }
    const StringId absent = builder.intern("absent");
    const Timeline timeline = builder.finish();
    for (const std::string_view name : {"rare", "often"}) {
      const StringId id = *timeline.strings->find(name);
      SliceRef wanted;
      for (std::uint32_t t = 0; t < timeline.tracks.size(); ++t) {
        const auto& rows = timeline.tracks[t].root().rows;
        for (std::uint32_t r = 0; r < rows.size(); ++r) {
          for (std::uint64_t i = 0; i < rows[r].count(); ++i) {
            const SliceRef ref{TrackId{t}, BlockId{}, r, i};
            if (rows[r].name(i) != id) continue;
            if (wanted && rows[r].begin_ns(i) >= slice_at(timeline, wanted).begin_ns) continue;
            wanted = ref;
          }
        }
      }
      for (const unsigned jobs : {1U, 3U}) {
        EXPECT_EQ(first_call_of(*slice_set_of(timeline), id, jobs), wanted);
      }
    }
    EXPECT_FALSE(first_call_of(*slice_set_of(timeline), absent, 2));
  }
}

}  // namespace
}  // namespace cinderscope
