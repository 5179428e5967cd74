#include "render/views/panels/details.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ingest/build/timeline_builder.h"
#include "render/text/details_text.h"
#include "tests/unit/render/views/view_window.h"

namespace cinderscope {
namespace {

// Says the same of every record.
class FixedSource : public TraceSource {
 public:
  Status load(TimelineBuilder&, LoadContext&) override { return ok(); }
  RecordText read_record(RecordOffset, RecordOffset) const override {
    ++described;
    return text;
  }
  const Input& input() const override { return input_; }

  RecordText text;
  mutable int described = 0;

 private:
  Input input_ = Input::from_memory("trace", {});
};

class DetailsViewTest : public ViewWindow {
 protected:
  void nest(std::size_t depth, std::string_view name = "call") {
    TimelineBuilder builder;
    const ThreadId thread = builder.thread(builder.process("1"), "7");
    TrackWriter& slices = builder.slices(thread);
    const StringId id = builder.intern(name);
    for (std::size_t i = 0; i < depth; ++i) slices.begin(0, id, i);
    for (std::size_t i = 0; i < depth; ++i) slices.end(2000, id, depth + i);
    builder.instant(thread, 1000, builder.intern("tick"), 1);
    timeline_ = builder.finish();
    select(static_cast<std::uint32_t>(depth - 1));
  }
  void select(std::uint32_t row) { state_.selected = {TrackId{0}, BlockId{0}, row, 0}; }

  Draw drawn(Rect area = kArea) {
    return [this, area](Actions& actions) {
      view_.draw({.timeline = timeline_,
                  .state = state_,
                  .source = &source_,
                  .theme = theme_,
                  .area = area,
                  .generation = generation_,
                  .counts_calls = counts_calls_ || all_of_name_ != nullptr,
                  .all_of_name = all_of_name_,
                  .children = children_ ? &*children_ : nullptr,
                  .shows_totals = shows_totals_,
                  .range_statistics = range_ ? &*range_ : nullptr,
                  .range_tree = tree_ ? &*tree_ : nullptr},
                 actions);
    };
  }
  std::string text() const { return details_text(timeline_, state_, &source_); }

