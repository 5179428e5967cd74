#include <gtest/gtest.h>

#include <string>

#include "tests/support/written.h"

namespace cinderscope {
namespace {

TEST(PlainWriterTest, KeepsACategoryHoweverLongItIs) {
  const std::string category(100, 'c');
  const LoadedTrace json =
      load_bytes("google_json", R"([{"name":"call","cat":")" + category +
                                    R"(","ph":"X","ts":1,"dur":5,"pid":7,"tid":9},
          {"name":"wait","cat":")" + category +
                                    R"(","ph":"b","id":1,"ts":1,"pid":7,"tid":9},
          {"name":"wait","cat":")" + category +
                                    R"(","ph":"e","id":1,"ts":3,"pid":7,"tid":9}])");
  // A thread stream's events are written anew, those of JSON copied.
  const LoadedTrace stream = load_bytes("thread_stream", written(json, *writer_named("tsd")).bytes);
  const std::string bytes = written(stream, *writer_named("json")).bytes;
  const std::size_t first = bytes.find('"' + category + '"');
  ASSERT_NE(first, std::string::npos) << bytes;
  EXPECT_NE(bytes.find('"' + category + '"', first + 1), std::string::npos) << bytes;
}

}  // namespace
}  // namespace cinderscope
