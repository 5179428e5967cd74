#include "app/recording/recorded_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "app/recording/recorder_path.h"

namespace cinderscope {
namespace {

TEST(RecordedProgramTest, IsToldWhereToRecord) {
  const ChildOptions child = recorded_child({"./game", "--level", "3"}, "/traces/100%.tsd");
  EXPECT_EQ(child.program, "./game");
  EXPECT_EQ(child.arguments.size(), 3u);
  EXPECT_NE(std::ranges::find(child.environment, "TSD_PATH=/traces/100%%.tsd"),
            child.environment.end());
  EXPECT_NE(std::ranges::find(child.environment, "TSD_OFF"), child.environment.end());
  EXPECT_FALSE(child.helper);
}

TEST(RecordedProgramTest, TellsHowTheProgramEnded) {
  PassedSignals signals;
  auto started = ChildProcess::start({.program = "sh", .arguments = {"sh", "-c", "exit 7"}});
  ASSERT_TRUE(started);
  RecordedProgram program(std::move(*started), signals);
  EXPECT_EQ(program.status(), 7);
  EXPECT_TRUE(program.ended());
}

}  // namespace
}  // namespace cinderscope
