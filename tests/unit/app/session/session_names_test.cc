// Other names for an open trace whose names lie in a file of their own.
#include <gtest/gtest.h>

#include <string>

#include "app/session/open_source.h"
#include "app/session/session.h"
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

}  // namespace
}  // namespace cinderscope
