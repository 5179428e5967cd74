#include "app/places/trace_identity.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "app/places/find_place.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

constexpr const char* kOfAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

TEST(TraceIdentityTest, HashesBothEndsOfAFile) {
  const TempDir folder;
  const std::string small = folder.write("a", "abc").string();
  const auto of_small = trace_identity(small);
  ASSERT_TRUE(of_small);
  EXPECT_EQ(of_small->size_bytes, 3u);
  EXPECT_EQ(of_small->head, kOfAbc);
  EXPECT_EQ(of_small->tail, kOfAbc);
  std::string large(200'000, 'x');
  const auto before = trace_identity(folder.write("b", large).string());
  large[100'000] = 'y';  // neither end
  EXPECT_EQ(trace_identity(folder.write("b", large).string()), before);
  large.back() = 'y';
  const auto after = trace_identity(folder.write("b", large).string());
  EXPECT_EQ(after->head, before->head);
  EXPECT_NE(after->tail, before->tail);
}

TEST(TraceIdentityTest, HashesNamesAndSizesOfAFolder) {
  const TempDir folder;
  std::filesystem::create_directories(folder.path() / "t/a");
  folder.write("t/b", "12");
  folder.write("t/a/c", "123");
  const auto identity = trace_identity((folder.path() / "t").string());
  ASSERT_TRUE(identity);
  EXPECT_EQ(identity->size_bytes, 5u);
  const std::string lines = "a/c\t3\nb\t2\n";
  EXPECT_EQ(identity->head, sha256_hex(std::as_bytes(std::span(lines))));
  EXPECT_EQ(identity->tail, "");
}

TEST(TraceIdentityTest, OpensNothingButFilesAndFolders) {
  const TempDir folder;
  const std::string pipe = (folder.path() / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(trace_identity(pipe));
  EXPECT_FALSE(trace_identity("/dev/zero"));
  EXPECT_FALSE(trace_identity((folder.path() / "none").string()));
}

TEST(TraceIdentityTest, TellsAFileThatHasGrown) {
  TraceIdentity then{.size_bytes = 70'000, .head = "h", .tail = "t"}, now = then;
  now.size_bytes = 80'000;
  now.tail = "u";
  EXPECT_TRUE(has_grown(then, "", now));
  now.head = "i";
  EXPECT_FALSE(has_grown(then, "", now));
}

TEST(TraceIdentityTest, TellsAShortFileThatHasGrown) {
  const TempDir folder;
  const std::string path = folder.write("a.json", "abc").string();
  const TraceIdentity then = *trace_identity(path);
  folder.write("a.json", "abcdef");
  EXPECT_TRUE(has_grown(then, path, *trace_identity(path)));
  folder.write("a.json", "xbcdef");
  EXPECT_FALSE(has_grown(then, path, *trace_identity(path)));
}

TEST(FindPlaceTest, IdentityGoesBeforeNames) {
  const TempDir folder;
  std::filesystem::create_directory(folder.path() / "copy");
  const std::string renamed = folder.write("renamed.json", "abc").string(),
                    other = folder.write("a.json", "xyz").string(),
                    copy = folder.write("copy/a.json", "abc").string();
  PlaceSearch search{.trace = {.name = "a.json", .size_bytes = 3, .head = "ba7816bf"},
                     .open = {other, renamed},
                     .others = {copy}};
  ASSERT_TRUE(find_place(search));
  EXPECT_EQ(find_place(search)->path, renamed);
  search.open = {other};
  EXPECT_EQ(find_place(search)->path, copy);
  search.others = {};
  EXPECT_EQ(find_place(search)->path, other);
  EXPECT_TRUE(find_place(search)->is_another);
  search.open = {};
  search.others = {renamed};  // a file that is not open is not known by another name
  EXPECT_FALSE(find_place(search));
}

}  // namespace
}  // namespace cinderscope
