#include "render/text/file_name.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

TEST(FileNameTest, IsTheLastPartOfAPath) {
  EXPECT_EQ(telling_name("/a/b.json"), "b.json");
  EXPECT_EQ(telling_name("b.json"), "b.json");
  EXPECT_EQ(telling_name("/a/folder//"), "folder");
  EXPECT_EQ(telling_name("/x"), "x");
  EXPECT_EQ(telling_name("/"), "/");
  EXPECT_EQ(telling_name(""), "");
}

TEST(FileNameTest, ANumberIsToldWithTheFolderThatHasAName) {
  EXPECT_EQ(telling_name("/dumps/shop/1795226708389"), "shop/1795226708389");
  EXPECT_EQ(telling_name("/dumps/shop/2026/11/21/1795226708389/"), "shop/…/1795226708389");
  EXPECT_EQ(telling_name("/17/18"), "18");
  EXPECT_EQ(telling_name("18"), "18");
}

TEST(FileNameTest, KnowsTheFolderAbove) {
  EXPECT_EQ(folder_above_name("/a/b/c.json"), "/a/b");
  EXPECT_EQ(folder_above_name("/a/b/"), "/a");
  EXPECT_EQ(folder_above_name("/c.json"), "/");
  EXPECT_EQ(folder_above_name("c.json"), "");
}

std::vector<std::string> titles(const std::vector<NamedPath>& tabs) {
  std::vector<std::string> all;
  for (const TabTitle& title : tab_titles(tabs)) all.push_back(title.text);
  return all;
}

TEST(FileNameTest, NamesThatSeveralTabsShareGetTheirFolders) {
  EXPECT_EQ(titles({{"t.json", "/runs/a/t.json"},
                    {"u.json", "/runs/a/u.json"},
                    {"t.json", "/runs/b/t.json"}}),
            (std::vector<std::string>{"a/t.json", "u.json", "b/t.json"}));
  EXPECT_EQ(titles({{"t.json", "/a/x/t.json"}, {"t.json", "/b/x/t.json"}}),
            (std::vector<std::string>{"a/x/t.json", "b/x/t.json"}));
  EXPECT_EQ(titles({{"t.json", "/a/t.json"}, {"t.json", "/a/t.json"}}).front().ends_with("t.json"),
            true);
}

std::vector<std::string> short_names(const std::vector<std::string>& paths) {
  return short_file_names(paths);
}

TEST(FileNameTest, ShortNamesTellFilesApart) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(short_names({"/x/run-a.json.gz", "/x/run-b.json"}), (Names{"run-a", "run-b"}));
  EXPECT_EQ(short_names({"/x/run.json", "/x/run.spall", "/x/b.spall"}),
            (Names{"run.json", "run.spall", "b"}));
  EXPECT_EQ(short_names({"/a/run.json", "/b/run.json"}), (Names{"a/run.json", "b/run.json"}));
  EXPECT_EQ(short_names({"/run.json", "/run.json"}), (Names{"run", "run (2)"}));
  EXPECT_EQ(short_names({"/app-1.2", "/app-1.3", "/.json"}),
            (Names{"app-1.2", "app-1.3", ".json"}));
  EXPECT_EQ(short_names({}), Names{});
}

std::string told(const TabTitle& title) {
  return title.text.substr(title.tells_from);
}

TEST(FileNameTest, KnowsWhereANameDiffersFromTheOneMostLikeIt) {
  const std::vector<TabTitle> tabs =
      tab_titles(std::vector<NamedPath>{{"speedscope_simple-partial.json", ""},
                                        {"speedscope_simple-partial-whitespace.json", ""},
                                        {"speedscope_zero.json", ""},
                                        {"other.json", ""}});
  EXPECT_EQ(told(tabs[0]), "partial.json");
  EXPECT_EQ(told(tabs[1]), "partial-whitespace.json");
  EXPECT_EQ(told(tabs[2]), "zero.json");
  EXPECT_EQ(told(tabs[3]), "other.json");
}

TEST(FileNameTest, BearsLongAndOddNames) {
  const std::string megabyte(1 << 20, '\xe2');
  const std::vector<TabTitle> tabs =
      tab_titles(std::vector<NamedPath>{{megabyte, "/x"}, {megabyte, "/y"}, {"", ""}, {"", ""}});
  EXPECT_LT(tabs[0].text.size(), 1000u);
  EXPECT_EQ(tabs[2].tells_from, 0u);
  EXPECT_TRUE(tab_titles({}).empty());
}

}  // namespace
}  // namespace cinderscope
