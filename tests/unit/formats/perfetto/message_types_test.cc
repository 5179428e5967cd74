#include "formats/perfetto/text/message_types.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/load.h"
#include "tests/unit/formats/perfetto/wire_text.h"

namespace cinderscope::perfetto {
namespace {

std::string packed(const std::string& text) {
  const auto bytes = gzipped(bytes_of(text));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A set of one file with one message, which has `count` messages within it.
std::string descriptor(std::size_t count) {
  std::string inner;
  for (std::size_t i = 0; i < count; ++i)
    inner += message_text(3, message_text(1, std::to_string(i)));
  return message_text(1, message_text(4, message_text(1, "Outer") + inner));
}

TEST(PerfettoMessageTypesTest, ReadsPlainAndPackedDescriptors) {
  for (const bool is_packed : {false, true}) {
    MessageTypes types;
    types.add_descriptor(is_packed ? message_text(2, packed(descriptor(3)))
                                   : message_text(1, descriptor(3)));
    EXPECT_NE(types.message(".Outer"), nullptr);
    EXPECT_NE(types.message(".Outer.2"), nullptr);
  }
}

TEST(PerfettoMessageTypesTest, DescriptorsWithoutEndAreLeftOut) {
  const std::string large = message_text(1, std::string(std::size_t{40} << 20, '\0'));
  MessageTypes types;
  types.add_descriptor(message_text(1, large));
  types.add_descriptor(message_text(2, packed(large)));
  EXPECT_EQ(types.kept_bytes(), 0u);
  types.add_descriptor(message_text(1, descriptor(1)));
  EXPECT_NE(types.message(".Outer"), nullptr);
}

TEST(PerfettoMessageTypesTest, MessagesLieWithinMessagesToAnyDepth) {
  std::string message = message_text(1, "m");
  for (int i = 0; i < 2000; ++i) message = message_text(1, "m") + message_text(3, message);
  MessageTypes types;
  types.add_descriptor(message_text(1, message_text(1, message_text(4, message))));
  EXPECT_NE(types.message(".m.m.m"), nullptr);
}

}  // namespace
}  // namespace cinderscope::perfetto
