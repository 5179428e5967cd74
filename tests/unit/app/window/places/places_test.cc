#include "app/window/places/places.h"

#include "app/places/place.h"
#include "app/window/places/open_items.h"
#include "app/window/places/shows.h"
#include "render/views/chrome/missing_trace.h"
#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class PlacesTest : public UnseenWindow {
 protected:
  std::string line(int number) const {
    std::string_view rest = copied_;
    for (int i = 0; i < number; ++i) rest.remove_prefix(rest.find('\n') + 1);
    return std::string(rest.substr(0, rest.find('\n')));
  }
  void open_with(const std::vector<ShowWord>& words) {
    Result<ShowOptions> options = show_options(words);
    ASSERT_TRUE(options);
    const std::string path = folder_.write("two.json", kTwoThreads).string();
    open_items(*shell_, {path}, std::move(*options));
    settle();
  }
};

TEST_F(PlacesTest, CopiesThreeLines) {
  open_two_threads();
  ASSERT_TRUE(find("job"));
  EXPECT_EQ(run("copy-place"), "");
  EXPECT_TRUE(line(0).starts_with("job  700")) << line(0);
  EXPECT_NE(line(0).find("worker"), std::string::npos) << line(0);
  EXPECT_TRUE(line(1).starts_with("in two.json, ")) << line(1);
  const Result<Place> place = place_from(copied_);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->trace.name, "two.json");
  EXPECT_EQ(place->trace.size_bytes, kTwoThreads.size());
  ASSERT_TRUE(place->slice);
  EXPECT_EQ(place->slice->name, "job");
  EXPECT_EQ(place->slice->begin_ns, 200'000);
  EXPECT_EQ(place->slice->depth, 1u);
}

TEST_F(PlacesTest, WithoutACallTheFirstLineTellsTheRangeOrTheView) {
  open_two_threads();
  run("select-range 100us 300us");
  run("copy-place");
  EXPECT_NE(line(0).find(" from "), std::string::npos) << line(0);
  run("select-range");
  run("copy-place");
  EXPECT_NE(line(0).find(" – "), std::string::npos) << line(0);
}

TEST_F(PlacesTest, MarkdownHasTheCommandThatSelectsTheCall) {
  open_two_threads();
  ASSERT_TRUE(find("job"));
  run("copy-place markdown");
  EXPECT_TRUE(line(0).starts_with("**job")) << line(0);
  EXPECT_TRUE(line(2).starts_with("`cinderscope:two.json?")) << line(2);
  EXPECT_EQ(line(3), "`cinderscope two.json --select 'worker/job@+0.2ms'`");
}

TEST_F(PlacesTest, GoingToItSelectsTheSameCall) {
  open_two_threads();
  ASSERT_TRUE(find("job"));
  const Viewport view = state().view;
  run("copy-place");
  const std::string place = line(2);
  run("clear");
  run("fit");
  EXPECT_EQ(run("go-to-place " + place), "");
  EXPECT_EQ(selected_name(), "job");
  EXPECT_NEAR(static_cast<double>(state().view.begin_ns), static_cast<double>(view.begin_ns), 2);
  run("clear");
  run("reload");
  EXPECT_EQ(run("go-to-place " + place), "");
  EXPECT_EQ(selected_name(), "job");
  EXPECT_EQ(shell_->tabs().all.size(), 1u);
}

// Of that content under another name, which is open, and under its own name elsewhere.
TEST_F(PlacesTest, TheTraceMayLieInAnotherFolder) {
  open_two_threads();
  ASSERT_TRUE(find("job"));
  run("copy-place");
  const std::string place = line(2);
  run("close");
  std::filesystem::create_directory(folder_.path() / "else");
  open("else/renamed.json", kTwoThreads);
  EXPECT_EQ(run("go-to-place " + place), "");
  ASSERT_EQ(shell_->tabs().all.size(), 1u);
  EXPECT_EQ(selected_name(), "job");
}

TEST_F(PlacesTest, AsksWhereATraceIsThatIsNotKnown) {
  open_two_threads();
  ASSERT_TRUE(find("job"));
  run("copy-place");
  const std::string place = line(2);
  const std::string path = tab().session->path();
  run("close");
  EXPECT_EQ(run("go-to-place " + place), "");
  ASSERT_EQ(shell_->tabs().all.size(), 1u);
  ASSERT_NE(tab().missing, nullptr);
  EXPECT_EQ(missing_title(*tab().missing), "Where is two.json?");
  EXPECT_EQ(run("locate-trace " + path), "");
  EXPECT_EQ(tab().missing, nullptr);
  EXPECT_EQ(selected_name(), "job");
}

TEST_F(PlacesTest, RefusesWhatIsNoPlace) {
  EXPECT_EQ(run("go-to-place hello"), "This is no place: one begins with \"cinderscope:\".");
  EXPECT_EQ(run("paste-place"),
            "There is no place on the clipboard: one begins with \"cinderscope:\".");
}

TEST_F(PlacesTest, PastingGoesThereButNotWhileATextIsTyped) {
  open_two_threads();
  ASSERT_TRUE(find("job"));
  press("Ctrl+L");
  ASSERT_TRUE(is_place(line(2))) << copied_;
  run("clear");
  press("Ctrl+V");
  EXPECT_EQ(selected_name(), "job");
}

TEST_F(PlacesTest, OptionsHoldForTheTraceThatIsOpened) {
  open_with({{"--view", {"+0.1ms", "end-0.2ms"}},
             {"--range", {"+0.1ms", "+0.3ms"}},
             {"--select", {"worker/job"}},
             {"--search", {"step"}},
             {"--pin", {"worker"}},
             {"--only", {"worker"}},
             {"--panel", {"statistics"}}});
  EXPECT_EQ(state().view.begin_ns, 100'000);
  EXPECT_NEAR(static_cast<double>(state().view.end_ns()), 800'000, 2);
  EXPECT_EQ(state().range, (TimeRange{100'000, 300'000}));
  EXPECT_EQ(selected_name(), "job");
  EXPECT_EQ(tab().search.text(), "step");
  EXPECT_EQ(state().pinned_tracks.size(), 1u);
  EXPECT_EQ(state().solo_tracks.size(), 1u);
}

TEST_F(PlacesTest, WhatCannotBeIsSaidAndTheRestIsShown) {
  testing::internal::CaptureStderr();
  open_with({{"--view", {"+5h", "+6h"}}, {"--select", {"nobody"}}, {"--search", {"step"}}});
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("is not in the trace"), std::string::npos) << said;
  EXPECT_NE(said.find("There is no call \"nobody\"."), std::string::npos) << said;
  EXPECT_EQ(tab().search.text(), "step");
}

TEST_F(PlacesTest, SelectsACallByWhatIsTyped) {
  open_two_threads();
  EXPECT_EQ(run("select-call step#2"), "");
  EXPECT_EQ(slice_at(timeline(), state().selected).begin_ns, 400'000);
  EXPECT_EQ(run("select-call \"job\""), "");
  EXPECT_EQ(selected_name(), "job");
}

}  // namespace
}  // namespace cinderscope
