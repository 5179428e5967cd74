#include "app/window/controllers/export/parts.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class PartsControllerTest : public UnseenWindow {
 protected:
  static std::string content(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  TempDir folder_;
};

TEST_F(PartsControllerTest, SavesTheSelectedRangeWithWhatIsCut) {
  open_two_threads();
  const std::filesystem::path path = folder_.path() / "part.json";
  EXPECT_EQ(run("select-range 350000 420000"), "");
  EXPECT_EQ(run("save-part " + path.string()), "");
  settle();
  const std::string saved = content(path);
  EXPECT_NE(saved.find(R"("cut":{"ts":0,"dur":1000})"), std::string::npos) << saved;
  EXPECT_NE(saved.find(R"("ts":400,"dur":20)"), std::string::npos) << saved;
  EXPECT_EQ(saved.find("\"ts\":100"), std::string::npos) << saved;
}

TEST_F(PartsControllerTest, SavesAllWithoutARangeAndReplacesOnlyWhenTold) {
  open_two_threads();
  const std::filesystem::path path = folder_.write("part.json", "mine");
  EXPECT_NE(run("save-part " + path.string()), "");
  EXPECT_EQ(content(path), "mine");
  EXPECT_EQ(run("save-part " + path.string() + " force"), "");
  settle();
  EXPECT_EQ(content(path), kTwoThreads);
}

TEST_F(PartsControllerTest, RefusesWhatItCannotWrite) {
  open_two_threads();
  EXPECT_NE(run("save-part " + (folder_.path() / "part.unknown").string()), "");
}

}  // namespace
}  // namespace cinderscope
