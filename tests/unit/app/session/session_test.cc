#include "app/session/session.h"

#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <thread>
#include <utility>

#include "ingest/model/slice_nesting.h"
#include "tests/support/synthetic_source.h"

namespace cinderscope {
namespace {

constexpr float kWidthPx = 1000;

class SessionTest : public testing::Test {
 protected:
  Session& open(SyntheticTree tree = {}, SyntheticEvents events = {},
                std::uint64_t child_budget_bytes = 1 << 30,
                SnapshotRhythm snapshots = kNoSnapshots) {
    // A reload opens the file again: a source of its own for each load.
    session_ = std::make_unique<Session>(
        "folder/trace.bin",
        [this, tree, events](LoadContext&) -> Result<OpenedSource> {
          auto source = std::make_shared<SyntheticSource>(tree, events);
          const std::scoped_lock lock(source_mutex_);  // a load that was given up may still begin
          source_ = source;
          return OpenedSource{std::move(source), nullptr};
        },
        SessionOptions{.load = {.jobs = 1, .snapshots = snapshots},
                       .child_budget_bytes = child_budget_bytes});
    session_->set_width(kWidthPx);
    return *session_;
  }
  Session& open_with_snapshots(SyntheticEvents events) {
    return open({}, std::move(events), 1 << 30, kSnapshotsAtOnce);
  }
  bool await(const std::function<bool()>& holds) {
    return wait_until([&] {
      session_->poll();
      return holds();
    });
  }
  bool await_end() {
    return await([this] { return !session_->loading(); });
  }
  bool await_children() {
    return await([this] { return session_->idle(); }) && (session_->poll(), true);
  }
  // What the children of one root take.
  std::uint64_t block_bytes(const SyntheticTree& tree) {
    open(tree);
    await_end();
    session_->request_children(root(0));
    await_children();
    return session_->children().kept_bytes();
  }
  static SliceRef root(std::uint64_t i) { return {TrackId{0}, BlockId{0}, 0, i}; }
  void look_at_root(std::int64_t i) {
    session_->view_was_moved();
    session_->state().view = showing(i * 1'000'000'000 + 1, (i + 1) * 1'000'000'000 - 1, kWidthPx);
    session_->note_visible();
  }

