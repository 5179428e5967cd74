#include "app/pack/unpack.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/temp_dir.h"
#include "tests/support/zip_file.h"

namespace cinderscope {
namespace {

class UnpackTest : public testing::Test {
 protected:
  std::string pack_of(const std::vector<std::pair<std::string, std::string>>& entries) {
    return folder_.write("a.zip", std::span<const std::byte>(zip_of(entries))).string();
  }
  Result<Unpacked> unpack(const std::string& pack, bool replace = false) {
    return unpack_pack(pack, at("out"), replace, control_);
  }
  std::string at(const char* name) const { return (folder_.path() / name).string(); }
  bool is_there(const char* name) const { return std::filesystem::exists(at(name)); }

  TempDir folder_;
  PackControl control_;
};

TEST_F(UnpackTest, WritesWhatIsInIt) {
  const auto unpacked = unpack(pack_of({{"session.cinder", "{}"}, {"traces/x/a", "A"}}));
  ASSERT_TRUE(unpacked.operator bool());
  EXPECT_EQ(unpacked->files, 2u);
  EXPECT_TRUE(is_there("out/session.cinder"));
  EXPECT_EQ(std::filesystem::file_size(at("out/traces/x/a")), 1u);
}

TEST_F(UnpackTest, LeavesAFolderWithSomethingInItAlone) {
  const std::string pack = pack_of({{"session.cinder", "{}"}});
  std::filesystem::create_directories(at("out"));
  EXPECT_TRUE(unpack(pack).operator bool());  // an empty one
  EXPECT_FALSE(unpack(pack).operator bool());
  EXPECT_TRUE(unpack(pack, true).operator bool());
}

TEST_F(UnpackTest, NamesAndLinksLeadNowhereElse) {
  std::filesystem::create_directories(at("out"));
  std::filesystem::create_directories(at("else"));
  std::filesystem::create_directory_symlink(at("else"), at("out/traces"));
  const auto unpacked =
      unpack(pack_of({{"../evil", "x"}, {"traces/evil", "x"}, {"good", "x"}}), true);
  ASSERT_TRUE(unpacked.operator bool());
  EXPECT_EQ(unpacked->files, 1u);
  EXPECT_EQ(unpacked->problems.size(), 2u);
  EXPECT_FALSE(is_there("evil"));
  EXPECT_FALSE(is_there("else/evil"));
}

TEST_F(UnpackTest, NoLinkIsWrittenThrough) {
  folder_.write("original", "mine");
  std::filesystem::create_directories(at("out/traces"));
  std::filesystem::create_directories(at("else"));
  std::filesystem::create_symlink(at("original"), at("out/traces/a"));
  std::filesystem::create_directory_symlink(at("else"), at("out/b"));
  const auto unpacked = unpack(pack_of({{"traces/a", "theirs"}, {"b/c/d", "x"}}), true);
  ASSERT_TRUE(unpacked.operator bool());
  EXPECT_EQ(unpacked->problems.size(), 2u);
  EXPECT_EQ(std::filesystem::file_size(at("original")), 4u);
  EXPECT_FALSE(is_there("else/c"));
}

TEST_F(UnpackTest, WhatIsDamagedIsLeftOutAndSaid) {
  auto bytes = zip_of({{"good", "good"}, {"bad", std::string(100, 'b')}});
  bytes[30 + 4 + 4 + 30 + 3 + 50] = std::byte{'x'};  // within "bad"
  const auto unpacked = unpack(folder_.write("a.zip", std::span<const std::byte>(bytes)).string());
  ASSERT_TRUE(unpacked.operator bool());
  EXPECT_EQ(unpacked->files, 1u);
  EXPECT_EQ(unpacked->problems, std::vector<std::string>{"\"bad\" is damaged and was left out."});
  EXPECT_FALSE(is_there("out/bad"));
}

TEST_F(UnpackTest, ACancelledOneEnds) {
  control_.cancelled = true;
  const auto unpacked = unpack(pack_of({{"a", "a"}}));
  ASSERT_FALSE(unpacked.operator bool());
  EXPECT_EQ(unpacked.error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace cinderscope
