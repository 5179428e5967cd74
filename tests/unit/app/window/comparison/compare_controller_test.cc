#include "app/window/comparison/compare_controller.h"

#include <algorithm>

#include "app/compare/side_file.h"
#include "app/compare/side_loader.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/comparison/drop_chooser.h"
#include "app/window/controllers/disk.h"
#include "app/window/controllers/panels.h"
#include "tests/support/lincheck_files.h"
#include "tests/support/lincheck_script.h"
#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

// kTwoThreads, where each "step" takes twice as long, "job" is gone and "new job" is there.
constexpr std::string_view kChanged = R"([
{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"main"}},
{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"worker"}},
{"ph":"X","pid":1,"tid":1,"ts":5000,"dur":1250,"name":"work"},
{"ph":"X","pid":1,"tid":1,"ts":5100,"dur":400,"name":"step"},
{"ph":"X","pid":1,"tid":1,"ts":5600,"dur":100,"name":"step"},
{"ph":"X","pid":1,"tid":2,"ts":5200,"dur":700,"name":"new job"}])";

class CompareControllerTest : public UnseenWindow {
 protected:
  void SetUp() override {
    UnseenWindow::SetUp();
    a_ = folder_.write("before.json", kTwoThreads).string();
    b_ = folder_.write("after.json", kChanged).string();
  }
  void compare() {
    EXPECT_EQ(run("compare " + a_ + " " + b_), "");
    ASSERT_NE(controllers().compare->shown(), nullptr);
  }
  ComparePage& page() { return *controllers().compare->shown(); }
  TimelineState& lane(Side side) { return page().session(side).state(); }
  const ComparedRow* row(std::string_view name) {
    const auto compared = page().compared_name(name);
    for (const ComparedRow& each : page().answers.comparison()->rows) {
      if (compared && each.name == *compared) return &each;
    }
    return nullptr;
  }
  double zero_px(Side side) { return lane(side).view.px_from_ns(lane(side).lane->zero_ns); }

  std::string a_, b_;
};

