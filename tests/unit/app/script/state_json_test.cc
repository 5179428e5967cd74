#include "app/script/state_json.h"

#include <gtest/gtest.h>

#include "tests/support/synthetic_source.h"

namespace cinderscope {
namespace {

// A call whose name and arguments are the test's.
class OneCall : public TraceSource {
 public:
  OneCall(std::string name, std::string args) : name_(std::move(name)), args_(std::move(args)) {}
  Status load(TimelineBuilder& out, LoadContext&) override {
    const ThreadId thread = out.thread(out.process("7"), "8");
    out.slices(thread).complete(1'700'000'000'000'000'123, 50, out.intern(name_), 0);
    out.slices(thread).complete(1'700'000'000'000'000'133, 20, out.intern("inner"), 1);
    out.diagnostics().count(diagnostic::kStrayEnd, 42);
    return ok();
  }
  RecordText read_record(RecordOffset, RecordOffset) const override {
    return {.args = args_.empty() ? ArgsTree() : parse_args(args_)};
  }
  const Input& input() const override { return input_; }

 private:
  std::string name_, args_;
  Input input_ = Input::from_memory("one call", {});
};

std::unique_ptr<Session> session_of(const std::string& name, const std::string& args) {
  auto session = std::make_unique<Session>(
      "x",
      [=](LoadContext&) -> Result<OpenedSource> {
        return OpenedSource{std::make_shared<OneCall>(name, args), nullptr};
      },
      SessionOptions{});
  wait_until([&] { return session->poll(), !session->loading(); });
  session->state().selected = {TrackId{0}, BlockId{0}, 0, 0};
  return session;
}

// A step on an async slice and a counter.
class StepAndCounter : public TraceSource {
 public:
  Status load(TimelineBuilder& out, LoadContext&) override {
    const ProcessId process = out.process("7");
    const AsyncTrackId track = out.async_track(process, out.intern("load"));
    out.async_group(track, {{{100, 50, out.intern("load"), 1}, 0}},
                    {{{120, 0, out.intern("halfway"), 2}, 1}});
    const CounterId counter = out.counter(process, out.intern("heap_bytes"));
    out.counter_value(counter, out.intern("used"), 100, 3);
    out.counter_value(counter, out.intern("used"), 150, 7);
    return ok();
  }
  RecordText read_record(RecordOffset record, RecordOffset) const override {
    return {.args = record == 2 ? parse_args("{\"part\":1}") : ArgsTree()};
  }
  const Input& input() const override { return input_; }