  std::mutex source_mutex_;
  std::shared_ptr<SyntheticSource> source_;  // of the newest load
  std::unique_ptr<Session> session_;
};

TEST_F(SessionTest, ShowsTheWholeTraceOnceItIsRead) {
  Session& session = open();
  ASSERT_TRUE(await_end());
  EXPECT_EQ(session.title(), "trace.bin");
  EXPECT_EQ(session.phase(), SessionPhase::ready);
  EXPECT_TRUE(session.has_trace());
  EXPECT_EQ(session.timeline().slice_count, 3u);
  EXPECT_EQ(session.source(), source_.get());
  EXPECT_EQ(session.load_fraction(), 1);
  EXPECT_EQ(session.generation(), 1u);
  EXPECT_LT(session.state().view.begin_ns, 0);
  EXPECT_GT(session.state().view.end_ns(), 3'000'000'000);
}

TEST_F(SessionTest, NamesATabAfterAFileAFolderOrStandardInput) {
  const SourceOpener nothing = [](LoadContext&) -> Result<OpenedSource> {
    return Error{ErrorCode::cannot_read, "Nothing.", {}};
  };
  EXPECT_EQ(Session("a/b.json", nothing, {}).title(), "b.json");
  EXPECT_EQ(Session("a/dump/", nothing, {}).title(), "dump");
  EXPECT_EQ(Session("-", nothing, {}).title(), "standard input");
  EXPECT_EQ(Session("/", nothing, {}).title(), "/");
}

TEST_F(SessionTest, ShowsAndFitsSnapshotsWhileLoading) {
  Gate seen;
  Session& session = open_with_snapshots({.before_root = [&](std::uint64_t step) {
    if (step == 1) seen.pass();
  }});
  ASSERT_TRUE(await([&] { return session.has_trace(); }));
  EXPECT_TRUE(session.loading());
  EXPECT_EQ(session.timeline().slice_count, 1u);
  EXPECT_EQ(session.source(), nullptr);
  EXPECT_GT(session.load_fraction(), 0);
  EXPECT_LT(session.load_fraction(), 1);
  EXPECT_LT(session.state().view.end_ns(), 1'100'000'000);
  session.state().selected = root(0);
  session.request_children(root(0));  // too early: nothing is asked for
  seen.open();
  ASSERT_TRUE(await_end());
  EXPECT_EQ(session.state().selected, root(0));
  EXPECT_GT(session.state().view.end_ns(), 3'000'000'000);
  EXPECT_TRUE(source_->queries().empty());
}

TEST_F(SessionTest, LeavesAViewAloneThatWasMovedWhileLoading) {
  Gate seen;
  Session& session = open_with_snapshots({.before_root = [&](std::uint64_t step) {
    if (step == 1) seen.pass();
  }});
  ASSERT_TRUE(await([&] { return session.has_trace(); }));
  session.view_was_moved();
  session.state().view = showing(100'000'000, 200'000'000, kWidthPx);
  const Viewport moved = session.state().view;
  seen.open();
  ASSERT_TRUE(await_end());
  EXPECT_EQ(session.state().view, moved);
}

TEST_F(SessionTest, KeepsThePictureOfALoadThatIsStopped) {
  Gate cancelled;
  Session& session = open_with_snapshots({.before_root = [&](std::uint64_t step) {
    if (step == 2) cancelled.pass();
  }});
  ASSERT_TRUE(await([&] { return session.has_trace(); }));
  session.cancel();
  cancelled.open();
  ASSERT_TRUE(await_end());
  EXPECT_EQ(session.phase(), SessionPhase::stopped);
  EXPECT_GE(session.timeline().slice_count, 1u);
  EXPECT_FALSE(session.timeline().complete);
  EXPECT_TRUE(await([&] { return session.idle(); }));
}

TEST_F(SessionTest, SaysSoIfThereIsNothingToShowOfAStoppedLoad) {
  Gate cancelled;
  Session& session = open({}, {.before_root = [&](std::uint64_t) { cancelled.pass(); }});
  session.cancel();
  cancelled.open();
  ASSERT_TRUE(await_end());
  EXPECT_EQ(session.phase(), SessionPhase::failed);
  EXPECT_EQ(session.error().code, ErrorCode::cancelled);
}

TEST_F(SessionTest, KeepsNothingOfALoadThatRanOutOfMemory) {
  Gate shown;
  Session& session = open_with_snapshots({.before_root = [&](std::uint64_t i) {
    if (i < 2) return;
    shown.pass();
    throw std::bad_alloc();
  }});
  ASSERT_TRUE(await([&] { return session.has_trace(); }));
  shown.open();
  ASSERT_TRUE(await_end());
  EXPECT_EQ(session.phase(), SessionPhase::failed);
  EXPECT_FALSE(session.has_trace());
  EXPECT_TRUE(session.timeline().tracks.empty());
}

TEST_F(SessionTest, FailsWithoutMemoryAndLoadsOnceThereIsSome) {
  bool short_of_memory = true;  // changed only while nothing is being loaded
  Session& session = open({}, {.before_root = [&](std::uint64_t) {
                            if (short_of_memory) throw std::bad_alloc();
                          }});
  ASSERT_TRUE(await_end());
  EXPECT_EQ(session.phase(), SessionPhase::failed);
  EXPECT_EQ(session.error().code, ErrorCode::no_memory);
  EXPECT_FALSE(session.has_trace());
  ASSERT_TRUE(await([&] { return session.idle(); }));
  short_of_memory = false;
  session.reload();
  EXPECT_TRUE(session.loading());
  ASSERT_TRUE(await_end());
  EXPECT_EQ(session.phase(), SessionPhase::ready);
  EXPECT_EQ(session.error().text, "");
}

TEST_F(SessionTest, ReloadsKeepingViewSelectionAndHiddenThreads) {
  Session& session = open();
  ASSERT_TRUE(await_end());
  look_at_root(1);
  session.state().selected = root(1);
  session.state().hidden_tracks = {0};
  session.state().range = TimeRange{5, 10};
  session.state().filter = "main";
  const TimelineState before = session.state();
  session.reload();
  EXPECT_TRUE(session.loading());
  EXPECT_EQ(session.timeline().slice_count, 3u);  // the old one, until the new one is there
  ASSERT_TRUE(await_end());
  EXPECT_EQ(session.generation(), 2u);
  EXPECT_EQ(session.state().view, before.view);
  EXPECT_EQ(session.state().selected, before.selected);
  EXPECT_EQ(session.state().hidden_tracks, before.hidden_tracks);
  EXPECT_EQ(session.state().range->end_ns, 10);
  EXPECT_EQ(session.state().filter, "main");
}

TEST_F(SessionTest, KeepsShowingTheOldTraceWhenAReloadIsStopped) {
  std::atomic<int> loads = 0;
  Gate cancelled;
  Session& session = open({}, {.before_root = [&](std::uint64_t step) {
                            if (step == 0 && ++loads == 2) cancelled.pass();
                          }});
  ASSERT_TRUE(await_end());
  session.reload();
  session.cancel();
  cancelled.open();
  ASSERT_TRUE(await_end());
  EXPECT_EQ(session.phase(), SessionPhase::stopped);
  EXPECT_TRUE(session.timeline().complete);
  EXPECT_EQ(session.timeline().slice_count, 3u);
}

TEST_F(SessionTest, LetsGoOfItsSourceWhenItIsClosed) {
  Session& session = open();
  ASSERT_TRUE(await_end());
  session.close();
  ASSERT_TRUE(wait_until([&] { return session.idle(); }));
  EXPECT_FALSE(session.has_trace());
  EXPECT_EQ(source_.use_count(), 1);  // the test's own
}

TEST_F(SessionTest, EndsALoadWhenItIsClosed) {
  Gate closed;
  Session& session = open({.roots = 1000}, {.before_root = [&](std::uint64_t step) {
                            if (step == 1) closed.pass();
                          }});
  session.close();
  closed.open();
  EXPECT_TRUE(wait_until([&] { return session.idle(); }));
  EXPECT_LT(session.done_bytes(), 1000u);
}

TEST_F(SessionTest, DoesNotReloadStandardInput) {
  int opened = 0;
  Session session(
      "-",
      [&opened](LoadContext&) -> Result<OpenedSource> {
        ++opened;
        return OpenedSource{std::make_shared<SyntheticSource>(SyntheticTree{}), nullptr};
      },
      {});
  ASSERT_TRUE(wait_until([&] { return session.poll(), !session.loading(); }));
  EXPECT_FALSE(session.can_reload());
  session.reload();
  EXPECT_EQ(session.phase(), SessionPhase::ready);
  EXPECT_TRUE(session.has_trace());
  EXPECT_EQ(opened, 1);
}

TEST_F(SessionTest, SurvivesReloadsInARow) {
  Session& session = open();
  for (int i = 0; i < 20; ++i) {
    session.reload();
    session.poll();
  }
  ASSERT_TRUE(await_end());
  EXPECT_EQ(session.phase(), SessionPhase::ready);
  EXPECT_TRUE(await([&] { return session.idle(); }));
}

// All of it together: children come by range, go when others need the room, and a remembered call
// in what went (a selection, a match of a search) is there again once it is asked for.
TEST_F(SessionTest, LazilyLoadedChildrenComeAndGo) {
  const SyntheticTree tree{.roots = 3, .children = 200, .levels = 2};
  Session& session = open(tree, {}, block_bytes(tree) * 3 / 2);  // room for one root's children
  ASSERT_TRUE(await_end());
  look_at_root(0);
  session.request_children(root(0));
  session.request_children(root(0));
  ASSERT_TRUE(await_children());
  EXPECT_EQ(source_->queries().size(), 1u);
  EXPECT_EQ(session.version(), session.generation() + 1);
  const SliceRef first = first_child_of(session.timeline(), root(0));
  const SliceRef hit = {first.track, first.block, 0, 150};
  EXPECT_EQ(session.timeline().text(slice_at(session.timeline(), hit).name), "call 1.150");

  look_at_root(2);
  session.request_children(root(2));
  ASSERT_TRUE(await_children());
  EXPECT_EQ(block_of(session.timeline(), hit), nullptr);
  EXPECT_EQ(session.children().loaded_count(), 1u);

  session.state().selected = hit;  // going to the next match
  EXPECT_FALSE(session.restore_selection());
  EXPECT_FALSE(session.restore_selection());
  ASSERT_TRUE(await_children());
  EXPECT_TRUE(session.restore_selection());
  EXPECT_EQ(session.timeline().text(slice_at(session.timeline(), hit).name), "call 1.150");
  EXPECT_EQ(slice_at(session.timeline(), hit).begin_ns, 750'000'000);
  EXPECT_EQ(parent_of(session.timeline(), hit), root(0));
  EXPECT_EQ(source_->queries().size(), 3u);

  session.view_was_moved();  // there it stays while it is selected, wherever one looks
  for (const std::int64_t elsewhere : {1, 2}) {
    look_at_root(elsewhere);
    session.request_children(root(static_cast<std::uint64_t>(elsewhere)));
    ASSERT_TRUE(await_children());
    EXPECT_TRUE(session.restore_selection());
  }
  EXPECT_EQ(session.children().loaded_count(), 2u);
}

TEST_F(SessionTest, LoadsASelectionBackThroughTwoDeferredLevels) {
  Session& session = open({.roots = 3, .children = 100, .levels = 3}, {}, 100'000);
  ASSERT_TRUE(await_end());
  look_at_root(0);
  SliceRef deepest = root(0);
  for (int level = 0; level < 3; ++level) {
    session.request_children(deepest);
    ASSERT_TRUE(await_children());
    deepest = first_child_of(session.timeline(), deepest);
    deepest.slice += 50;
  }
  const Slice wanted = slice_at(session.timeline(), deepest);
  EXPECT_EQ(depth_of(session.timeline(), deepest), 3u);
  // Enough elsewhere to push all three blocks out.
  for (const std::int64_t other : {1, 2}) {
    look_at_root(other);
    session.request_children(root(static_cast<std::uint64_t>(other)));
    ASSERT_TRUE(await_children());
    const SliceRef first =
        first_child_of(session.timeline(), root(static_cast<std::uint64_t>(other)));
    for (std::uint64_t i = 0; first && i < 60; ++i) {
      session.request_children({first.track, first.block, 0, i});
      ASSERT_TRUE(await_children());  // only some are asked for at a time
    }
  }
  ASSERT_EQ(block_of(session.timeline(), deepest), nullptr);
  session.state().selected = deepest;
  look_at_root(0);
  EXPECT_FALSE(session.restore_selection());
  ASSERT_TRUE(await_children());
  ASSERT_TRUE(session.restore_selection());
  EXPECT_EQ(slice_at(session.timeline(), deepest).begin_ns, wanted.begin_ns);
  EXPECT_EQ(slice_at(session.timeline(), deepest).name, wanted.name);
  const SliceRef parent = parent_of(session.timeline(), deepest);
  EXPECT_EQ(depth_of(session.timeline(), parent_of(session.timeline(), parent)), 1u);
}

// The answer to a question about the old trace must not land in the new one.
TEST_F(SessionTest, AsksForNoChildrenOfTheOldTraceWhileReloading) {
  Gate asked;
  std::atomic<bool> hold = false;
  SyntheticEvents events;
  events.before_children = [&](const ChildQuery&) -> Status {
    if (hold) asked.pass();
    return ok();
  };
  Session& session = open({.levels = 1}, events, 1);
  ASSERT_TRUE(await_end());
  look_at_root(0);
  session.request_children(root(0));
  ASSERT_TRUE(await_children());
  const SliceRef lost = first_child_of(session.timeline(), root(0));
  look_at_root(2);
  session.request_children(root(2));
  ASSERT_TRUE(await_children());
  session.state().selected = lost;
  hold = true;
  session.reload();
  EXPECT_FALSE(session.restore_selection());
  ASSERT_TRUE(await_end());
  EXPECT_FALSE(session.state().selected);
  look_at_root(1);
  session.request_children(root(1));
  asked.open();
  ASSERT_TRUE(await_children());
  const SliceRef child = first_child_of(session.timeline(), root(1));
  ASSERT_TRUE(child);
  EXPECT_EQ(slice_at(session.timeline(), child).begin_ns, 1'000'000'000);
}

TEST_F(SessionTest, TakesStaleReferencesForNothing) {
  Session& session = open();
  ASSERT_TRUE(await_end());
  for (const SliceRef& stale :
       {SliceRef{TrackId{9}, BlockId{0}, 0, 0}, SliceRef{TrackId{0}, BlockId{5}, 0, 0},
        SliceRef{TrackId{0}, BlockId{0}, 7, 0}, SliceRef{TrackId{0}, BlockId{0}, 0, 77}}) {
    session.request_children(stale);
    session.state().selected = stale;
    session.restore_selection();
    session.note_visible();
  }
  session.reload();
  ASSERT_TRUE(await_end());
  EXPECT_FALSE(session.state().selected);
  EXPECT_TRUE(source_->queries().empty());
}

TEST_F(SessionTest, WakesTheWindowWhenThereIsSomethingToPoll) {
  std::atomic<int> wakes = 0;
  Session session("x", opener_of(std::make_shared<SyntheticSource>(SyntheticTree{})),
                  {.wake = [&wakes] { ++wakes; }});
  ASSERT_TRUE(wait_until([&] { return wakes >= 2; }));
  EXPECT_TRUE(session.poll());
  EXPECT_FALSE(session.poll());
}

TEST_F(SessionTest, LendsTheSameSlicesUntilThereAreOthers) {
  Session& session = open();
  EXPECT_TRUE(await_end());
  const std::shared_ptr<const SliceSet> slices = session.slices();
  EXPECT_EQ(session.slices(), slices);
  session.request_children(root(0));
  EXPECT_TRUE(await_children());
  EXPECT_NE(session.slices(), slices);
  EXPECT_EQ(session.slices()->tracks.front().blocks.size(), 2u);
}

}  // namespace
}  // namespace cinderscope
