#include "ingest/os/temporary_file.h"

#include <gtest/gtest.h>

#include <string_view>

namespace cinderscope {
namespace {

TEST(TemporaryFileTest, WhatIsWrittenIsReadThroughTheMapping) {
  const auto file = TemporaryFile::create();
  ASSERT_TRUE(file);
  const std::byte* const data = (*file)->data();
  constexpr std::string_view kText = "text";
  for (const std::uint64_t size : {std::uint64_t{4096}, std::uint64_t{20} << 20}) {
    (*file)->lengthen(size);
    ASSERT_EQ((*file)->size_bytes(), size);
    std::error_code error;
    const auto bytes = std::as_bytes(std::span(kText));
    EXPECT_EQ((*file)->write(size - 4, bytes, error), 4u);
    EXPECT_FALSE(error);
    EXPECT_EQ((*file)->data(), data);
    EXPECT_EQ(data[size - 1], std::byte{'t'});
    EXPECT_EQ(data[0], std::byte{0});
  }
  (*file)->lengthen(10);
  EXPECT_EQ((*file)->size_bytes(), std::uint64_t{20} << 20);
}

}  // namespace
}  // namespace cinderscope
