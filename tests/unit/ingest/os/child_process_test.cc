#include "ingest/os/child_process.h"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <string>

#include "tests/support/go_on.h"
#include "tests/support/synthetic_source.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

using test::kGoOn;

Result<ChildProcess> shell(const std::string& script, bool helper = true) {
  return ChildProcess::start({.program = "sh",
                              .arguments = {"sh", "-c", script},
                              .environment = {"CINDER_SET=here", "CINDER_TAKEN"},
                              .helper = helper});
}

TEST(ChildProcessTest, TellsHowItEnded) {
  EXPECT_EQ(shell("exit 3", false)->wait(), 3);
  EXPECT_EQ(shell("kill -9 $$", false)->wait(), 128 + 9);
}

TEST(ChildProcessTest, WhatIsNotThereCannotBeStarted) {
  const auto none = ChildProcess::start({.program = "/no/such/program", .arguments = {"x"}});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().text.find("/no/such/program"), std::string::npos);
}

TEST(ChildProcessTest, AHelperGetsAQuestionAndAnswers) {
  std::string question(3'000'000, 'q');
  Result<ChildProcess> helper = shell("cat; printf %s \"$CINDER_SET$CINDER_TAKEN\"");
  const Result<std::string> answer = helper->talk(question, 1u << 30, kGoOn);
  ASSERT_TRUE(answer);
  EXPECT_TRUE(*answer == question + "here");
  EXPECT_EQ(helper->wait(), 0);
}

TEST(ChildProcessTest, OneThatDoesNotListenIsHeardAllTheSame) {
  const Result<std::string> answer =
      shell("exec 0<&-; printf done")->talk(std::string(3'000'000, 'q'), 100, kGoOn);
  ASSERT_TRUE(answer);
  EXPECT_EQ(*answer, "done");
}

TEST(ChildProcessTest, OneThatSaysTooMuchIsEnded) {
  Result<ChildProcess> helper = shell("while :; do echo more; done");
  const Result<std::string> answer = helper->talk("", 1'000'000, kGoOn);
  ASSERT_FALSE(answer);
  EXPECT_EQ(helper->wait(), 128 + 9);
}

TEST(ChildProcessTest, ACancelledOneIsEnded) {
  const std::atomic<bool> cancelled{true};
  Result<ChildProcess> helper = shell("sleep 1000");
  EXPECT_FALSE(helper->status());
  EXPECT_EQ(helper->talk("", 100, cancelled).error().code, ErrorCode::cancelled);
  EXPECT_EQ(helper->status(), 128 + 9);
}

TEST(ChildProcessTest, AHelperEndsWithItsOwner) {
  std::int64_t id = 0;
  {
    Result<ChildProcess> helper = shell("sleep 1000");
    id = helper->id();
  }
  EXPECT_EQ(shell("kill -0 " + std::to_string(id) + " 2> /dev/null", false)->wait(), 1);
}

TEST(ChildProcessTest, AHelperEndsWithWhatItStarted) {
  const TempDir folder;
  const std::string file = folder.path() / "id";
  std::string id;
  {
    Result<ChildProcess> helper = shell("sleep 1000 & echo $! > '" + file + ".new'; mv '" + file +
                                        ".new' '" + file + "'; wait");
    ASSERT_TRUE(wait_until([&] { return static_cast<bool>(std::ifstream(file) >> id); }));
  }
  EXPECT_TRUE(
      wait_until([&] { return shell("kill -0 " + id + " 2> /dev/null", false)->wait() != 0; }));
}

}  // namespace
}  // namespace cinderscope
