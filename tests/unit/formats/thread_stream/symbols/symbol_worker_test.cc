#include "formats/thread_stream/symbols/symbol_worker.h"

#include <gtest/gtest.h>

#include "ingest/base/json/json_value.h"
#include "tests/support/source_dir.h"

namespace cinderscope::thread_stream {
namespace {

TEST(SymbolWorkerTest, AnswersInJson) {
  const std::string file = test::source_dir() + "/tests/fuzz/elf/dwarf5.so";
  const std::string text =
      answer_of_symbol_worker(R"({"files":["/none",")" + file +
                              R"("],"build_id":"","addresses":[1,18446744073709551615]})");
  const Result<JsonValue> answer = read_json(text);
  ASSERT_TRUE(answer);
  ASSERT_NE(answer->find("reason"), nullptr);
  EXPECT_EQ(answer->find("file")->text, can_read_symbols() ? file : "");
  EXPECT_TRUE(answer->find("symbols")->members.empty());
}

TEST(SymbolWorkerTest, AnswersWhateverItIsAsked) {
  for (const char* question : {"", "[]", "{", R"({"files":1,"addresses":[-1,"x",{}]})"}) {
    EXPECT_TRUE(read_json(answer_of_symbol_worker(question))) << question;
  }
}

// What is started here is the test's own program, which is no worker.
TEST(SymbolWorkerTest, AWorkerThatIsNoneIsNoEnd) {
  std::atomic<bool> cancelled = true;
  const auto none = ask_symbol_worker({.files = {"/none"}}, cancelled);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace cinderscope::thread_stream
