#include "ingest/base/path_text.h"

#include <gtest/gtest.h>

#include <string>

namespace cinderscope {
namespace {

TEST(PathTextTest, TextComesBackAsItWas) {
  for (const std::string text :
       {"", "a.json", "/tmp//a/../gr\xc3\xbc\xc3\x9f-\xe6\x97\xa5.json", "a/"}) {
    EXPECT_EQ(utf8_of(path_of(text)), text);
  }
  EXPECT_EQ(utf8_of(path_of("a/b") / path_of("c.json")), "a/b/c.json");
  EXPECT_EQ(path_of("gr\xc3\xbc\xc3\x9f"), std::filesystem::path(u8"gr\u00fc\u00df"));
}

TEST(PathTextTest, WhatBeginsAtTheTopIsAbsolute) {
  EXPECT_TRUE(is_absolute_path("/"));
  EXPECT_TRUE(is_absolute_path("/tmp/\xff.json"));
  for (const std::string text : {"", "a/b", "./a", "~/a", "C:/a", "file:///a"}) {
    EXPECT_FALSE(is_absolute_path(text)) << text;
  }
}

}  // namespace
}  // namespace cinderscope
