#include "app/commands/path_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "app/window/window_commands.h"

namespace cinderscope {
namespace {

class PathRowsTest : public testing::Test {
 protected:
  std::vector<PaletteRow> rows(std::string_view typed, std::string_view command = "open") const {
    return path_rows({.command = *window_commands().named(command),
                      .home = "/home/anna",
                      .before = before_,
                      .list = known_ ? &list_ : nullptr,
                      .facts = [this](const std::string& path) -> const FileFacts* {
                        const auto found = facts_.find(path);
                        return found == facts_.end() ? nullptr : &found->second;
                      },
                      .recent = recent_,
                      .folders = folders_,
                      .sample = sample_,
                      .has_dialog = has_dialog_},
                     typed);
  }
  // What the rows say; of those that can do nothing in brackets.
  std::vector<std::string> texts(std::string_view typed, std::string_view command = "open") const {
    std::vector<std::string> all;
    for (const PaletteRow& row : rows(typed, command)) {
      all.push_back(row.enabled ? row.text : "[" + row.text + "]");
    }
    return all;
  }
  using Texts = std::vector<std::string>;

  FolderList list_{.entries = {{"old", true},
                               {"traces", true},
                               {".secret.json", false},
                               {"a b.json", false},
                               {"notes.txt", false},
                               {"retrace.spall.gz", false},
                               {"trace.json", false}}};
  bool known_ = true, has_dialog_ = false;
  std::map<std::string, FileFacts> facts_;
  std::vector<RecentFile> recent_;
  std::vector<std::string> folders_;
  std::string sample_;
  std::string_view before_;
};

TEST_F(PathRowsTest, KnowsTheFolderThatATypedPathLeadsTo) {
  const auto folder = [](std::string_view typed) { return typed_path(typed, "/home/anna").folder; };
  EXPECT_EQ(folder("/a/b"), "/a/");
  EXPECT_EQ(folder("/a/b/"), "/a/b/");
  EXPECT_EQ(folder("/a"), "/");
  EXPECT_EQ(folder("~/t/x"), "/home/anna/t/");
  EXPECT_EQ(folder("../x"), "../");
  EXPECT_EQ(folder("x"), "./");
  EXPECT_EQ(typed_path("~/t/x", "/home/anna").before, "~/t/");
  EXPECT_EQ(typed_path("~/t/x", "").folder, "~/t/");
  EXPECT_EQ(without_tilde("~", "/home/anna"), "/home/anna");
  EXPECT_EQ(without_tilde("~bob/x", "/home/anna"), "~bob/x");
}

TEST_F(PathRowsTest, KnowsTheFolderAbove) {
  const auto above = [](std::string_view typed) { return folder_above(typed, "/home/anna"); };
  EXPECT_EQ(above("/a/b/"), "/a/");
  EXPECT_EQ(above("/a/"), "/");
  EXPECT_EQ(above("/"), "/");
  EXPECT_EQ(above("~/"), "/home/");
  EXPECT_EQ(above("~/t/"), "~/");
  EXPECT_EQ(above("t/"), "");
  EXPECT_EQ(above("./"), "../");
  EXPECT_EQ(above("../"), "../../");
}

TEST_F(PathRowsTest, ListsAFolderAndOffersAllOfIt) {
  EXPECT_EQ(texts("/t/"), (Texts{"Open /t/", "old/", "traces/", "a b.json", "notes.txt",
                                 "retrace.spall.gz", "trace.json"}));
  const std::vector<PaletteRow> all = rows("/t/");
  EXPECT_EQ(all[0].argument, "/t/");
  EXPECT_EQ(all[1].command, "");  // Enter goes into it
  EXPECT_EQ(all[1].completes, "/t/old/");
  EXPECT_EQ(all[3].argument, "\"/t/a b.json\"");
  EXPECT_EQ(all[4].kind, "");
  EXPECT_EQ(all[5].kind, ".spall");
  EXPECT_EQ(all[6].kind, "Chrome/Google JSON");
}

TEST_F(PathRowsTest, PutsNamesThatBeginAsTypedFirstAndHiddenOnesOnlyByTheirDot) {
  EXPECT_EQ(texts("/t/TRA"), (Texts{"traces/", "trace.json", "retrace.spall.gz"}));
  EXPECT_EQ(rows("/t/TRA")[2].offsets, (std::vector<std::uint32_t>{2, 3, 4}));
  EXPECT_EQ(texts("/t/."), (Texts{"./", ".secret.json", "a b.json", "notes.txt", "retrace.spall.gz",
                                  "trace.json"}));
}

TEST_F(PathRowsTest, OpensWhatIsTypedWhole) {
  EXPECT_EQ(texts("/t/trace.json"), (Texts{"Open /t/trace.json"}));
  EXPECT_EQ(rows("~/trace.json")[0].argument, "/home/anna/trace.json");
  // A folder is gone into first.
  EXPECT_EQ(texts("/t/traces"), (Texts{"traces/", "Open /t/traces"}));
  EXPECT_EQ(rows("/t/nothing")[0].note, "there is no such file");
  known_ = false;  // not read yet
  EXPECT_EQ(texts("/t/tra"), (Texts{"Open /t/tra"}));
  EXPECT_EQ(rows("/t/tra")[0].note, "");
}

TEST_F(PathRowsTest, KeepsWhatStandsBeforeThePath) {
  before_ = "open ";
  EXPECT_EQ(rows("~/tra")[0].completes, "open ~/traces/");
}

TEST_F(PathRowsTest, SaysWhyAFolderCannotBeRead) {
  list_ = {.entries = {}, .cut = false, .problem = "Permission denied"};
  EXPECT_EQ(texts("/root/"), (Texts{"[/root/: Permission denied]"}));
}

TEST_F(PathRowsTest, ShowsSizesAndDatesOnceTheyAreKnown) {
  facts_["/t/trace.json"] = {.there = true, .size_bytes = 2'100'000, .modified_s = 1};
  facts_["/t/traces"] = {.there = true, .is_folder = true, .modified_s = 1};
  const std::vector<PaletteRow> all = rows("/t/tra");
  EXPECT_EQ(all[0].size, "");  // of a folder
  EXPECT_NE(all[0].date, "");
  EXPECT_EQ(all[1].size, "2.1 MB");
  EXPECT_EQ(all[2].size, "");
}

TEST_F(PathRowsTest, BeginsWithRecentFilesTheSampleAndFolders) {
  recent_ = {{"/t/new.json", 5, 1}, {"/dumps/shop/1795226708389", 0, 1}};
  folders_ = {"/t/", "~/"};
  sample_ = "/share/sample.json.gz";
  EXPECT_EQ(texts(""), (Texts{"new.json", "shop/1795226708389", "Open the sample", "/t/", "~/"}));
  EXPECT_EQ(rows("")[0].note, "/t");
  EXPECT_EQ(rows("")[0].argument, "/t/new.json");
  EXPECT_EQ(rows("")[3].completes, "/t/");
  has_dialog_ = true;
  EXPECT_EQ(rows("").back().command, "browse");
  EXPECT_EQ(rows("").back().argument, "open");
  // Recent ones are found by their name, too.
  EXPECT_EQ(texts("shop")[0], "shop/1795226708389");
}

TEST_F(PathRowsTest, ReplacesAFileOnlyWhenThatIsChosen) {
  const std::vector<PaletteRow> taken = rows("/t/trace.json", "save-statistics");
  ASSERT_GE(taken.size(), 2u);
  EXPECT_FALSE(taken[0].enabled);  // Enter does nothing
  EXPECT_EQ(taken[1].text, "Replace trace.json");
  EXPECT_EQ(taken[1].argument, "/t/trace.json force");
  const std::vector<PaletteRow> fresh = rows("/t/n w.csv", "save-statistics");
  EXPECT_EQ(fresh[0].text, "Save as /t/n w.csv");
  EXPECT_EQ(fresh[0].argument, "\"/t/n w.csv\"");
  // Another file goes into the field.
  const std::vector<PaletteRow> other = rows("/t/notes", "save-statistics");
  EXPECT_EQ(other[1].command, "");
  EXPECT_EQ(other[1].completes, "/t/notes.txt");
  EXPECT_EQ(texts("/t/", "save-statistics")[0], "old/");
}

TEST_F(PathRowsTest, TakesWhatMayFollowAPath) {
  EXPECT_EQ(rows("/t/a b.json +12ms", "merge")[0].argument, "\"/t/a b.json\" +12ms");
  EXPECT_EQ(rows("/t/trace.json force", "save-statistics")[0].argument, "/t/trace.json force");
  EXPECT_EQ(rows("/t/a b.json", "merge")[0].argument, "\"/t/a b.json\"");
}

TEST_F(PathRowsTest, ListsOnlySomeOfManyAndSaysSo) {
  list_ = {};
  for (int i = 0; i < 5'000; ++i) list_.entries.push_back({"f" + std::to_string(i), false});
  list_.cut = true;
  const Texts all = texts("/t/f");
  EXPECT_EQ(all.size(), 1 + kMostPathRows + 2);
  EXPECT_EQ(all[all.size() - 2], "[4 500 more: type some of the name]");
  EXPECT_EQ(all.back(), "[Only 5 000 entries of the folder are listed: type the whole name]");
}

TEST_F(PathRowsTest, BearsAnyTyping) {
  EXPECT_FALSE(rows(std::string(1 << 16, 'z')).empty());
  EXPECT_FALSE(rows("\xff/\xff\n").empty());
  EXPECT_FALSE(rows(std::string(1 << 16, '/')).empty());
}

}  // namespace
}  // namespace cinderscope
