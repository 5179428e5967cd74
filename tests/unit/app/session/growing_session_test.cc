// View and selection while a recording grows.
#include <gtest/gtest.h>

#include "app/session/open_source.h"
#include "app/session/session.h"
#include "tests/support/qubership_agent.h"
#include "tests/support/synthetic_source.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

class GrowingSessionTest : public testing::Test {
 protected:
  GrowingSessionTest() {
    agent_.run(400);
    agent_.write(folder_.path(), true);
    const std::string path = folder_.path().string();
    session_ = std::make_unique<Session>(
        path, [path](LoadContext& control) { return open_source(path, control); },
        SessionOptions{.load = {.jobs = 1}});
    session_->set_width(1000);
    await_end();
  }
  void await_end() {
    ASSERT_TRUE(wait_until([this] {
      session_->poll();
      return !session_->loading();
    }));
    ASSERT_EQ(session_->phase(), SessionPhase::ready);
  }
  void grow() {
    agent_.run(200);
    agent_.write(folder_.path(), true);
    session_->read_on();
    await_end();
  }
  const Timeline& timeline() const { return session_->timeline(); }

  TempDir folder_;
  QubershipAgent agent_{21, QubershipAgent::Packing::members};
  std::unique_ptr<Session> session_;
};

TEST_F(GrowingSessionTest, ReadingOnKeepsViewAndSelection) {
  TimelineState& state = session_->state();
  session_->view_was_moved();
  state.view.begin_ns = timeline().begin_ns + 50'000'000;
  state.view.ns_per_px = 100'000;
  state.selected = {TrackId{0}, BlockId{0}, 1, 3};
  const Slice selected = slice_at(timeline(), state.selected);
  const std::string name(timeline().text(selected.name));
  const std::int64_t view_begin_ns = state.view.begin_ns;
  const std::uint64_t slices = timeline().slice_count;
  for (int i = 0; i < 3; ++i) {
    grow();
    ASSERT_TRUE(state.selected);
    const Slice now = slice_at(timeline(), state.selected);
    EXPECT_EQ(now.begin_ns, selected.begin_ns);
    EXPECT_EQ(now.record, selected.record);
    EXPECT_EQ(timeline().text(now.name), name);
    EXPECT_EQ(state.view.begin_ns, view_begin_ns);
    EXPECT_EQ(state.view.ns_per_px, 100'000);
  }
  EXPECT_GT(timeline().slice_count, slices);
  EXPECT_FALSE(session_->disk_change());
  const Slice now = slice_at(timeline(), state.selected);
  EXPECT_NE(session_->source()->describe(now.record, now.end_record).facts.size(), 0u);
}

TEST_F(GrowingSessionTest, AReloadInBetweenReadsWhole) {
  grow();
  session_->reload();
  await_end();
  const std::uint64_t slices = timeline().slice_count;
  grow();
  EXPECT_GT(timeline().slice_count, slices);
}

}  // namespace
}  // namespace cinderscope
