#include "app/commands/menu_entries.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/window/window_commands.h"
#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

// One process with two threads; the first has a call from 100 to 150 ns with one inside.
Timeline two_threads() {
  TimelineBuilder builder;
  const ProcessId process = builder.process("1");
  const ThreadId first = builder.thread(process, "10"), second = builder.thread(process, "11");
  builder.slices(first).complete(100, 50, builder.intern("a \"b\""), 1);
  builder.slices(first).complete(110, 20, builder.intern("f"), 2);
  builder.slices(second).complete(200, 50, builder.intern("g"), 3);
  return builder.finish();
}

class MenuEntriesTest : public testing::Test {
 protected:
  std::vector<MenuEntry> menu(std::string_view target) const {
    return menu_entries(
        menu_target(target),
        {.commands = window_commands(),
         .timeline = &timeline_,
         .state = &state_,
         .enabled = {.has_tab = true, .has_trace = true, .has_selection = bool(state_.selected)},
         .tab_count = tab_count_});
  }
  // The calls of all entries, "name argument".
  std::set<std::string> calls(std::string_view target) const {
    std::set<std::string> all;
    for (const MenuEntry& entry : menu(target)) {
      for (const MenuEntry::Call& call : entry.calls) {
        all.insert(call.name + (call.argument.empty() ? "" : " " + call.argument));
      }
    }
    return all;
  }

  Timeline timeline_ = two_threads();
  TimelineState state_;
  std::size_t tab_count_ = 1;
};

TEST_F(MenuEntriesTest, OfOpeningHasRecentFilesAndTheSampleWithoutATrace) {
  const std::vector<RecentFile> recent = {{"/t/a b.json", 1, 1},
                                          {"/dumps/shop/1795226708389", 0, 1}};
  const std::vector<MenuEntry> entries = menu_entries(
      menu_target("open"),
      {.commands = window_commands(), .recent = recent, .sample = "/share/sample.json.gz"});
  std::vector<std::string> labels;
  for (const MenuEntry& entry : entries) labels.push_back(entry.label);
  EXPECT_EQ(labels, (std::vector<std::string>{"Open…", "Add to this timeline…", "", "a b.json",
                                              "shop/1795226708389", "", "Open the sample", "",
                                              "Settings…"}));
  EXPECT_EQ(entries[3].calls[0].argument, "\"/t/a b.json\"");
  EXPECT_FALSE(entries[1].enabled);  // there is none
}

TEST_F(MenuEntriesTest, ReadsWhatAMenuIsFor) {
  EXPECT_EQ(menu_target("").kind, MenuTarget::Kind::selection);
  EXPECT_EQ(menu_target("track 7").kind, MenuTarget::Kind::track);
  EXPECT_EQ(menu_target("track 7").number, 7u);
  EXPECT_EQ(menu_target("tab 2").kind, MenuTarget::Kind::tab);
  EXPECT_EQ(menu_target("ruler").kind, MenuTarget::Kind::ruler);
  for (const char* odd :
       {"track", "track x", "track -1", "track 99999999999999999999", "ruler 1", "x"}) {
    EXPECT_EQ(menu_target(odd).kind, MenuTarget::Kind::selection) << odd;
  }
}

TEST_F(MenuEntriesTest, OffersWhatCanBeDoneWithACall) {
  state_.selected = {TrackId{0}, BlockId{0}, 0, 0};
  const std::set<std::string> all = calls("");
  for (const char* wanted :
       {"zoom-selection", "select-parent", "select-child", "copy-name", "copy-details",
        "select-range 100 150", "panel statistics", "scope thread", "hide track 0",
        "collapse track 0", "fit", "back", "forward"}) {
    EXPECT_TRUE(all.contains(wanted)) << wanted;
  }
  EXPECT_TRUE(std::ranges::any_of(
      all, [](const std::string& call) { return call.starts_with("search ="); }));
}

TEST_F(MenuEntriesTest, OffersTheOppositeOfWhatAThreadIs) {
  EXPECT_TRUE(calls("track 1").contains("collapse track 1"));
  EXPECT_TRUE(calls("track 1").contains("pin track 1"));
  EXPECT_TRUE(calls("track 1").contains("move-thread track 1 down"));
  state_.collapsed_tracks.insert(1);
  state_.pinned_tracks.push_back(1);
  EXPECT_TRUE(calls("track 1").contains("expand track 1"));
  EXPECT_FALSE(calls("track 1").contains("collapse track 1"));
  EXPECT_TRUE(calls("track 1").contains("unpin track 1"));
  EXPECT_TRUE(calls("process 0").contains("solo process 0"));
}

