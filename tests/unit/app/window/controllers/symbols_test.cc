#include "app/window/controllers/symbols.h"

#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class SymbolsControllerTest : public UnseenWindow {};

TEST_F(SymbolsControllerTest, RefusesNamesForATraceThatHasItsOwn) {
  open_two_threads();
  EXPECT_EQ(run("names /tmp/some.properties"),
            "This trace has its names in itself, not in a file of their own.");
  EXPECT_FALSE(controllers().symbols->take_dropped({"/tmp/some.properties"}));
}

TEST_F(SymbolsControllerTest, ColoursByPackageEverywhere) {
  open_two_threads();
  EXPECT_EQ(run("colour-by package"), "");
  EXPECT_TRUE(shell_->settings().colours_by_package);
  EXPECT_TRUE(tab().session->names().colours_by_package);
  EXPECT_EQ(run("colour-by"), "");
  EXPECT_FALSE(tab().session->names().colours_by_package);
}

}  // namespace
}  // namespace cinderscope
