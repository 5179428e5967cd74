#include "ingest/input/crc32.h"

#include <gtest/gtest.h>

#include <string_view>

namespace cinderscope {
namespace {

TEST(Crc32Test, IsThatOfGzip) {
  const std::string_view text = "123456789";
  EXPECT_EQ(crc32_of(std::as_bytes(std::span(text))), 0xCBF43926u);
  EXPECT_EQ(crc32_of({}), 0u);
}

}  // namespace
}  // namespace cinderscope