TEST_F(MenuEntriesTest, ChecksTheOrderThatIsSet) {
  state_.order = TrackOrder::name;
  std::vector<std::string> checked;
  for (const MenuEntry& entry : menu("track 0")) {
    const bool sorts = !entry.calls.empty() && entry.calls.front().name == "sort";
    if (sorts && entry.checked) checked.push_back(entry.calls.front().argument);
  }
  EXPECT_EQ(checked, std::vector<std::string>{"name"});
}

TEST_F(MenuEntriesTest, DisablesWhatHasNoRange) {
  const auto of = [](const std::vector<MenuEntry>& all) {
    return std::ranges::find_if(all, [](const MenuEntry& entry) {
      return !entry.calls.empty() && entry.calls.front().name == "zoom-range";
    });
  };
  std::vector<MenuEntry> all = menu("empty");
  ASSERT_NE(of(all), all.end());
  EXPECT_FALSE(of(all)->enabled);
  state_.range = TimeRange{1, 2};
  all = menu("empty");
  EXPECT_TRUE(of(all)->enabled);
}

TEST_F(MenuEntriesTest, TheOverviewHasNoRangeToZoomToWithoutOne) {
  ASSERT_EQ(menu("overview").front().calls.front().name, "zoom-range");
  EXPECT_FALSE(menu("overview").front().enabled);
  state_.range = TimeRange{1, 2};
  EXPECT_TRUE(menu("overview").front().enabled);
}

TEST_F(MenuEntriesTest, GroupsSortsAndLimitsThreads) {
  for (const char* wanted : {"sort activity", "group", "group none", "group process",
                             "hide-without-matches on", "fit-rows off", "depth-limit 5 track 0"}) {
    EXPECT_TRUE(calls("track 0").contains(wanted)) << wanted;
  }
}

TEST_F(MenuEntriesTest, OffersWhatCanBeDoneWithSeveralThreads) {
  state_.selected_tracks = {0};
  EXPECT_FALSE(calls("track 0").contains("hide selected threads"));
  state_.selected_tracks = {0, 1};
  EXPECT_TRUE(calls("track 0").contains("hide selected threads"));
  EXPECT_TRUE(calls("track 0").contains("search-scope thread"));
}

TEST_F(MenuEntriesTest, ClosesOtherTabsOnlyWhereThereAreSome) {
  const auto enabled_ones = [&] {
    std::set<std::string> names;
    for (const MenuEntry& entry : menu("tab 1")) {
      if (entry.enabled && !entry.label.empty()) names.insert(entry.label);
    }
    return names;
  };
  EXPECT_FALSE(enabled_ones().contains("Close all others"));
  tab_count_ = 2;
  EXPECT_TRUE(enabled_ones().contains("Close all others"));
  EXPECT_TRUE(calls("tab 1").contains("copy-path 1"));
}

TEST_F(MenuEntriesTest, HasNoHairlineAtItsEndsOrTwoInARow) {
  state_.selected = {TrackId{0}, BlockId{0}, 0, 0};
  for (const char* target : {"", "track 0", "track 99", "process 0", "process 9", "tab 1", "ruler",
                             "overview", "empty", "merged"}) {
    const std::vector<MenuEntry> all = menu(target);
    ASSERT_FALSE(all.empty()) << target;
    bool line = true;
    for (const MenuEntry& entry : all) {
      EXPECT_FALSE(line && entry.label.empty()) << target;
      line = entry.label.empty();
    }
    EXPECT_FALSE(line) << target;
  }
}

TEST_F(MenuEntriesTest, ZoomsToARangeWhereThereIsOne) {
  const auto can_zoom = [this] {
    for (const MenuEntry& entry : menu("overview")) {
      if (!entry.calls.empty() && entry.calls[0].name == "zoom-range") return entry.enabled;
    }
    return true;
  };
  EXPECT_FALSE(can_zoom());
  state_.range = TimeRange{100, 150};
  EXPECT_TRUE(can_zoom());
}

TEST_F(MenuEntriesTest, OffersTheTabsMenuWithoutATrace) {
  EXPECT_FALSE(menu_entries(menu_target("tab 1"),
                            {.commands = window_commands(), .enabled = {.has_tab = true}})
                   .empty());
  EXPECT_TRUE(menu_entries(menu_target(""), {.commands = window_commands()}).empty());
}

TEST_F(MenuEntriesTest, QuotesTheNameOfAGroup) {
  const std::set<std::string> calls = this->calls("group \"a\" up");
  EXPECT_TRUE(calls.contains(R"(hide "group \"a\" up")"));
}

}  // namespace
}  // namespace cinderscope
