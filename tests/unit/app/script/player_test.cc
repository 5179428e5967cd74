#include "app/script/player.h"

#include <gtest/gtest.h>

#include "app/commands/commands.h"
#include "app/script/script_target.h"

namespace cinderscope {
namespace {

// Writes down what it is asked for.
class NotedTarget : public ScriptTarget {
 public:
  Status run_command(std::string_view name, std::string_view arguments) override {
    done += std::string(name) + "(" + std::string(arguments) + ") ";
    if (name == "nonsense") return refused("There is no command \"nonsense\".");
    return ok();
  }
  InputQueue& input() override { return queue; }
  bool find(std::string_view name) override { return name == "work"; }
  void save_screenshot(std::string path) override { done += "screenshot " + path; }
  Status save_state(const std::string& path) override {
    done += "state " + path + " ";
    return ok();
  }
  void quit() override { done += "quit "; }
  bool loading() const override { return still_loading; }
  bool comparing() const override { return false; }
  bool saving() const override { return false; }
  std::string take_failed_save() override { return std::exchange(failed_save, {}); }
  bool searching() const override { return false; }
  bool querying() const override { return false; }

  InputQueue queue;
  std::string done;
  bool still_loading = false;
  std::string failed_save;
};

class PlayerTest : public testing::Test {
 protected:
  // Plays it to its end, or to a step that cannot be done or waits.
  void play(const std::string& text) {
    Result<Script> script = parse_script(text);
    ASSERT_TRUE(script) << script.error().text;
    player_.emplace(std::move(*script));
    for (int i = 0; i < 20 && !player_->done(); ++i) player_->advance(target_);
  }
  NotedTarget target_;
  std::optional<Player> player_;
};

TEST_F(PlayerTest, TakesOneStepAfterTheOther) {
  play("# a comment\n\ncommand zoom-to 1 2\nfind work\nstate out.json\nquit\n");
  EXPECT_EQ(target_.done, "zoom-to(1 2) state out.json quit ");
  EXPECT_TRUE(player_->done());
  EXPECT_EQ(player_->error(), "");
}

TEST_F(PlayerTest, EndsWhereAFileWasNotSaved) {
  for (const char* then : {"wait saved\nquit\n", "quit\n"}) {
    target_.failed_save = "there is one already";
    target_.done.clear();
    play(std::string("command save-picture x.svg\n") + then);
    EXPECT_EQ(player_->error(), "Line 1: command save-picture x.svg: there is one already");
    EXPECT_EQ(target_.done, "save-picture(x.svg) ");
  }
}

TEST_F(PlayerTest, EndsAtAStepThatCannotBeDoneAndNamesItsLine) {
  play("command fit\ncommand nonsense x\nquit\n");
  EXPECT_EQ(player_->error(), "Line 2: command nonsense x: There is no command \"nonsense\".");
  EXPECT_EQ(target_.done, "fit() nonsense(x) ");
  play("find nobody\n");
  EXPECT_NE(player_->error(), "");
}

TEST_F(PlayerTest, WaitsForWhatIsLoading) {
  target_.still_loading = true;
  play("wait loaded\nquit\n");
  EXPECT_FALSE(player_->done());
  target_.still_loading = false;
  player_->advance(target_);
  EXPECT_EQ(target_.done, "quit ");
}

TEST_F(PlayerTest, KeysAndClicksBecomeInput) {
  play("key Ctrl+F\nclick 10 20\n");
  ASSERT_EQ(target_.queue.size(), 6u);
  const auto& down = std::get<KeyChanged>(target_.queue[0]);
  EXPECT_TRUE(down.down && down.chord.ctrl);
  EXPECT_EQ(std::get<PointerMoved>(target_.queue[3]).x, 10);
  EXPECT_TRUE(std::get<ButtonChanged>(target_.queue[4]).down);
  EXPECT_FALSE(std::get<ButtonChanged>(target_.queue[5]).down);
}

TEST_F(PlayerTest, WaitsForAnyLengthOfTime) {
  for (const char* step : {"wait 1ms", "wait 0.5s", "wait 1m30s"}) {
    play(step);
    EXPECT_EQ(player_->error(), "") << step;
  }
}

TEST_F(PlayerTest, RefusesStepsThatSayTooLittleOrTooMuch) {
  for (const char* step : {"click 1", "click 1 2 3", "drag 1 2 3", "wheel 1 2 3 alt 4",
                           "move 1 2 shift", "key Hyper", "wait soon", "wait 200", "wait 9999h"}) {
    play(step);
    EXPECT_NE(player_->error(), "") << step;
  }
  EXPECT_FALSE(parse_script("jump 1\n"));
}

}  // namespace
}  // namespace cinderscope