 private:
  Input input_ = Input::from_memory("marks", {});
};

std::string state_of(const Session* session) {
  return state_json({.width = 100, .height = 50, .theme = "dark"}, {"x"}, session);
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string args_of(const std::string& args) {
  const auto session = session_of("f", args);
  const std::string state = state_of(session.get());
  const auto at = state.find("\"args\":") + 7;
  return state.substr(at, state.find("},\"selected_instant\"") - at);
}

TEST(StateJsonTest, TellsOfSelectedStepsAndCounters) {
  Session session(
      "x",
      [](LoadContext&) -> Result<OpenedSource> {
        return OpenedSource{std::make_shared<StepAndCounter>(), nullptr};
      },
      SessionOptions{});
  wait_until([&] { return session.poll(), !session.loading(); });
  TimelineState& state = session.state();
  state.selected_instant = {TrackId{0}, 0, BlockId{0}, 1};
  EXPECT_TRUE(has(state_of(&session),
                  R"("selected_instant":{"name":"halfway","time":120,"track":"load","pid":"7",)"
                  R"("on":"load","args":{"part":1}})"))
      << state_of(&session);
  state.selected_instant = {};
  state.selected_counter = {TrackId{1}, 149};
  state.range = TimeRange{100, 150};
  EXPECT_TRUE(
      has(state_of(&session),
          R"("selected_counter":{"name":"heap_bytes","time":149,"begin":100,"end":150,)"
          R"("series":[{"name":"used","unit":"bytes","value":3,"min":3,"mean":3,"max":3}]})"))
      << state_of(&session);
}

TEST(StateJsonTest, SaysThatNothingIsOpen) {
  const std::string state = state_json({.theme = "light"}, {}, nullptr);
  EXPECT_TRUE(has(state, "\"files\":[]")) << state;
  EXPECT_TRUE(has(state, "\"theme\":\"light\""));
  EXPECT_TRUE(has(state, "\"selected\":null"));
  EXPECT_TRUE(has(state, "\"error\":null"));
}

TEST(StateJsonTest, TellsHowLongInputAndTheFirstPictureTook) {
  const std::string before = state_json({}, {}, nullptr);
  EXPECT_TRUE(has(before, "\"first_picture_ms\":null")) << before;
  WindowFacts facts{
      .last_input_ms = 3, .median_input_ms = 1.5, .p99_input_ms = 7, .longest_input_ms = 9};
  facts.input_frames = 12;
  facts.first_picture_ms = 240.5;
  const std::string after = state_json(facts, {}, nullptr);
  EXPECT_TRUE(
      has(after, "\"input_ms\":{\"last\":3,\"median\":1.5,\"p99\":7,\"max\":9,\"frames\":12}"))
      << after;
  EXPECT_TRUE(has(after, "\"first_picture_ms\":240.5"));
}

TEST(StateJsonTest, TellsTheSelectedCallInWholeNanoseconds) {
  const auto session = session_of("main", "");
  const std::string state = state_of(session.get());
  EXPECT_TRUE(has(state,
                  "\"selected\":{\"name\":\"main\",\"begin\":1700000000000000123,"
                  "\"duration\":50,\"self\":30,\"depth\":1,\"pid\":\"7\",\"tid\":\"8\","
                  "\"args\":null}"))
      << state;
  EXPECT_TRUE(has(state, "\"hovered\":null"));
  EXPECT_TRUE(
      has(state, "\"code\":\"stray_end\",\"severity\":\"odd\",\"count\":1,\"first_offset\":42"));
}

TEST(StateJsonTest, TellsWhatStandsAboveTheTimeline) {
  const auto session = session_of("main", "");
  WindowFacts facts;
  facts.notices = {"a notice"};
  facts.work = "counting";
  facts.growing = true;
  const std::string state = state_json(facts, {"x"}, session.get());
  EXPECT_TRUE(has(state, "\"work\":\"counting\",\"growing\":true")) << state;
  EXPECT_TRUE(has(state, "\"notices\":[\"a notice\"]")) << state;
  EXPECT_TRUE(has(state, "\"changed_file\":null")) << state;
}

TEST(StateJsonTest, NestsArgumentsAsTheyAre) {
  EXPECT_EQ(args_of(R"({"a":{"b":[1,-2.5e3,true,null,"t"]},"c":{},"d":[]})"),
            R"({"a":{"b":[1,-2.5e3,true,null,"t"]},"c":{},"d":[]})");
  EXPECT_EQ(args_of("[[],[[]]]"), "[[],[[]]]");
  EXPECT_EQ(args_of("\"text\""), "\"text\"");
  EXPECT_EQ(args_of("17"), "17");
}

TEST(StateJsonTest, WritesAsTextWhatIsNoJsonNumber) {
  for (const char* odd : {"01", "1.", "1.e5", ".5", "+1", "0x10", "NaN", "-", "-.5", "1e", "1e+",
                          "Infinity", "1e999999"}) {
    const std::string args = args_of(std::string(R"({"x":)") + odd + "}");
    EXPECT_FALSE(has(args, std::string(":") + odd + "}")) << args;
  }
}

TEST(StateJsonTest, EscapesWhatNamesMayHold) {
  const auto session = session_of("q\" \\ \n \x01 \xff", "");
  const std::string state = state_of(session.get());
  EXPECT_TRUE(has(state, R"("name":"q\" \\ \n \u0001 )")) << state;
  EXPECT_FALSE(has(state, "\xff"));
}

TEST(StateJsonTest, TakesStaleReferencesForNothing) {
  const auto session = session_of("f", "");
  session->state().selected = {TrackId{5}, BlockId{0}, 0, 0};
  session->state().hovered = {TrackId{0}, BlockId{9}, 0, 0};
  const std::string state = state_of(session.get());
  EXPECT_TRUE(has(state, "\"selected\":null"));
  EXPECT_TRUE(has(state, "\"hovered\":null"));
}

TEST(StateJsonTest, TellsTheErrorOfATabThatFailed) {
  Session session("x",
                  [](LoadContext&) -> Result<OpenedSource> {
                    return Error{ErrorCode::cannot_read, "It is gone.", {}};
                  },
                  {});
  wait_until([&] { return session.poll(), !session.loading(); });
  EXPECT_TRUE(has(state_of(&session), "\"error\":\"It is gone.\""));
}

}  // namespace
}  // namespace cinderscope
