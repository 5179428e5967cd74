#include "app/session/open_source.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "ingest/format/format.h"
#include "tests/support/open_input.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

constexpr std::string_view kOneSlice = R"([{"ph":"X","pid":1,"tid":1,"ts":1,"dur":2,"name":"f"}])";

TEST(OpenSourceTest, OpensAFileByItsContentAndLoadsNothing) {
  const TempDir folder;
  LoadContext context;
  const auto opened = open_source(folder.write("no ending", kOneSlice).string(), context);
  ASSERT_TRUE(opened) << opened.error().text;
  EXPECT_EQ(opened->format->name(), "google_json");
  EXPECT_EQ(opened->source->input().name(), "no ending");
  EXPECT_EQ(opened->merged, nullptr);
  EXPECT_EQ(context.done_bytes(), 0u);
}

TEST(OpenSourceTest, IsCancelledWhileItWaitsForAPipe) {
  const TempDir folder;
  const std::filesystem::path pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const Input silent = opened(pipe);
  LoadContext context;
  bool came = true;
  std::jthread waiting([&] { came = await_head(silent, context); });
  context.cancel();
  waiting.join();
  EXPECT_FALSE(came);
}

TEST(OpenSourceTest, WaitsForNothingWhereAllIsThere) {
  const TempDir folder;
  EXPECT_TRUE(await_head(opened(folder.write("t.json", kOneSlice)), LoadContext()));
}

}  // namespace
}  // namespace cinderscope
