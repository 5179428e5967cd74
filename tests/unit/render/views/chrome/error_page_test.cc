#include "render/views/chrome/error_page.h"

#include "tests/unit/render/views/view_window.h"

namespace cinderscope {
namespace {

class ErrorPageTest : public ViewWindow {
 protected:
  std::set<std::string> commands(const Error& error) {
    const Draw draw = [&](Actions& actions) {
      draw_error({.theme = theme_, .area = kArea, .path = "/tmp/a.json", .error = error}, actions);
    };
    std::set<std::string> names;
    for (const RunCommand& command : click_everywhere<RunCommand>(draw, 20)) {
      names.insert(command.name);
    }
    return names;
  }
};

TEST_F(ErrorPageTest, TellsAnErrorAndWhatCanBeDone) {
  const Error error{.text = "The file is no trace.\n" + std::string(1 << 20, '\xff'),
                    .expected = "A JSON object or array was expected.",
                    .offset_bytes = 12};
  const Draw draw = [&](Actions& actions) {
    draw_error({.theme = theme_, .area = kArea, .path = "/tmp/a.json", .error = error}, actions);
  };
  EXPECT_EQ(commands(error), (std::set<std::string>{"close", "reload"}));
  bool whole = false;
  for (const CopyText& copy : click_everywhere<CopyText>(draw, 20)) {
    whole |= copy.text.starts_with("/tmp/a.json: The file is no trace.") &&
             copy.text.ends_with("(byte 12)");
  }
  EXPECT_TRUE(whole);
}

TEST_F(ErrorPageTest, OffersToLoadATraceThatIsTooLarge) {
  EXPECT_EQ(commands({.code = ErrorCode::too_large, .text = "It is too large."}),
            (std::set<std::string>{"close", "reload", "load-anyway", "load-on-disk", "load-part"}));
}

TEST_F(ErrorPageTest, DrawsWithoutRoom) {
  EXPECT_TRUE(
      frame([&](Actions& actions) {
        draw_error({.theme = theme_, .area = {0, 0, 0, 0}, .path = "", .error = {}}, actions);
      }).empty());
}

}  // namespace
}  // namespace cinderscope
