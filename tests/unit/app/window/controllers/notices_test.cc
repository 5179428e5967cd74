#include "app/window/controllers/notices.h"

#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class NoticesControllerTest : public UnseenWindow {
 protected:
  std::vector<std::string> texts() { return controllers().notices->texts(tab()); }
  // Frames until something is said, or until nothing is.
  bool says(bool anything) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (texts().empty() == anything && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      frame();
    }
    return texts().empty() != anything;
  }
  // The window is looked at again, so its file is looked at, too.
  void come_back() {
    shell_->input().push_back(FocusChanged{false});
    settle();
    shell_->input().push_back(FocusChanged{true});
    settle();
  }

  static constexpr std::string_view kCut =
      R"([{"ph":"X","pid":1,"tid":1,"ts":0,"dur":9,"name":"f"},{"ph":"X","p)";
};

TEST_F(NoticesControllerTest, AHealthyTraceHasNone) {
  open_two_threads();
  EXPECT_TRUE(texts().empty());
}

TEST_F(NoticesControllerTest, ACutFileSaysSoUntilThatIsDismissed) {
  open("cut.json", kCut);
  const std::vector<std::string> said = {"The file ends early: 1 slice before the cut is shown."};
  EXPECT_EQ(texts(), said);
  EXPECT_EQ(run("dismiss-notice damage"), "");
  EXPECT_TRUE(texts().empty());
  EXPECT_EQ(run("reload"), "");
  EXPECT_EQ(texts(), said);
}

TEST_F(NoticesControllerTest, ItsButtonOpensTheLoadReport) {
  open("cut.json", kCut);
  bool opens = false;
  Actions actions;
  for (float x = 0; x < kWidthPx && !opens; x += 8) {
    for (const bool down : {false, true, false}) {
      ImGuiIO& io = ImGui::GetIO();
      io.MousePos = {x, 18};
      io.MouseDown[0] = down;
      ImGui::NewFrame();
      ImGui::SetNextWindowPos({0, 0});
      ImGui::SetNextWindowSize({kWidthPx, kHeightPx});
      ImGui::SetNextWindowPos({0, 0});
      ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration);
      EXPECT_EQ(controllers().notices->draw(tab(), {0, 0, kWidthPx, kHeightPx}, actions).y, 36);
      ImGui::End();
      ImGui::Render();
    }
    for (const Action& action : actions) {
      const auto* command = std::get_if<RunCommand>(&action);
      opens = opens || (command != nullptr && command->name == "panel");
    }
  }
  EXPECT_TRUE(opens);
}

TEST_F(NoticesControllerTest, AChangedFileIsOfferedForReload) {
  open_two_threads();
  folder_.write("two.json", R"([{"ph":"X","pid":1,"tid":1,"ts":5,"dur":9,"name":"new"}])");
  come_back();
  ASSERT_TRUE(says(true));
  EXPECT_NE(texts()[0].find("\"two.json\""), std::string::npos);
  EXPECT_EQ(run("reload"), "");
  EXPECT_TRUE(texts().empty());
  EXPECT_EQ(timeline().slice_count, 1u);
}

TEST_F(NoticesControllerTest, AChangedFileMayStayAsItWasRead) {
  open_two_threads();
  folder_.write("two.json", "[]");
  come_back();
  ASSERT_TRUE(says(true));
  EXPECT_EQ(run("dismiss-notice changed"), "");
  EXPECT_TRUE(texts().empty());
  EXPECT_TRUE(tab().session->disk_change());
  come_back();
  EXPECT_TRUE(texts().empty());
}

TEST_F(NoticesControllerTest, WhoeverMeetsAnotherFileSaysSoAtOnce) {
  open_two_threads();
  shell_->input().push_back(FocusChanged{false});  // nobody watches the file
  settle();
  std::string other(kTwoThreads);
  other.replace(other.find("\"id\":7"), 6, "\"id\":8");
  folder_.write("two.json", other);
  const Slice work = slice_at(timeline(), {TrackId{0}, BlockId{0}, 0, 0});
  EXPECT_TRUE(tab().session->source()->describe(work.record, work.end_record).outdated);
  EXPECT_TRUE(says(true));
}

TEST_F(NoticesControllerTest, ATraceWithoutEventsSaysSoAndStaysUsable) {
  open("empty.json", R"({"traceEvents":[
{"ph":"M","pid":1,"tid":1,"name":"process_name","args":{"name":"server"}}],"otherData":{"a":"b"}})");
  EXPECT_TRUE(timeline().empty());
  const int vertices = ImGui::GetDrawData()->TotalVtxCount;
  EXPECT_EQ(state().visible_boxes, 0u);
  EXPECT_EQ(run("panel report"), "");
  EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, vertices / 2);
  EXPECT_EQ(run("fit"), "");
  click(600, 300);
}

}  // namespace
}  // namespace cinderscope
