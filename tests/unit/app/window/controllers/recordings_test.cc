#include "app/window/controllers/recordings.h"

#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class RecordingsControllerTest : public UnseenWindow {};

TEST_F(RecordingsControllerTest, ListensUntilItIsAskedAgain) {
  const std::string folder = (folder_.path() / "recorded").string();
  EXPECT_EQ(run("collect 127.0.0.1:0 " + folder), "");
  EXPECT_TRUE(controllers().recordings->collecting());
  EXPECT_NE(shell_->message().find(folder), std::string::npos);
  EXPECT_FALSE(controllers().recordings->seconds_to_reload());
  EXPECT_EQ(run("collect"), "");
  EXPECT_FALSE(controllers().recordings->collecting());
  EXPECT_EQ(shell_->message(), "collecting ended");
}

TEST_F(RecordingsControllerTest, SaysWhyItCannotListen) {
  EXPECT_NE(run("collect nowhere"), "");
  EXPECT_FALSE(controllers().recordings->collecting());
}

}  // namespace
}  // namespace cinderscope
