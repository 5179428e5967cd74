#include "render/text/track_text.h"

#include <gtest/gtest.h>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

TEST(TrackTextTest, TellsNameIdsActivityAndCounts) {
  TimelineBuilder builder;
  const ProcessId process = builder.process("20");
  builder.process_facts(process).name = builder.intern("Renderer");
  builder.process_facts(process).labels = builder.intern("tab");
  const ThreadId thread = builder.thread(process, "7");
  builder.thread_facts(thread).name = builder.intern("Compositor");
  builder.slices(thread).complete(0, 50, builder.intern("f"), 1);
  builder.slices(thread).complete(10, 5, builder.intern("g"), 2);
  builder.instant(thread, 70, builder.intern("now"), 3);
  builder.slices(builder.thread(process, "8")).complete(0, 1, builder.intern("f"), 4);
  Timeline timeline = builder.finish();
  TimelineState state;
  state.hidden_tracks = {1};
  TrackList tracks;
  tracks.update(timeline, state);
  TrackRow row = tracks.rows()[1];
  row.hidden_rows = 1;
  EXPECT_EQ(
      track_text(timeline, timeline.tracks[0], row, 0.5f),
      "Compositor\nProcess Renderer 20\nThread 7\nBusy 50.0 % of the view\n2 calls in 2 rows\n"
      "1 instant\n1 row is hidden by the depth limit");
  EXPECT_EQ(track_text(timeline, timeline.tracks[1], {}, 1e-6f),
            "Thread 8\nProcess Renderer 20\nBusy less than 0.1 % of the view\n1 call in 1 row");
  EXPECT_EQ(head_text(timeline, tracks, tracks.rows()[0]),
            "Renderer\nProcess Renderer 20\ntab\n2 threads, 1 hidden\n3 calls");
  timeline.files = {{"run", "/x/run.json"}, {"other", "/x/other.json"}};
  timeline.processes[0].file = 0;
  EXPECT_EQ(track_text(timeline, timeline.tracks[1], {}, 1e-6f),
            "Thread 8\nProcess Renderer 20\nFile /x/run.json\nBusy less than 0.1 % of the view\n"
            "1 call in 1 row");
  EXPECT_EQ(head_text(timeline, tracks, tracks.rows()[0]),
            "Renderer (run)\nProcess Renderer 20\ntab\nFile /x/run.json\n2 threads, 1 hidden\n"
            "3 calls");
}

TEST(TrackTextTest, AnIdThatSaysThereIsNoneIsNotShown) {
  TimelineBuilder builder;
  const ProcessId process = builder.process("-");
  builder.process_facts(process).name = builder.intern("demo");
  builder.slices(builder.thread(process, "7")).complete(0, 1, builder.intern("f"), 1);
  const Timeline timeline = builder.finish();
  TrackList tracks;
  tracks.update(timeline, {});
  EXPECT_EQ(process_id_text(timeline, process), "");
  EXPECT_EQ(head_text(timeline, tracks, tracks.rows()[0]), "demo\nProcess demo\n1 thread\n1 call");
}

TEST(TrackTextTest, CountsRunsOfSamplesAsRuns) {
  TimelineBuilder builder;
  const ThreadId thread = builder.thread(builder.process("20"), "7");
  builder.slices(thread).complete(0, 50, builder.intern("f"), 1);
  builder.use_weights({{"time", "nanoseconds"}, {"samples", "samples"}}, 0);
  const Timeline timeline = builder.finish();
  EXPECT_NE(track_text(timeline, timeline.tracks[0], {}, 1).find("1 run in 1 row"),
            std::string::npos);
  TrackList tracks;
  tracks.update(timeline, TimelineState());
  EXPECT_NE(head_text(timeline, tracks, tracks.rows()[0]).find("\n1 run"), std::string::npos);
}

}  // namespace
}  // namespace cinderscope