  Timeline timeline_;
  TimelineState state_;
  FixedSource source_;
  DetailsView view_;
  std::uint64_t generation_ = 0;
  bool counts_calls_ = false;
  const DurationHistogram* all_of_name_ = nullptr;
  std::optional<ChildTotals> children_;
  bool shows_totals_ = false;
  std::optional<SliceStatistics> range_;
  std::optional<AggregatedCallTree> tree_;
};

TEST_F(DetailsViewTest, ListsTheInstantsInsideACallOnceEach) {
  TimelineBuilder builder(TimeAxis::events);
  const ThreadId thread = builder.thread(builder.process("1"), "7");
  builder.slices(thread).complete(0, 1'000'000, builder.intern("call"), 1);
  for (int i = 0; i < 100'000; ++i)
    builder.nested_instant(thread, 1, i, builder.intern("x = 7"), 2);
  timeline_ = builder.finish();
  select(0);
  source_.text.line = "x = 7";
  constexpr int kOnScreen = 24;  // lines, partly seen ones included
  for (int i = 0; i < 3; ++i) frame(drawn());
  EXPECT_LE(source_.described, kOnScreen);
  EXPECT_GT(source_.described, 10);
  // A click on the scroll bar leads to other lines; all other clicks find theirs read.
  std::vector<SelectInstant> chosen;
  std::set<float> scrolled_at;
  for (float y = 10; y < kArea.height; y += 20) {
    for (float x = 10; x < kArea.width; x += 20) {
      const int before = source_.described;
      for (const Action& action : click(x, y, drawn())) {
        if (const auto* one = std::get_if<SelectInstant>(&action)) chosen.push_back(*one);
      }
      EXPECT_LE(source_.described - before, kOnScreen) << x << ", " << y;
      if (source_.described > before) scrolled_at.insert(x);
    }
  }
  EXPECT_LE(scrolled_at.size(), 1u);
  ASSERT_FALSE(chosen.empty());
  for (std::size_t i = 1; i < chosen.size(); ++i) {
    EXPECT_GE(chosen[i].instant.instant, chosen[i - 1].instant.instant);
  }
  EXPECT_EQ(chosen[0].instant.row, 1u);
}

TEST_F(DetailsViewTest, AsksTheSourceOncePerSelection) {
  nest(3);
  for (int i = 0; i < 5; ++i) frame(drawn());
  EXPECT_EQ(source_.described, 1);
  select(0);
  frame(drawn());
  frame(drawn());
  EXPECT_EQ(source_.described, 2);
  ++generation_;
  frame(drawn());
  EXPECT_EQ(source_.described, 3);
}

TEST_F(DetailsViewTest, TellsAllFactsAsText) {
  nest(2, "ns::call");
  source_.text.category = "cc";
  source_.text.cpu_ns = 1500;
  source_.text.facts = {{"id", "0x1f"}};
  source_.text.args = parse_args(R"({"a":[1,2]})");
  source_.text.stack = {"main", "inner"};
  EXPECT_EQ(text(),
            "Name: ns::call\nDuration: 2 µs\nSelf: 2 µs\nBegin: 0.000 µs\nEnd: 2.000 µs\n"
            "CPU time: 1.500 µs\nCategory: cc\nThread: Thread 7\nProcess: Process 1\nDepth: 2\n"
            "Id: 0x1f\nArguments: {\"a\":[1,2]}\nCalled by: ns::call  2 µs\nStack: inner\n"
            "Stack: main\n");
}

TEST_F(DetailsViewTest, TellsOfAnInstant) {
  nest(1);
  state_.selected = {};
  state_.selected_instant = {TrackId{0}, 0};
  EXPECT_TRUE(text().starts_with("Name: tick\nTime: 1.000 µs\n")) << text();
  EXPECT_TRUE(frame(drawn()).empty());
}

TEST_F(DetailsViewTest, TellsWhatACounterDid) {
  TimelineBuilder builder;
  const CounterId counter = builder.counter(builder.process("1"), builder.intern("heap [MB]"));
  for (const std::int64_t time : {0, 100, 200}) {
    builder.counter_value(counter, builder.intern("used"), time, 1e9 + static_cast<double>(time));
    builder.counter_value(counter, builder.intern("free"), time, 2);
  }
  timeline_ = builder.finish();
  state_.view = showing(0, 200, 100);
  state_.selected_counter = {TrackId{0}, 150};
  EXPECT_NE(text().find("Measured: view\n"), std::string::npos);
  EXPECT_NE(text().find("used: value 1 000 000 100 MB  min 1 000 000 000 MB"), std::string::npos)
      << text();
  state_.range = TimeRange{0, 100};
  EXPECT_NE(text().find("Measured: selected range\n"), std::string::npos);
  EXPECT_NE(text().find("max 1 000 000 000 MB"), std::string::npos) << text();
  frame(drawn());
  frame(drawn({0, 0, 60, 60}));
  // A click copies a number.
  std::set<std::string> copied;
  for (const CopyText& one : click_everywhere<CopyText>(drawn(), 9)) copied.insert(one.text);
  EXPECT_TRUE(copied.contains("1 000 000 100 MB"));
}

TEST_F(DetailsViewTest, AnObjectHasSnapshotsButNoCallers) {
  TimelineBuilder builder;
  const AsyncTrackId track = builder.lifetime_track(builder.process("1"), builder.intern("Layer"));
  builder.async_group(track, {{{0, 100, builder.intern("Layer 1"), 1}, 0}});
  builder.async_group(track, {{{10, 50, builder.intern("Layer 2"), 2}, 0}},
                      {{{20, 0, builder.intern("snapshot"), 3}, 2}});
  timeline_ = builder.finish();
  state_.selected = {TrackId{0}, BlockId{0}, 1, 0};
  EXPECT_EQ(text().find("Parent"), std::string::npos);
  EXPECT_EQ(text().find("Self"), std::string::npos);
  EXPECT_EQ(text().find("Depth"), std::string::npos);
  EXPECT_NE(text().find("Track: Layer\n"), std::string::npos);
  const auto snapshots = click_everywhere<SelectInstant>(drawn(), 9);
  ASSERT_FALSE(snapshots.empty());
  EXPECT_EQ(snapshots.front().instant, (InstantRef{TrackId{0}, 0, BlockId{0}, 2}));
  // A snapshot leads back to its object.
  state_.selected = {};
  state_.selected_instant = snapshots.front().instant;
  EXPECT_NE(text().find("Of: Layer 2"), std::string::npos) << text();
}

TEST_F(DetailsViewTest, SelectsAParentThatIsClicked) {
  nest(3);
  const std::vector<SelectSlice> selected = click_everywhere<SelectSlice>(drawn(), 9);
  std::set<std::uint32_t> rows;
  for (const SelectSlice& one : selected) rows.insert(one.slice.row);
  EXPECT_EQ(rows, (std::set<std::uint32_t>{0, 1}));
  EXPECT_FALSE(click_everywhere<RevealSlice>(drawn(), 9).empty());
}

TEST_F(DetailsViewTest, ListsFlowsAndLeadsToTheirOtherEnds) {
  TimelineBuilder builder;
  const ProcessId process = builder.process("1");
  const ThreadId cpu = builder.thread(process, "7"), gpu = builder.thread(process, "8");
  builder.slices(cpu).complete(0, 1000, builder.intern("op"), 1);
  builder.slices(cpu).complete(100, 200, builder.intern("launch"), 1);
  builder.slices(gpu).complete(1600, 500, builder.intern("kernel"), 2);
  builder.slices(gpu).complete(3000, 500, builder.intern("copy"), 2);
  builder.flow(builder.intern("ac2g"), false,
               {{cpu, 100, FlowBinding::enclosing}, {gpu, 1600, FlowBinding::enclosing}});
  builder.flow(builder.intern("ac2g"), false,
               {{gpu, 1700, FlowBinding::enclosing}, {gpu, 3000, FlowBinding::enclosing}});
  timeline_ = builder.finish();
  const SliceRef launch{TrackId{0}, BlockId{0}, 1, 0}, kernel{TrackId{1}, BlockId{0}, 0, 0},
      copy{TrackId{1}, BlockId{0}, 0, 1};
  state_.selected = kernel;
  EXPECT_NE(text().find("Flow from: launch on Thread 7, 1.50 µs before\n"
                        "Flow to: copy on Thread 8, 1.30 µs later\n"),
            std::string::npos)
      << text();
  std::vector<SliceRef> gone_to;
  for (const RevealSlice& one : click_everywhere<RevealSlice>(drawn(), 9)) {
    if (gone_to.empty() || gone_to.back() != one.slice) gone_to.push_back(one.slice);
  }
  EXPECT_EQ(gone_to, (std::vector{launch, copy}));
  // The row under the pointer lights its flow.
  std::set<std::uint32_t> lit;
  for (float x = 100; x < kArea.width; x += 100) {
    for (float y = 5; y < kArea.height; y += 9) {
      ImGui::GetIO().MousePos = {x, y};
      frame(drawn());
      if (view_.lit_flow()) lit.insert(*view_.lit_flow());
    }
  }
  EXPECT_EQ(lit, (std::set<std::uint32_t>{0, 1}));
  // What flows of calls inside lead to is connected with the call around them.
  state_.selected = {TrackId{0}, BlockId{0}, 0, 0};
  std::set<std::string> asked;
  for (const RunCommand& call : click_everywhere<RunCommand>(drawn(), 9)) {
    asked.insert(call.name + " " + call.argument);
  }
  EXPECT_EQ(asked, (std::set<std::string>{"panel statistics", "scope connected"}));
}

TEST_F(DetailsViewTest, ListsWhatTheCallCallsAndTheWaysToThese) {
  nest(2);
  select(0);
  counts_calls_ = true;
  children_ = ChildTotals{
      .names =
          {{timeline_.strings->find("call").value(), 3, 1500, 900, {TrackId{0}, BlockId{0}, 1, 0}}},
      .count = 3};
  const std::vector<RevealSlice> gone_to = click_everywhere<RevealSlice>(drawn(), 9);
  ASSERT_FALSE(gone_to.empty());
  EXPECT_EQ(gone_to.front().slice.row, 1u);
  std::set<std::string> asked;
  for (const RunCommand& call : click_everywhere<RunCommand>(drawn(), 9)) {
    asked.insert(call.name + " " + call.argument);
  }
  EXPECT_EQ(asked, (std::set<std::string>{"flame-graph function call"}));
  children_.reset();  // still being added up
  EXPECT_TRUE(frame(drawn()).empty());
}

TEST_F(DetailsViewTest, ALongNameTakesTheRoomOfTheColumnsBeside) {
  const std::string longest = "a::very::long::name<" + std::string(60, 'T') + ">::of_a_function";
  nest(1, longest);
  std::set<std::string> copied;
  float right = 0;
  for (float x = 20; x < kArea.width; x += 20) {
    for (const Action& action : click(x, 18, drawn())) {
      const auto* copy = std::get_if<CopyText>(&action);
      if (copy != nullptr && copy->text == longest) right = x;
    }
  }
  EXPECT_GT(right, 500);  // the column of facts is 430 wide
}

TEST_F(DetailsViewTest, ARangeShowsWhatIsInItAndTheWaysOn) {
  TimelineBuilder builder;
  const ProcessId process = builder.process("1");
  const ThreadId thread = builder.thread(process, "7");
  builder.slices(thread).complete(0, 1000, builder.intern("f"), 1);
  builder.slices(thread).complete(100, 200, builder.intern("g"), 1);
  const CounterId counter = builder.counter(process, builder.intern("heap"));
  builder.counter_value(counter, kEmptyString, 0, 5);
  timeline_ = builder.finish();
  state_.range = TimeRange{0, 500};
  shows_totals_ = true;
  EXPECT_TRUE(frame(drawn()).empty());  // nothing is added up yet
  const auto slices = slice_set_of(timeline_);
  const std::atomic<bool> go_on = false;
  range_ = slice_statistics(*slices, {.scope = {0, 500}});
  tree_ = aggregate_calls(*slices, {0, 500}, go_on);
  std::set<std::string> asked;
  for (const RunCommand& call : click_everywhere<RunCommand>(drawn(), 9)) {
    asked.insert(call.name + " " + call.argument);
  }
  for (const char* way : {"panel statistics", "panel flame-graph", "scope range", "zoom-range ",
                          "select-range ", "flame-graph function f", "flame-graph function g"}) {
    EXPECT_TRUE(asked.contains(way)) << way;
  }
  std::set<std::uint32_t> rows;
  for (const RevealSlice& one : click_everywhere<RevealSlice>(drawn(), 9)) {
    rows.insert(one.slice.row);
  }
  EXPECT_EQ(rows, (std::set<std::uint32_t>{0, 1}));
  for (const float width : {1.0f, 200.0f, 560.0f, 800.0f}) {
    EXPECT_TRUE(frame(drawn({0, 0, width, 200})).empty());
  }
  // With a call selected as well the user may choose.
  select(0);
  EXPECT_FALSE(view_.take_choice());
  std::set<bool> chosen;
  for (float x = 10; x < 330; x += 8) {
    click(x, 22, drawn());
    if (const auto choice = view_.take_choice()) chosen.insert(*choice);
  }
  EXPECT_EQ(chosen, (std::set<bool>{false, true}));
}

TEST_F(DetailsViewTest, WithNothingSelectedItShowsTheWholeTrace) {
  TimelineBuilder builder;
  const ThreadId thread = builder.thread(builder.process("1"), "7");
  builder.slices(thread).complete(0, 1000, builder.intern("f"), 1);
  builder.slices(thread).complete(100, 200, builder.intern("g"), 1);
  timeline_ = builder.finish();
  shows_totals_ = true;
  EXPECT_TRUE(frame(drawn()).empty());  // nothing is added up yet
  const auto slices = slice_set_of(timeline_);
  const std::atomic<bool> go_on = false;
  range_ = slice_statistics(*slices, {});
  tree_ = aggregate_calls(*slices, {}, go_on);
  std::set<std::string> asked;
  for (const RunCommand& call : click_everywhere<RunCommand>(drawn(), 9)) {
    asked.insert(call.name + " " + call.argument);
  }
  for (const char* way : {"panel statistics", "panel flame-graph", "scope trace",
                          "flame-graph function f", "flame-graph function g"}) {
    EXPECT_TRUE(asked.contains(way)) << way;
  }
  EXPECT_FALSE(asked.contains("zoom-range "));
  EXPECT_FALSE(asked.contains("select-range "));
  for (const float width : {1.0f, 200.0f, 560.0f, 800.0f}) {
    EXPECT_TRUE(frame(drawn({0, 0, width, 200})).empty());
  }
}

// Where there is a graph: it has no boxes for these.
TEST_F(DetailsViewTest, SaysHowManyCallsOfTheWholeTraceHaveNoBox) {
  TimelineBuilder builder;
  const ThreadId thread = builder.thread(builder.process("1"), "7");
  builder.slices(thread).complete(0, 1000, builder.intern("f"), 1);
  builder.slices(thread).complete(100, 200, builder.intern("g"), 1);
  timeline_ = builder.finish();
  shows_totals_ = true;
  const auto slices = slice_set_of(timeline_);
  const std::atomic<bool> go_on = false;
  range_ = slice_statistics(*slices, {});
  const auto drawn_with = [&](std::size_t most_nodes, float width) {
    tree_ = aggregate_calls(*slices, {}, go_on, most_nodes);
    for (int i = 0; i < 3; ++i) frame(drawn({0, 0, width, 400}));
    return vertices();
  };
  // A sentence has more letters than the box that is missing.
  EXPECT_GT(drawn_with(1, 1200), drawn_with(2, 1200) + 100);
  EXPECT_EQ(drawn_with(1, 560), drawn_with(2, 560));
}

// A trace that begins before its first call: 1000 of 2000 ns are busy, by the length that stands
// above.
TEST_F(DetailsViewTest, BusyThreadsAreThoseOfTheLengthThatIsShown) {
  TimelineBuilder builder;
  const ThreadId thread = builder.thread(builder.process("1"), "7");
  builder.instant(thread, 0, builder.intern("start"), 1);
  builder.slices(thread).complete(1000, 1000, builder.intern("f"), 1);
  timeline_ = builder.finish();
  shows_totals_ = true;
  range_ = slice_statistics(*slice_set_of(timeline_), {});
  std::set<std::string> copied;
  for (const CopyText& one : click_everywhere<CopyText>(drawn(), 9)) copied.insert(one.text);
  EXPECT_TRUE(copied.contains("2.000 µs"));
  EXPECT_TRUE(copied.contains("0.50 threads busy"));
}

TEST_F(DetailsViewTest, CopiesFactsAndArguments) {
  nest(1);
  source_.text.args = parse_args(R"({"url":"a\nb","list":[1,{"x":true}]})");
  std::set<std::string> copied;
  for (const CopyText& copy : click_everywhere<CopyText>(drawn(), 9)) copied.insert(copy.text);
  EXPECT_TRUE(copied.contains("2 µs"));
  EXPECT_TRUE(copied.contains("a\nb"));
  EXPECT_TRUE(copied.contains(R"({"url":"a\nb","list":[1,{"x":true}]})"));
  EXPECT_TRUE(copied.contains(R"([1, {"x": true}])"));
}

TEST_F(DetailsViewTest, AnEmptyObjectIsNoArguments) {
  nest(1);
  frame(drawn());
  const std::size_t without = vertices();
  source_.text.args = parse_args("{}");
  ++generation_;
  for (int i = 0; i < 2; ++i) frame(drawn());
  EXPECT_EQ(vertices(), without);
  source_.text.args = parse_args("[7]");
  ++generation_;
  for (int i = 0; i < 2; ++i) frame(drawn());
  EXPECT_NE(vertices(), without);
}

TEST_F(DetailsViewTest, DrawsHostileNamesAndArguments) {
  std::string name(1 << 20, '\n');
  name += "\xff\xfe\xe2\x80\xae";
  nest(3, name);
  source_.text.category = name;
  source_.text.facts.assign(20'000, {name.substr(0, 2000), "\x80"});
  source_.text.stack.assign(20'000, "a\nb");
  source_.text.args = parse_args(std::string(1'000'000, '['));
  EXPECT_TRUE(frame(drawn()).empty());
  EXPECT_TRUE(frame(drawn()).empty());
  EXPECT_LT(vertices(), 60'000u);
  source_.text.args = parse_args(name);
  ++generation_;
  EXPECT_TRUE(frame(drawn()).empty());
}

TEST_F(DetailsViewTest, ShowsAHundredOfAMillionParents) {
  nest(1'000'000);
  EXPECT_TRUE(frame(drawn()).empty());
  EXPECT_NE(text().find("Called by: 999 899 more\n"), std::string::npos);
}

TEST_F(DetailsViewTest, BrushingTheHistogramListsThoseCalls) {
  nest(2);
  DurationHistogram all{.count = 30, .min_ns = 1, .max_ns = 300, .has_times = true, .whole = true};
  for (std::int64_t i = 0; i < 3; ++i) {
    all.log_bars.push_back({1 + 100 * i, 100 + 100 * i, 10});
  }
  all.linear_bars = all.log_bars;
  all_of_name_ = &all;
  std::set<std::string> asked;
  for (const RunCommand& call : click_everywhere<RunCommand>(drawn(), 12)) {
    EXPECT_TRUE(call.name.starts_with("search") || call.name == "panel") << call.name;
    asked.insert(call.argument);
  }
  EXPECT_EQ(asked, (std::set<std::string>{"search", "trace", "=\"call\" dur:1..100",
                                          "=\"call\" dur:101..200", "=\"call\" dur:201..300"}));
}

TEST_F(DetailsViewTest, TheHistogramFindsRoomInAnyWindow) {
  nest(3);
  DurationHistogram all{.count = 2, .min_ns = 0, .max_ns = INT64_MAX, .whole = true};
  all.log_bars = {{0, 0, 1}, {1, INT64_MAX, 1}};
  all.linear_bars = {{0, INT64_MAX, 2}};
  counts_calls_ = true;
  for (const DurationHistogram* histogram : {static_cast<DurationHistogram*>(nullptr), &all}) {
    all_of_name_ = histogram;
    for (const float width : {1.0f, 200.0f, 560.0f, 800.0f, 1200.0f}) {
      EXPECT_TRUE(frame(drawn({0, 0, width, 200})).empty());
    }
  }
}

TEST_F(DetailsViewTest, DrawsWithoutSelectionRoomOrTrace) {
  EXPECT_TRUE(frame(drawn()).empty());
  state_.selected = {TrackId{5}, BlockId{3}, 9, 9};  // of a trace that is gone
  EXPECT_TRUE(frame(drawn()).empty());
  state_.selected = {};
  state_.selected_instant = {TrackId{5}, 9};
  EXPECT_TRUE(frame(drawn()).empty());
  EXPECT_EQ(text(), "");
  nest(2);
  EXPECT_TRUE(frame(drawn({0, 0, 0, 0})).empty());
}

TEST_F(DetailsViewTest, ShowsTextsLineByLineAndCopiesThemWhole) {
  nest(1);
  source_.text.texts = {{"SQL", "select a\nfrom t\n  and b"}};
  EXPECT_NE(text().find("SQL:\nselect a\nfrom t\n  and b\n"), std::string::npos);
  const std::vector<CopyText> copies = click_everywhere<CopyText>(drawn(), 8);
  EXPECT_TRUE(std::any_of(copies.begin(), copies.end(), [](const CopyText& copy) {
    return copy.text == "select a\nfrom t\n  and b";
  }));
}

TEST_F(DetailsViewTest, TellsADurationWithoutThePauses) {
  TimelineBuilder builder;
  const ProcessId process = builder.process("1");
  builder.slices(builder.thread(process, "7")).complete(0, 2000, builder.intern("f"), 1);
  builder.pauses(process, {{500, 800}, {1900, 5000}});
  timeline_ = builder.finish();
  select(0);
  EXPECT_NE(text().find("Paused: 400 ns\nLess pauses: 1.600 \u00b5s\n"), std::string::npos)
      << text();
  state_.selected = {};
}

}  // namespace
}  // namespace cinderscope
