#include "ingest/search/typed_thread.h"

#include <gtest/gtest.h>

#include <string>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

class TypedThreadTest : public testing::Test {
 protected:
  TypedThreadTest() {
    TimelineBuilder builder;
    for (const auto& [pid, tid, name] : {std::tuple{"1", "7", "main"},
                                         {"1", "8", "Worker-1"},
                                         {"12", "7", "worker-2"},
                                         {"12", "1/8", ""}}) {
      const ThreadId thread = builder.thread(builder.process(pid), tid);
      builder.thread_facts(thread).name = builder.intern(name);
      builder.slices(thread).complete(0, 10, builder.intern("f"), 0);
    }
    const AsyncTrackId async = builder.async_track(builder.process("1"), builder.intern("net"));
    builder.async_group(async, {{{5, 70, builder.intern("get")}, 0}});
    timeline_ = builder.finish();
  }
  // "pid/tid " of each thread, "name " of other tracks.
  std::string meant(const std::vector<std::string>& texts) {
    std::vector<TypedThread> threads;
    for (const std::string& text : texts) threads.push_back(*typed_thread(text));
    const Result<std::vector<TrackId>> tracks = tracks_meant(timeline_, threads);
    if (!tracks) return tracks.error().text;
    std::string out;
    for (const TrackId id : *tracks) {
      const Track& track = timeline_.tracks[index(id)];
      if (track.kind != TrackKind::thread) {
        out += std::string(timeline_.text(track.name)) + " ";
        continue;
      }
      const Thread& thread = timeline_.threads[index(track.thread)];
      out += std::string(timeline_.text(timeline_.processes[index(thread.process)].pid)) + "/" +
             std::string(timeline_.text(thread.tid)) + " ";
    }
    return out;
  }
  Timeline timeline_;
};

TEST_F(TypedThreadTest, IdsNamesProcessesAndExpressions) {
  EXPECT_EQ(meant({"7"}), "1/7 12/7 ");
  EXPECT_EQ(meant({"12/7"}), "12/7 ");
  EXPECT_EQ(meant({"1/"}), "1/7 1/8 ");
  EXPECT_EQ(meant({"WORKER-1"}), "1/8 ");
  EXPECT_EQ(meant({"/^[Ww]orker/"}), "1/8 12/7 ");
  EXPECT_EQ(meant({"\"1/8\""}), "1/8 12/1/8 ") << "all forms that fit are meant";
  EXPECT_EQ(meant({"net"}), "net ");
  EXPECT_EQ(meant({"main", "8"}), "1/7 1/8 ");
}

TEST_F(TypedThreadTest, WhatIsNotThere) {
  EXPECT_EQ(meant({"main", "nobody"}), "There is no thread \"nobody\".");
  EXPECT_FALSE(typed_thread(""));
  EXPECT_FALSE(typed_thread("/(/"));
  EXPECT_EQ(typed_thread("\"a\\\"b\"")->plain, "a\"b");
}

}  // namespace
}  // namespace cinderscope
