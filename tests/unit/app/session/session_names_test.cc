// Other names for an open trace whose names lie in a file of their own.
#include <gtest/gtest.h>

#include <string>

#include "app/session/merged_trace.h"
#include "app/session/open_source.h"
#include "app/session/session.h"
#include "tests/support/lincheck_files.h"
#include "tests/support/lincheck_script.h"
#include "tests/support/synthetic_source.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

using namespace std::string_view_literals;

class SessionNamesTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ = dir_.write("thread-1.flow", "\x80\x81\x01"sv).string();
    names_ = dir_.write("names", "a.B#c()V=0\na.B#d()V=1\n"sv).string();
    session_ = std::make_unique<Session>(
        path_, [this](LoadContext& control) { return open_source(path_, control); },
        SessionOptions{.load = {.jobs = 1}});
    session_->set_width(1000);
    ASSERT_TRUE(await([this] { return !session_->loading(); }));
  }
  bool await(const std::function<bool()>& holds) {
    return wait_until([&] {
      session_->poll();
      return holds();
    });
  }
  bool await_names() {
    return await([this] { return !session_->renaming(); });
  }
  std::string outermost() const {
    const Timeline& timeline = session_->timeline();
    return std::string(timeline.text(timeline.tracks[0].root().rows[0].name(0)));
  }

  TempDir dir_;
  std::string path_, names_;
  std::unique_ptr<Session> session_;
};

TEST_F(SessionNamesTest, ANewMappingKeepsTheViewAndTheSelection) {
  const SliceRef selected{TrackId{0}, BlockId{0}, 1, 0};
  session_->state().selected = selected;
  const Viewport view = session_->state().view;
  const std::uint64_t generation = session_->generation();
  EXPECT_EQ(outermost(), "method #0");
  ASSERT_TRUE(session_->rename({.mapping_path = names_}));
  EXPECT_TRUE(session_->renaming());
  ASSERT_TRUE(await_names());
  EXPECT_EQ(outermost(), "a.B#c()V");
  EXPECT_EQ(session_->state().selected, selected);
  EXPECT_EQ(session_->state().view.begin_ns, view.begin_ns);
  EXPECT_GT(session_->generation(), generation);
  EXPECT_TRUE(session_->take_rename_result());
  EXPECT_FALSE(session_->take_rename_result());  // told once
}

TEST_F(SessionNamesTest, AReloadTakesThemAgain) {
  session_->rename({.mapping_path = names_});
  ASSERT_TRUE(await_names());
  session_->reload();
  ASSERT_TRUE(await([this] { return !session_->loading(); }));
  EXPECT_EQ(outermost(), "a.B#c()V");
}

TEST_F(SessionNamesTest, AMappingThatCannotBeReadIsToldAndChangesNothing) {
  ASSERT_TRUE(session_->rename({.mapping_path = names_ + ".missing"}));
  ASSERT_TRUE(await_names());
  const auto result = session_->take_rename_result();
  ASSERT_TRUE(result);
  EXPECT_FALSE(*result);
  EXPECT_EQ(outermost(), "method #0");
}

TEST_F(SessionNamesTest, TheLastOfSeveralCounts) {
  const std::string other = dir_.write("other", "x.Y#z()V=0\n"sv).string();
  for (int i = 0; i < 5; ++i) session_->rename({.mapping_path = names_});
  session_->rename({.mapping_path = other});
  ASSERT_TRUE(await([this] { return outermost() == "x.Y#z()V"; }));
}

// A file whose names come later shares the timeline with one of which calls stay on disk.
class MergedSessionNamesTest : public SessionNamesTest {
 protected:
  void SetUp() override {
    SessionNamesTest::SetUp();
    LincheckScript script;
    script.call(script.method("Main", "run"));
    const std::int32_t step = script.method("Main", "step"), leaf = script.method("Main", "leaf");
    for (int i = 0; i < 40; ++i) {
      script.call(step);
      for (int k = 0; k < 30; ++k) {
        script.call(leaf);
        script.end_call();
      }
      script.end_call();
    }
    script.end_call();
    const auto lazy = (dir_.path() / "lazy.trace").string();
    write_bytes(lazy, script.finish());
    session_ = std::make_unique<Session>(
        path_,
        [this, lazy](LoadContext&) -> Result<OpenedSource> {
          const auto merged = std::make_shared<MergedSource>(
              std::vector<MergeFile>{{path_, {}}, {lazy, {}}}, open_source);
          return OpenedSource{.source = merged, .merged = merged.get()};
        },
        SessionOptions{.load = {.jobs = 1, .window_bytes = 4096, .lazy_above_bytes = 100}});
    session_->set_width(1000);
    ASSERT_TRUE(await([this] { return !session_->loading(); }));
    const auto& threads = session_->timeline().threads;
    ASSERT_EQ(threads.size(), 2u);
    root_ = {threads[1].track, BlockId{0}, 0, 0};
    ASSERT_TRUE(has_calls_on_disk(session_->timeline()));
  }
  SliceRef child_of(const SliceRef& parent, std::uint64_t number) {
    SliceRef child;
    const std::int64_t begin_ns = slice_at(session_->timeline(), parent).begin_ns;
    const bool found = await([&] {
      const Timeline& timeline = session_->timeline();
      session_->request_children(parent, TimeRange{begin_ns, begin_ns});
      const Track& track = timeline.tracks[index(parent.track)];
      for (std::uint32_t b = 1; b < track.blocks.size(); ++b) {
        const SliceBlock* block = track.blocks[b].get();
        if (block == nullptr || block->parent_block != parent.block ||
            block->parent_slice != parent.slice) {
          continue;
        }
        child = {parent.track, BlockId{b}, 0, number};
        return true;
      }
      return false;
    });
    EXPECT_TRUE(found);
    return child;
  }
  std::string name_of(const SliceRef& slice) const {
    const Timeline& timeline = session_->timeline();
    return std::string(timeline.text(slice_at(timeline, slice).name));
  }

  SliceRef root_;
};

TEST_F(MergedSessionNamesTest, CallsThatWereReadFromDiskAreReadAgain) {
  const SliceRef child = child_of(root_, 1), grandchild = child_of(child, 4);
  EXPECT_EQ(name_of(child), "Main.step");
  session_->state().selected = grandchild;
  for (const std::string& names : {names_, std::string(), names_}) {
    ASSERT_TRUE(session_->rename({.mapping_path = names}));
    ASSERT_TRUE(await_names());
    EXPECT_TRUE(session_->take_rename_result());
    EXPECT_EQ(outermost(), names.empty() ? "method #0" : "a.B#c()V");
    EXPECT_EQ(name_of(root_), "Main.run");
    ASSERT_TRUE(await([&] { return session_->restore_selection(); }));
    EXPECT_EQ(session_->state().selected, grandchild);
    EXPECT_EQ(name_of(grandchild), "Main.leaf");
    EXPECT_EQ(name_of(child), "Main.step");
  }
}

TEST_F(MergedSessionNamesTest, WhatIsUnderWayMeanwhileComesWithTheNewNames) {
  session_->request_children(root_, TimeRange{INT64_MIN, INT64_MAX});
  ASSERT_TRUE(session_->rename({.mapping_path = names_}));
  ASSERT_TRUE(await_names());
  EXPECT_EQ(outermost(), "a.B#c()V");
  EXPECT_EQ(name_of(child_of(root_, 0)), "Main.step");
}

}  // namespace
}  // namespace cinderscope
