#include "app/store/saved_queries.h"

#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

TEST(SavedQueriesTest, AreFilesOfTheFolderByName) {
  TempDir folder;
  const std::string queries = (folder.path() / "queries").string();
  EXPECT_TRUE(read_queries(queries).empty());
  EXPECT_TRUE(write_query(queries, {"Slow frames", "-- slow\nSELECT 1"}));
  EXPECT_TRUE(write_query(queries, {"All", "SELECT 2\n"}));
  folder.write("queries/notes.txt", "no query");
  folder.write("queries/empty.sql", "");
  const std::vector<SavedQuery> read = read_queries(queries);
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0], (SavedQuery{"All", "SELECT 2\n"}));
  EXPECT_EQ(read[1].text, "-- slow\nSELECT 1\n");
  EXPECT_TRUE(remove_query(queries, "All"));
  EXPECT_FALSE(remove_query(queries, "All"));
  EXPECT_EQ(read_queries(queries).size(), 1U);
}

TEST(SavedQueriesTest, NamesStayInTheFolder) {
  for (const std::string_view name : {"", " ", "../x", "a/b", ".hidden", "a\nb", "x ", "a\xff"}) {
    EXPECT_FALSE(check_query_name(name)) << name;
    EXPECT_FALSE(write_query("/nowhere", {std::string(name), "SELECT 1"}));
  }
  EXPECT_TRUE(check_query_name("Frames over 16.7 ms (größe)"));
  EXPECT_FALSE(write_query("", {"x", "SELECT 1"}));
}

TEST(SavedQueriesTest, TheUsersGoBeforeThoseOfTheTrace) {
  TempDir folder;
  const UserFolders folders{.config = (folder.path() / "config").string(), .state = {}};
  std::filesystem::create_directories(folder.path() / "traces/queries");
  folder.write("traces/queries/one.sql", "SELECT 'trace'");
  folder.write("traces/queries/two.sql", "SELECT 'trace'");
  EXPECT_TRUE(write_query(queries_folder(folders), {"one", "SELECT 'user'"}));
  const std::string trace = (folder.path() / "traces/t.json").string();
  EXPECT_EQ(query_named(folders, trace, "one")->text, "SELECT 'user'\n");
  EXPECT_EQ(query_named(folders, trace, "two")->text, "SELECT 'trace'");
  EXPECT_FALSE(query_named(folders, trace, "three"));
  EXPECT_FALSE(query_named(folders, "-", "two"));
}

}  // namespace
}  // namespace cinderscope