TEST_F(CompareControllerTest, OpensBothTracesAndComparesTheirNames) {
  compare();
  ASSERT_EQ(shell_->tabs().all.size(), 3u);
  EXPECT_EQ(shell_->tabs().shown_index, 2u);
  EXPECT_EQ(page().title(), "before ↔ after");
  ASSERT_NE(page().answers.comparison(), nullptr);
  EXPECT_EQ(row("step")->value[side_a].whole, 250'000);
  EXPECT_EQ(row("step")->value[side_b].whole, 500'000);
  EXPECT_EQ(row("step")->verdict, Verdict::more);
  EXPECT_EQ(row("job")->verdict, Verdict::gone);
  EXPECT_EQ(row("new job")->verdict, Verdict::added);
  // Nothing is copied: the lanes show the blocks of the traces' own tabs.
  const Timeline& own = shell_->tabs().all[0]->session->timeline();
  EXPECT_EQ(own.tracks[0].blocks.front(),
            page().session(side_a).timeline().tracks[0].blocks.front());
}

TEST_F(CompareControllerTest, PartsOfOneTraceLineUpWhereTheyBegin) {
  EXPECT_EQ(run("compare " + a_ + "@0..350us " + a_ + "@350us..900us"), "");
  ASSERT_NE(controllers().compare->shown(), nullptr);
  EXPECT_EQ(page().line_up().shift_ns(), 350'000);
  EXPECT_EQ(run("line-up call step 1"), "");  // the first of each part
  EXPECT_EQ(lane(side_a).lane->zero_ns, 100'000);
  EXPECT_EQ(lane(side_b).lane->zero_ns, 400'000);
  EXPECT_EQ(run("line-up starts"), "");
  EXPECT_EQ(lane(side_b).lane->zero_ns, 350'000);
}

TEST_F(CompareControllerTest, TakesTheTwoOpenTracesWithoutArguments) {
  EXPECT_NE(run("compare"), "");
  controllers().tabs->open(a_);
  controllers().tabs->open(b_);
  settle();
  EXPECT_EQ(run("compare"), "");
  EXPECT_EQ(shell_->tabs().all.size(), 3u);
  EXPECT_EQ(run("compare " + a_), "compare needs A and B.");
}

TEST_F(CompareControllerTest, SaysWhatIsMisspelt) {
  EXPECT_NE(run("compare " + a_ + " " + b_ + "@nonsense"), "");
  EXPECT_EQ(controllers().compare->shown(), nullptr);
  compare();
  EXPECT_EQ(run("add-runs a /nowhere/at-all.json"), "There is no file /nowhere/at-all.json.");
  EXPECT_EQ(page().answers.sources()[side_a].runs.size(), 1u);
}

TEST_F(CompareControllerTest, SaysWhatCannotBeOpened) {
  EXPECT_EQ(run("compare " + a_ + " /nowhere/at-all.json"), "");
  // The lane says what is wrong.
  EXPECT_EQ(page().session(side_b).phase(), SessionPhase::failed);
  EXPECT_EQ(page().answers.comparison(), nullptr);
  EXPECT_NE(run("line-up call step"), "");
  EXPECT_NE(run("compare-select step"), "");
  const std::string saved = folder_.write("side.json", R"({"cinderscope_side":1})").string();
  run("close");
  EXPECT_EQ(run("compare " + a_ + " " + saved), "");
  EXPECT_EQ(controllers().compare->shown(), nullptr);
  EXPECT_NE(shell_->message(), "");
}

TEST_F(CompareControllerTest, BothLanesShowTheSamePlace) {
  compare();
  EXPECT_EQ(lane(side_a).lane->zero_ns, 0);
  EXPECT_EQ(lane(side_b).lane->zero_ns, 5'000'000);
  run("zoom-to 100us 300us");
  EXPECT_EQ(lane(side_a).view.begin_ns, 100'000);
  EXPECT_EQ(lane(side_b).view.begin_ns, 5'100'000);
  EXPECT_EQ(lane(side_a).view.ns_per_px, lane(side_b).view.ns_per_px);
  run("select-range 100us 200us");
  ASSERT_TRUE(lane(side_b).range);
  EXPECT_EQ(lane(side_b).range->begin_ns, 5'100'000);
  // The tab of the trace has a view of its own.
  EXPECT_FALSE(shell_->tabs().all[0]->session->state().range);
}

TEST_F(CompareControllerTest, LinesUpTheKthCallOfAName) {
  compare();
  EXPECT_EQ(run("line-up call \"step\" 2"), "");
  EXPECT_EQ(page().line_up().how, LineUpHow::call);
  EXPECT_EQ(page().line_up().k, 2u);
  EXPECT_EQ(lane(side_a).lane->zero_ns, 400'000);
  EXPECT_EQ(lane(side_b).lane->zero_ns, 5'600'000);
  EXPECT_EQ(zero_px(side_a), zero_px(side_b));
  // Both calls are selected.
  EXPECT_EQ(slice_at(page().session(side_b).timeline(), lane(side_b).selected).begin_ns, 5'600'000);
  for (int i = 0; i < 20; ++i) {
    run(i % 2 == 0 ? "zoom-out" : "pan-right");
    EXPECT_EQ(zero_px(side_a), zero_px(side_b));
  }
  press(",");
  EXPECT_EQ(page().line_up().k, 1u);
  EXPECT_EQ(run("previous-pair"), "This is the first pair.");
  press(".");
  EXPECT_EQ(page().line_up().k, 2u);
  EXPECT_EQ(run("next-pair"), "This is the last pair.");
  EXPECT_EQ(run("line-up call job"), "Only A has calls of \"job\".");
  EXPECT_EQ(run("line-up call nothing 3"), "Neither side has calls of \"nothing\".");
}

TEST_F(CompareControllerTest, LinesUpOtherwise) {
  compare();
  EXPECT_NE(run("line-up clock"), "");  // these clocks have nothing in common
  EXPECT_EQ(run("line-up hand +1ms"), "");
  EXPECT_EQ(page().line_up().shift_ns(), 1'000'000);
  EXPECT_EQ(run("line-up hand -1ms"), "");
  EXPECT_EQ(page().line_up().shift_ns(), -1'000'000);
  EXPECT_EQ(run("line-up mark here"), "There is no bookmark \"here\" on both sides.");
  EXPECT_EQ(run("line-up starts"), "");
  EXPECT_EQ(page().line_up().shift_ns(), 5'000'000);
  run("line-up call step 1");
  EXPECT_EQ(run("compare-stretch on"), "");
  EXPECT_DOUBLE_EQ(lane(side_b).view.ns_per_px, 2 * lane(side_a).view.ns_per_px);
  EXPECT_EQ(zero_px(side_a), zero_px(side_b));
}

TEST_F(CompareControllerTest, ADraggedLaneSnapsToEdgesOfCalls) {
  compare();
  page().act_on(side_b, true);
  // Held by the end of the first "step" of B, it comes to where that of A ends.
  const double held_px = lane(side_b).view.px_from_ns(5'500'000);
  const double by_px = lane(side_a).view.px_from_ns(300'000) - held_px + 3;
  page().drag_used_lane({.by_px = by_px / 2, .at_px = held_px, .snap_px = 6, .begins = true});
  EXPECT_EQ(page().line_up().how, LineUpHow::hand);
  page().drag_used_lane({.by_px = by_px, .at_px = held_px, .snap_px = 6});
  EXPECT_EQ(page().line_up().shift_ns(), 5'200'000);
  page().drag_used_lane({.by_px = by_px, .at_px = held_px});
  EXPECT_NE(page().line_up().shift_ns(), 5'200'000);
  EXPECT_EQ(run("line-up starts"), "");
  page().act_on(side_a, true);
  page().drag_used_lane({.by_px = -by_px,
                         .at_px = lane(side_a).view.px_from_ns(300'000),
                         .snap_px = 6,
                         .begins = true});
  EXPECT_EQ(page().line_up().shift_ns(), 5'200'000);
}

TEST_F(CompareControllerTest, KeysGoThroughNamesAndToTheirLongestCalls) {
  compare();
  run("compare-sort name");
  run("compare-select job");
  press("Alt+Down");
  EXPECT_EQ(page().choice.selected, "new job");
  press("Alt+Down");
  EXPECT_EQ(page().choice.selected, "step");
  press("Alt+Enter");
  EXPECT_EQ(slice_at(page().session(side_a).timeline(), lane(side_a).selected).begin_ns, 100'000);
  EXPECT_EQ(slice_at(page().session(side_b).timeline(), lane(side_b).selected).begin_ns, 5'100'000);
  press("Alt+Up");
  EXPECT_EQ(page().choice.selected, "new job");
  EXPECT_EQ(run("previous-name"), "");
  EXPECT_EQ(run("previous-name"), "This is the first row.");
}

TEST_F(CompareControllerTest, AStretchedLaneHasARulerOfItsOwn) {
  compare();
  run("line-up call step 1");
  EXPECT_FALSE(lane(side_b).lane->with_ruler);
  EXPECT_EQ(run("compare-stretch on"), "");
  EXPECT_TRUE(lane(side_b).lane->with_ruler);
  EXPECT_EQ(run("compare-stretch off"), "");
  EXPECT_FALSE(lane(side_b).lane->with_ruler);
}

TEST_F(CompareControllerTest, ShowsAnotherRunInALane) {
  compare();
  const std::string third = folder_.write("third.json", kTwoThreads).string();
  EXPECT_EQ(run("add-runs a " + third), "");
  run("compare-measure total");
  run("compare-select step");
  const double difference = page().answers.comparison()->difference.value;
  EXPECT_EQ(run("show-run a 1"), "The lane shows this run.");
  EXPECT_EQ(run("show-run a 3"), "There is no such run.");
  EXPECT_EQ(run("show-run a 2"), "");
  EXPECT_EQ(page().session(side_a).path(), third);
  ASSERT_EQ(page().answers.sources()[side_a].runs.size(), 2u);
  EXPECT_EQ(page().answers.sources()[side_a].runs[0].path, third);
  EXPECT_EQ(page().answers.sources()[side_a].runs[1].path, a_);
  EXPECT_EQ(page().answers.options().measure, Measure::total);
  EXPECT_EQ(page().choice.selected, "step");
  EXPECT_EQ(page().answers.comparison()->difference.value, difference);
  // Its trace has a tab of its own, as the others.
  EXPECT_EQ(shell_->tabs().all.size(), 4u);
  EXPECT_EQ(run("use-run a 1"), "");
  EXPECT_EQ(page().answers.sides()->run_count(side_a), 1u);
  EXPECT_EQ(run("context-menu compare-run a 2"), "");
}

TEST_F(CompareControllerTest, DetailsShowACallAndItsPartner) {
  compare();
  EXPECT_TRUE(find("step"));
  EXPECT_EQ(run("panel details"), "");
  EXPECT_EQ(controllers().panels->visible(*shell_->tabs().page())->word(), "details");
  ASSERT_TRUE(lane(side_b).selected);
  EXPECT_TRUE(find("job"));
  EXPECT_FALSE(lane(side_b).selected);
}

TEST_F(CompareControllerTest, ReadsAllOfATraceThatIsReadPieceByPiece) {
  LincheckScript script;
  script.call(script.method("Main", "run"));
  const std::int32_t step = script.method("Main", "step"), leaf = script.method("Main", "leaf");
  constexpr std::uint64_t kSteps = 40, kLeaves = 3000;
  for (std::uint64_t i = 0; i < kSteps; ++i) {
    script.call(step);
    for (std::uint64_t k = 0; k < kLeaves; ++k) {
      script.call(leaf);
      script.end_call();
    }
    script.end_call();
  }
  script.end_call();
  const auto path = (folder_.path() / "lazy.trace").string();
  write_bytes(path, script.finish());
  controllers().disk->set_lazy_above(100);
  EXPECT_EQ(run("compare " + path + " " + path), "");
  ASSERT_NE(controllers().compare->shown(), nullptr);
  ASSERT_TRUE(has_calls_on_disk(page().session(side_b).timeline()));
  // Both lanes count what is on disk by themselves.
  const auto counted = [&](Side side) { return page().lane(side).disk.all_calls().has_value(); };
  while (!counted(side_a) || !counted(side_b)) frame();
  EXPECT_EQ(page().lane(side_b).disk.all_calls(), kSteps * kLeaves + kSteps + 1);
  EXPECT_EQ(page().unread_text(side_b),
            "");  // in so wide a window all of it is read, as it is seen
  EXPECT_GT(page().bytes_to_read_all(side_b), kSteps * kLeaves);
  EXPECT_EQ(run("compare-read-all"), "");
  EXPECT_EQ(page().unread_text(side_b), "");
  EXPECT_FALSE(has_calls_on_disk(page().session(side_b).timeline()));
  EXPECT_EQ(page().answers.shown_runs()[side_b].measured->calls, kSteps * kLeaves + kSteps + 1);
  EXPECT_EQ(run("compare-read-all"), "All calls of both sides have been read.");
}

TEST(UnreadSentenceTest, SaysWhichShareOfTheCallsIsCompared) {
  EXPECT_EQ(unread_sentence(side_a, 39, 1000, ""),
            "3 % of A's calls were read; only these are compared.");
  EXPECT_EQ(unread_sentence(side_b, 9, 1000, ""),
            "Less than 1 % of B's calls were read; only these are compared.");
  EXPECT_EQ(unread_sentence(side_b, 999, 1000, ""),
            "99 % of B's calls were read; only these are compared.");
  EXPECT_EQ(unread_sentence(side_b, 1000, 1000, ""), "");
  EXPECT_EQ(unread_sentence(side_a, 1234, std::nullopt, "counting the calls on disk, 40 %"),
            "1 234 of A's calls were read (counting the calls on disk, 40 %); only these are "
            "compared.");
  EXPECT_EQ(without_numbers("3 % of A's"), without_numbers("17 % of A's"));
}

TEST_F(CompareControllerTest, MarksThreadsThatOneSideHasAlone) {
  const std::string more = folder_
                               .write("more.json", R"([
{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"main"}},
{"ph":"M","pid":1,"tid":3,"name":"thread_name","args":{"name":"extra"}},
{"ph":"X","pid":1,"tid":1,"ts":0,"dur":1000,"name":"work"},
{"ph":"X","pid":1,"tid":3,"ts":200,"dur":700,"name":"job"}])")
                               .string();
  EXPECT_EQ(run("compare " + a_ + " " + more), "");
  for (const Side side : {side_a, side_b}) {
    EXPECT_FALSE(lane(side).lane->alone.contains(0));
    EXPECT_TRUE(lane(side).lane->alone.contains(1));
  }
  EXPECT_EQ(run("pair-threads 2 2"), "");
  EXPECT_FALSE(lane(side_a).lane->alone.contains(1));
}

TEST_F(CompareControllerTest, SwappedSidesHaveTheirOwnThreadsAtOnce) {
  const std::string one = folder_
                              .write("one.json", R"([
{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"main"}},
{"ph":"X","pid":1,"tid":1,"ts":0,"dur":1000,"name":"work"}])")
                              .string();
  EXPECT_EQ(run("compare " + a_ + " " + one), "");
  ASSERT_EQ(page().answers.thread_pairs().size(), 2u);
  EXPECT_FALSE(page().answers.thread_pairs()[1].b);
  // Before anything is worked out again.
  ASSERT_TRUE(controllers().compare->swap());
  ASSERT_EQ(page().answers.thread_pairs().size(), 2u);
  EXPECT_FALSE(page().answers.thread_pairs()[1].a);
  EXPECT_TRUE(page().answers.thread_pairs()[1].b);
}

TEST_F(CompareControllerTest, MarksNamesWhoseCallsNeverEnded) {
  const std::string torn = folder_
                               .write("torn.json", R"([
{"ph":"X","pid":1,"tid":1,"ts":0,"dur":1000,"name":"step"},
{"ph":"B","pid":1,"tid":1,"ts":2000,"name":"work"},
{"ph":"X","pid":1,"tid":1,"ts":2100,"dur":500,"name":"step"}])")
                               .string();
  EXPECT_EQ(run("compare " + a_ + " " + torn), "");
  const auto name_of = [&](std::string_view name) {
    return compared_cell(*page().answers.sides(), *page().answers.comparison(), *row(name),
                         ComparedField::name);
  };
  EXPECT_EQ(name_of("work"), "work (unfinished)");
  EXPECT_EQ(name_of("step"), "step");
  const auto rows = compared_rows(*page().answers.sides(), *page().answers.comparison(), {});
  EXPECT_EQ(longest_calls(*page().answers.sides(), *page().answers.comparison(), *rows), "2 → 2");
  EXPECT_EQ(longest_calls(*page().answers.sides(), *page().answers.comparison(), {}), "0");
}

TEST_F(CompareControllerTest, AnIgnoredNameGivesItsTimeToItsCallers) {
  compare();
  EXPECT_EQ(run("compare-ignore step"), "");
  EXPECT_EQ(row("step"), nullptr);
  EXPECT_EQ(row("work")->value[side_a].whole, 1'000'000);
  EXPECT_EQ(row("work")->value[side_b].whole, 1'250'000);
  EXPECT_EQ(run("context-menu compare-names"), "");
  EXPECT_EQ(run("compare-ignore nobody"), "Neither side has calls of \"nobody\".");
  EXPECT_EQ(run("compare-ignore none"), "");
  EXPECT_EQ(row("work")->value[side_a].whole, 750'000);
  ASSERT_NE(row("step"), nullptr);
}

TEST_F(CompareControllerTest, PairsCallsByAnArgument) {
  compare();
  run("line-up call work 1");
  EXPECT_EQ(page().pairs_warning(), "");
  EXPECT_EQ(run("pair-by id"), "");
  // "work" of B has none.
  EXPECT_EQ(page().pairs_warning(), "0 of 1 and 1 calls have a partner with the same id");
  EXPECT_EQ(run("pair-by none"), "");
  EXPECT_EQ(page().pairs_warning(), "");
}

TEST_F(CompareControllerTest, StartsWithCallsPairedByAnArgument) {
  ASSERT_TRUE(controllers().compare->start(a_, a_, "id"));
  settle();
  EXPECT_EQ(page().pair_by(), "id");
  EXPECT_EQ(run("line-up call work 1"), "");
  EXPECT_EQ(page().line_up().how, LineUpHow::call);
  EXPECT_EQ(run("compare-select step"), "");
  EXPECT_EQ(page().banded_calls()->pairs.size(), 1u);
}

TEST_F(CompareControllerTest, ArrowKeysGoThroughNamesAndSpaceLeavesOutARun) {
  compare();
  EXPECT_EQ(run("compare-sort name"), "");
  const std::string first = page().choice.selected;
  EXPECT_EQ(run("focus panel"), "");
  press("Home");
  press("Down");
  EXPECT_NE(page().choice.selected, first);
  EXPECT_EQ(run("add-runs a " + b_), "");
  EXPECT_EQ(run("panel runs"), "");
  press("Home");
  EXPECT_EQ(page().answers.sides()->run_count(side_a), 2u);
  press("Space");
  EXPECT_EQ(page().answers.sides()->run_count(side_a), 1u);
  press("Space");
  EXPECT_EQ(page().answers.sides()->run_count(side_a), 2u);
}

// Two runs: each "step" of the second takes twice as long.
std::string saved_numbers(const std::string& a, const std::string& b) {
  SideLoader loader({});
  EXPECT_TRUE(loader.add(side_a, a, {}));
  EXPECT_TRUE(loader.add(side_a, b, {}));
  return saved_side(loader.runs()[side_a]);
}

TEST_F(CompareControllerTest, ASavedSideIsComparedWithoutATimeline) {
  const std::string saved = folder_.write("base.json", saved_numbers(a_, a_)).string();
  EXPECT_EQ(run("compare " + saved + " " + b_), "");
  ASSERT_NE(controllers().compare->shown(), nullptr);
  EXPECT_EQ(shell_->tabs().all.size(), 2u);  // no tab shows what has no calls
  ASSERT_NE(page().answers.comparison(), nullptr);
  EXPECT_EQ(page().answers.sides()->run_count(side_a), 2u);
  EXPECT_EQ(row("step")->value[side_a].whole, 250'000);
  EXPECT_EQ(row("step")->value[side_b].whole, 500'000);
  EXPECT_EQ(row("job")->verdict, Verdict::gone);
  for (const char* panel :
       {"names", "flame-graph", "histogram", "details", "runs", "threads", "sql", "report"}) {
    EXPECT_EQ(run(std::string("panel ") + panel), "");
  }
  EXPECT_EQ(run("sql SELECT * FROM compared"), "");
  EXPECT_EQ(run("sql-run"), "");
  const Tab& whole = *shell_->tabs().page();
  EXPECT_EQ(whole.panel_named("sql")->count(*whole.session),
            page().answers.comparison()->rows.size());
  EXPECT_EQ(run("line-up call step 1"), "");
  EXPECT_EQ(run("compare-go longest b"), "");
  EXPECT_EQ(run("compare-part range"), "A saved side has no calls of which a part could be taken.");
  EXPECT_EQ(run("compare-ignore step"),
            "A saved side has no calls whose time could be their callers'.");
  EXPECT_EQ(run("use-run a 2"), "");
  EXPECT_EQ(page().answers.sides()->run_count(side_a), 1u);
  EXPECT_EQ(run("compare-swap"), "");
  EXPECT_EQ(row("job")->verdict, Verdict::added);
  EXPECT_EQ(run("show-run b 2"), "Only the numbers of this run are known.");
}

TEST_F(CompareControllerTest, ATraceOfASideThatIsSavedInPartIsShown) {
  const std::string saved = folder_.write("base.json", saved_numbers(a_, b_)).string();
  compare();
  EXPECT_EQ(run("add-runs a " + saved), "");
  EXPECT_EQ(page().answers.sides()->run_count(side_a), 3u);
  EXPECT_FALSE(page().answers.numbers_only(side_a));
  EXPECT_EQ(run("compare-swap"), "");
  EXPECT_EQ(page().answers.sides()->run_count(side_b), 3u);
  SideText part;
  part.paths = {saved};
  part.part.from = *typed_time("0");
  SideText whole;
  whole.paths = {a_};
  const std::size_t tabs = shell_->tabs().all.size();
  controllers().compare->start(std::move(part), std::move(whole));
  settle();
  EXPECT_EQ(shell_->tabs().all.size(), tabs);
}

TEST_F(CompareControllerTest, AsksBeforeTwoTracesAreLoadedThatDoNotFitTogether) {
  CompareController& compare = *controllers().compare;
  compare.set_free_memory(1000);
  EXPECT_EQ(run("compare " + a_ + " " + b_), "");
  EXPECT_TRUE(compare.asks_about_memory());
  EXPECT_TRUE(shell_->tabs().all.empty());
  EXPECT_EQ(run("answer-compare cancel"), "");
  EXPECT_FALSE(compare.asks_about_memory());
  EXPECT_TRUE(shell_->tabs().all.empty());
  EXPECT_EQ(run("answer-compare anyway"), "Nothing is asked about memory.");
  EXPECT_EQ(run("compare " + a_ + " " + b_ + "@5100us..5500us"), "");
  EXPECT_EQ(run("answer-compare numbers"), "");
  ASSERT_NE(compare.shown(), nullptr);
  EXPECT_EQ(shell_->tabs().all.size(), 1u);
  EXPECT_EQ(row("step")->value[side_a].whole, 250'000);
  EXPECT_EQ(row("step")->value[side_b].whole, 400'000);
  EXPECT_EQ(run("compare " + a_ + " " + b_), "");
  EXPECT_EQ(run("answer-compare anyway"), "");
  EXPECT_EQ(shell_->tabs().all.size(), 4u);
  // What is open already takes nothing more.
  EXPECT_EQ(run("compare " + a_ + " " + b_), "");
  EXPECT_FALSE(compare.asks_about_memory());
}

TEST_F(CompareControllerTest, AnotherRunStandsInForAFirstThatCannotBeRead) {
  const std::string broken = folder_.write("broken.json", "{\"traceEvents\":7}").string();
  SideText a, b;
  a.paths = {broken, a_};
  b.paths = {b_};
  controllers().compare->start(std::move(a), std::move(b));
  settle();
  ASSERT_NE(controllers().compare->shown(), nullptr);
  EXPECT_EQ(page().session(side_a).path(), a_);
  ASSERT_NE(page().answers.sides(), nullptr);
  EXPECT_EQ(page().answers.sides()->run_count(side_a), 1u);
  EXPECT_EQ(row("step")->value[side_a].whole, 250'000);
  ASSERT_EQ(page().answers.sides()->left_out[side_a].size(), 1u);
  EXPECT_EQ(page().answers.sides()->left_out[side_a][0].path, broken);
}

// As "Compare without timelines" does.
class MeasuredOnlyTest : public CompareControllerTest {
 protected:
  // Nothing has been taken from the background yet.
  void measure(std::vector<std::string> a, std::vector<std::string> b) {
    CompareController& compare = *controllers().compare;
    compare.set_free_memory(1000);
    SideText of_a, of_b;
    of_a.paths = std::move(a);
    of_b.paths = std::move(b);
    compare.start(std::move(of_a), std::move(of_b));
    settle();
    ASSERT_TRUE(compare.asks_about_memory());
    ASSERT_TRUE(shell_->run_command("answer-compare", "numbers"));
    ASSERT_TRUE(compare.measuring());
  }
};

TEST_F(MeasuredOnlyTest, ARunThatCannotBeReadIsLeftOutAndToldWhy) {
  const std::string broken = folder_.write("broken.json", "{\"traceEvents\":7}").string();
  measure({a_, broken, a_}, {broken, b_});
  settle();
  ASSERT_NE(controllers().compare->shown(), nullptr);
  EXPECT_EQ(page().answers.sides()->run_count(side_a), 2u);
  EXPECT_EQ(page().answers.sides()->run_count(side_b), 1u);
  EXPECT_EQ(row("step")->value[side_a].whole, 250'000);
  EXPECT_EQ(row("step")->value[side_b].whole, 500'000);
  ASSERT_EQ(page().answers.sides()->left_out[side_a].size(), 1u);
  EXPECT_EQ(page().answers.sides()->left_out[side_a][0].path, broken);
  const std::vector<std::string> notes = controllers().compare->notes(page());
  EXPECT_EQ(std::ranges::count_if(notes,
                                  [](const std::string& note) {
                                    return note.starts_with("broken.json is left out of ");
                                  }),
            2);
  EXPECT_EQ(run("panel runs"), "");
  EXPECT_NE(run("show-run a 2"), "");
}

TEST_F(MeasuredOnlyTest, IsRefusedWhereNoRunOfASideCanBeRead) {
  const std::string broken = folder_.write("broken.json", "{\"traceEvents\":7}").string();
  measure({a_}, {broken});
  settle();
  EXPECT_EQ(controllers().compare->shown(), nullptr);
  EXPECT_NE(shell_->message().find("broken.json"), std::string::npos);
}

TEST_F(MeasuredOnlyTest, IsCancelledByCommandAndByEscape) {
  for (const char* command : {"cancel", "clear"}) {
    measure({a_}, {b_});
    EXPECT_TRUE(enabled(*shell_->commands().named("cancel"), shell_->command_state()));
    EXPECT_TRUE(shell_->run_command(command, ""));
    EXPECT_FALSE(controllers().compare->measuring());
    settle();
    EXPECT_EQ(controllers().compare->shown(), nullptr);
    EXPECT_EQ(shell_->message(), "comparing was cancelled");
  }
  EXPECT_FALSE(enabled(*shell_->commands().named("cancel"), shell_->command_state()));
}

TEST_F(MeasuredOnlyTest, EscapeClearsWhatIsSelectedBeforeItCancels) {
  open_two_threads();
  run("select-range 100us 200us");
  measure({a_}, {b_});
  EXPECT_TRUE(shell_->run_command("clear", ""));
  EXPECT_TRUE(controllers().compare->measuring());
  EXPECT_TRUE(shell_->run_command("clear", ""));
  EXPECT_FALSE(controllers().compare->measuring());
}

TEST_F(CompareControllerTest, EscapeAnswersTheQuestionAboutMemory) {
  controllers().compare->set_free_memory(1000);
  EXPECT_EQ(run("compare " + a_ + " " + b_), "");
  EXPECT_TRUE(controllers().compare->asks_about_memory());
  press("Escape");
  EXPECT_FALSE(controllers().compare->asks_about_memory());
  EXPECT_TRUE(shell_->tabs().all.empty());
}

TEST_F(CompareControllerTest, ADamagedSavedSideAmongOtherRunsIsLeftOut) {
  const std::string saved = folder_.write("base.json", "{\"cinderscope_side\":1}").string();
  SideText a, b;
  a.paths = {saved, a_};
  b.paths = {b_};
  controllers().compare->start(std::move(a), std::move(b));
  settle();
  ASSERT_NE(controllers().compare->shown(), nullptr);
  EXPECT_EQ(page().answers.sides()->run_count(side_a), 1u);
  ASSERT_EQ(page().answers.sides()->left_out[side_a].size(), 1u);
  EXPECT_EQ(page().answers.sides()->left_out[side_a][0].path, saved);
}

TEST_F(CompareControllerTest, ADamagedSavedSideIsSaid) {
  const std::string saved = folder_.write("base.json", "{\"cinderscope_side\":1}").string();
  EXPECT_EQ(run("compare " + saved + " " + b_), "");
  EXPECT_EQ(controllers().compare->shown(), nullptr);
  EXPECT_NE(shell_->message().find("damaged"), std::string::npos);
}

TEST_F(CompareControllerTest, SelectingACallSelectsItsPartnerAndItsName) {
  compare();
  EXPECT_TRUE(find("step"));
  EXPECT_EQ(page().choice.selected, "step");
  ASSERT_TRUE(lane(side_b).selected);
  EXPECT_EQ(slice_at(page().session(side_b).timeline(), lane(side_b).selected).begin_ns, 5'100'000);
}

TEST_F(CompareControllerTest, SwapTurnsEverythingRound) {
  compare();
  run("line-up call step 2");
  const double difference = page().answers.comparison()->difference.value;
  EXPECT_EQ(run("compare-swap"), "");
  EXPECT_EQ(page().title(), "after ↔ before");
  EXPECT_EQ(page().answers.comparison()->difference.value, -difference);
  EXPECT_EQ(row("job")->verdict, Verdict::added);
  EXPECT_EQ(row("step")->verdict, Verdict::less);
  EXPECT_EQ(lane(side_a).lane->zero_ns, 5'600'000);
  EXPECT_FALSE(lane(side_a).lane->is_b);
  EXPECT_EQ(zero_px(side_a), zero_px(side_b));
  for (const char* word :
       {"names", "flame-graph", "histogram", "details", "runs", "threads", "sql", "report"}) {
    EXPECT_EQ(run(std::string("panel ") + word), "");
    EXPECT_EQ(controllers().panels->visible(*shell_->tabs().page())->word(), word);
  }
}

TEST_F(CompareControllerTest, TheSameTraceTwiceDiffersInNothing) {
  EXPECT_EQ(run("compare " + a_ + " " + a_), "");
  EXPECT_EQ(shell_->tabs().all.size(), 2u);
  EXPECT_EQ(page().answers.comparison()->difference.value, 0);
  EXPECT_EQ(page().answers.comparison()->count(Verdict::added), 0u);
}

TEST_F(CompareControllerTest, ComparesPartsOfOneTrace) {
  EXPECT_EQ(run("compare " + a_ + "@0us..350us " + a_ + "@350us..1000us"), "");
  EXPECT_EQ(row("step")->value[side_a].whole, 200'000);
  EXPECT_EQ(row("step")->value[side_b].whole, 50'000);
  EXPECT_EQ(run("compare-part all"), "");
  EXPECT_EQ(page().answers.comparison()->difference.value, 0);
}

TEST_F(CompareControllerTest, ComparesASelectedRangeWithOthers) {
  controllers().tabs->open(a_);
  settle();
  EXPECT_EQ(run("compare-range as-a"), "No range is selected.");
  run("select-range 500us 1ms");
  EXPECT_EQ(run("compare-range before"), "");
  ASSERT_NE(controllers().compare->shown(), nullptr);
  EXPECT_EQ(row("step")->verdict, Verdict::gone);
  run("tab 1");
  EXPECT_EQ(run("compare-range as-a"), "");
  run("select-range 0 400us");
  EXPECT_EQ(run("compare-range as-b"), "");
  EXPECT_EQ(row("step")->verdict, Verdict::added);
  run("tab 1");
  EXPECT_EQ(run("compare-range rest"), "");
  EXPECT_EQ(run("compare-range as-b"), "\"compare-range\" can do nothing now.");
}

TEST_F(CompareControllerTest, ClosingATraceAsksForItsComparisons) {
  compare();
  EXPECT_EQ(run("close 1"), "");
  EXPECT_EQ(shell_->tabs().all.size(), 3u);
  EXPECT_EQ(shell_->tabs().shown_index, 0u);
  press("Escape");
  EXPECT_EQ(run("close 1"), "");
  EXPECT_EQ(shell_->tabs().all.size(), 3u);
  EXPECT_EQ(run("close 1"), "");  // "Close all"
  ASSERT_EQ(shell_->tabs().all.size(), 1u);
  EXPECT_EQ(tab().session->path(), b_);
}

TEST_F(CompareControllerTest, AComparisonClosesWithoutItsTraces) {
  compare();
  EXPECT_EQ(run("close"), "");
  EXPECT_EQ(shell_->tabs().all.size(), 2u);
  compare();
  EXPECT_EQ(run("close-others"), "");
  EXPECT_EQ(shell_->tabs().all.size(), 3u);
  EXPECT_NE(controllers().compare->shown(), nullptr);
  run("tab 2");
  EXPECT_EQ(run("close-others"), "");
  EXPECT_EQ(shell_->tabs().all.size(), 1u);
}

TEST_F(CompareControllerTest, MeasuresScalesAndFilters) {
  compare();
  EXPECT_EQ(run("compare-measure total"), "");
  EXPECT_EQ(row("work")->value[side_b].whole, 1'250'000);
  EXPECT_EQ(run("compare-scale per step"), "");
  EXPECT_DOUBLE_EQ(row("work")->value[side_b].value, 625'000);
  EXPECT_NE(run("compare-scale per nothing"), "");
  EXPECT_EQ(run("compare-scale share"), "");
  EXPECT_EQ(run("compare-measure mean"), "");
  EXPECT_EQ(page().answers.options().scale, Scale::recorded);
  EXPECT_EQ(run("compare-filter new-gone"), "");
  EXPECT_EQ(run("compare-sort name"), "");
  EXPECT_EQ(run("compare-text -new"), "");
  const auto rows =
      compared_rows(*page().answers.sides(), *page().answers.comparison(), page().choice.order);
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 1u);
  EXPECT_EQ(page().answers.comparison()->rows[rows->front()].verdict, Verdict::gone);
  EXPECT_EQ(run("compare-column p99_b"), "");
  EXPECT_EQ(run("compare-column interval"), "");
  EXPECT_EQ(run("compare-min 1s"), "");
  EXPECT_EQ(page().answers.comparison()->count(Verdict::small),
            page().answers.comparison()->rows.size());
  EXPECT_EQ(run("compare-min default"), "");
}

TEST_F(CompareControllerTest, RulesAndRenamesMakeNamesTheSame) {
  compare();
  EXPECT_EQ(run("compare-rename new (job)=\\1"), "");
  EXPECT_EQ(row("job")->verdict, Verdict::same);
  EXPECT_EQ(run("compare-rename none"), "");
  EXPECT_EQ(row("job")->verdict, Verdict::gone);
  EXPECT_EQ(run("compare-match exact"), "");
  EXPECT_EQ(run("compare-rule case=always"), "");
  EXPECT_EQ(page().answers.rules().of(NameRule::letter_case), RuleState::always);
  EXPECT_NE(run("compare-match nonsense"), "");
}

TEST_F(CompareControllerTest, GoesToCallsThatNumbersName) {
  compare();
  EXPECT_EQ(run("compare-select step"), "");
  EXPECT_EQ(run("compare-go longest"), "");
  EXPECT_EQ(slice_at(page().session(side_a).timeline(), lane(side_a).selected).begin_ns, 100'000);
  EXPECT_EQ(slice_at(page().session(side_b).timeline(), lane(side_b).selected).begin_ns, 5'100'000);
  EXPECT_EQ(zero_px(side_a), zero_px(side_b));
  EXPECT_EQ(run("compare-go shortest b"), "");
  EXPECT_EQ(slice_at(page().session(side_b).timeline(), lane(side_b).selected).begin_ns, 5'600'000);
}

TEST_F(CompareControllerTest, TheFlameGraphHasItsCommands) {
  compare();
  EXPECT_EQ(run("flame-graph callers"), "");
  EXPECT_EQ(run("flame-graph function step"), "");
  EXPECT_EQ(run("flame-width b"), "");
  EXPECT_EQ(run("flame-by-self on"), "");
  EXPECT_EQ(run("flame-graph calls"), "");
  EXPECT_NE(run("flame-graph drop step"), "");
  EXPECT_NE(run("flame-graph function nothing"), "");
  EXPECT_NE(run("statistics"), "");
  EXPECT_NE(run("scope range"), "");  // there is no table of one trace
}

TEST_F(CompareControllerTest, SavesByTheEnding) {
  compare();
  const std::string path = (folder_.path() / "c.json").string();
  EXPECT_EQ(run("save-comparison " + path), "");
  EXPECT_NE(run("save-comparison " + path), "");
  EXPECT_EQ(run("save-comparison " + path + " force"), "");
  EXPECT_EQ(run("save-comparison " + (folder_.path() / "c.csv").string()), "");
  EXPECT_EQ(run("save-comparison " + (folder_.path() / "c.md").string()), "");
  EXPECT_NE(run("save-comparison " + (folder_.path() / "c.png").string()), "");
  EXPECT_EQ(run("copy-comparison"), "");
  EXPECT_NE(copied_.find("new job"), std::string::npos);
}

TEST_F(CompareControllerTest, RunsCanBeAddedAndLeftOut) {
  compare();
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(
        run("add-runs a " + folder_.write("a" + std::to_string(i) + ".json", kTwoThreads).string()),
        "");
    EXPECT_EQ(
        run("add-runs b " + folder_.write("b" + std::to_string(i) + ".json", kChanged).string()),
        "");
  }
  EXPECT_EQ(page().answers.sides()->run_count(side_a), 3u);
  EXPECT_EQ(page().answers.comparison()->tested, Tested::runs);
  run("panel runs");
  EXPECT_EQ(run("use-run b 2"), "");
  EXPECT_EQ(page().answers.sides()->run_count(side_b), 2u);
  EXPECT_EQ(run("use-run b 9"), "There is no such run.");
}

TEST_F(CompareControllerTest, TwoDroppedTracesAreAskedAbout) {
  shell_->input().push_back(FilesDropped{{a_, b_}, false});
  settle();
  EXPECT_TRUE(controllers().drops->open());
  EXPECT_EQ(shell_->tabs().all.size(), 0u);
  press("Escape");
  EXPECT_FALSE(controllers().drops->open());
  shell_->input().push_back(FilesDropped{{a_, b_}, false});
  settle();
  press("3");
  EXPECT_EQ(shell_->tabs().all.size(), 3u);
  run("close-others 1");
  run("tab 1");
  run("close");
  // One onto a window that shows one.
  controllers().tabs->open(a_);
  settle();
  shell_->input().push_back(FilesDropped{{b_}, false});
  settle();
  EXPECT_TRUE(controllers().drops->open());
  press("1");
  EXPECT_EQ(run("ask-on-drop off"), "");
  shell_->input().push_back(FilesDropped{{b_}, false});
  settle();
  EXPECT_FALSE(controllers().drops->open());
}

TEST_F(CompareControllerTest, SearchLooksInBoth) {
  compare();
  run("search job");
  EXPECT_EQ(page().lane(side_a).search.matches()->count(), 1u);
  EXPECT_EQ(page().lane(side_b).search.matches()->count(), 1u);
  // By the time at which they line up: step at 100 us of both, then at 400 us of A, 600 us of B.
  run("search =\"step\"");
  run("line-up starts");
  const auto at = [&] {
    return std::pair(page().used(), slice_at(timeline(), state().selected).begin_ns);
  };
  run("next-match");
  EXPECT_EQ(at(), std::pair(side_a, std::int64_t{100'000}));
  run("next-match");
  EXPECT_EQ(at(), std::pair(side_b, std::int64_t{5'100'000}));
  run("next-match");
  EXPECT_EQ(at(), std::pair(side_a, std::int64_t{400'000}));
  run("next-match");
  EXPECT_EQ(at(), std::pair(side_b, std::int64_t{5'600'000}));
  run("previous-match");
  EXPECT_EQ(at(), std::pair(side_a, std::int64_t{400'000}));
  run("previous-match");
  EXPECT_EQ(at(), std::pair(side_b, std::int64_t{5'100'000}));
  run("previous-match");
  EXPECT_EQ(at(), std::pair(side_a, std::int64_t{100'000}));
}

TEST_F(CompareControllerTest, MenusOfferComparisons) {
  controllers().tabs->open(a_);
  controllers().tabs->open(b_);
  settle();
  const auto of_tab = controllers().compare->offers(menu_target("tab 1"));
  ASSERT_EQ(of_tab.size(), 2u);
  EXPECT_EQ(of_tab[0].label, "Compare with after.json");
  const auto of_thread = controllers().compare->offers(menu_target("track 0"));
  ASSERT_EQ(of_thread.size(), 1u);
  EXPECT_EQ(run(of_thread[0].calls[0].name + " " + of_thread[0].calls[0].argument), "");
  EXPECT_EQ(page().answers.shown_runs()[side_a].measured->threads.size(), 1u);
  for (const char* target : {"compare-part", "compare-scale", "compare-names", "compare-line-up"}) {
    EXPECT_FALSE(controllers().compare->menu(target).empty());
  }
  EXPECT_EQ(run("context-menu compare-names"), "");
}

TEST_F(CompareControllerTest, AReloadKeepsTheComparison) {
  compare();
  run("line-up call step 2");
  folder_.write("after.json", kTwoThreads);
  run("tab 2");
  run("reload");
  run("tab 3");
  EXPECT_EQ(row("step")->verdict, Verdict::same);
  EXPECT_EQ(page().line_up().how, LineUpHow::call);
}

}  // namespace
}  // namespace cinderscope
