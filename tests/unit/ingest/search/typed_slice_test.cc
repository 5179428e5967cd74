#include "ingest/search/typed_slice.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

struct TypedForm {
  const char* text;
  const char* means;  // a time; "TRACK NAME BEGIN" of a slice; or the beginning of an error
};

// Times are ns. 1/7 main: work 0..1000, in it step 100..300 and 400..450 and 500..600;
// 1/8 io: work 200..240, a/b 50..60, x@+5 70..80, q"r 90..91, #2 95..96; async net: get 5..70.
class TypedSliceTest : public testing::Test {
 protected:
  TypedSliceTest() {
    TimelineBuilder builder;
    const auto thread_of = [&builder](const char* tid, const char* name) {
      const ThreadId thread = builder.thread(builder.process("1"), tid);
      builder.thread_facts(thread).name = builder.intern(name);
      return thread;
    };
    const auto add = [&builder](ThreadId thread, std::int64_t begin, std::int64_t end,
                                std::string_view name) {
      builder.slices(thread).complete(begin, end - begin, builder.intern(name), 0);
    };
    const ThreadId main = thread_of("7", "main"), io = thread_of("8", "io");
    add(main, 0, 1000, "work");
    add(main, 100, 300, "step");
    add(main, 400, 450, "step");
    add(main, 500, 600, "step");
    add(io, 50, 60, "a/b");
    add(io, 70, 80, "x@+5");
    add(io, 90, 91, "q\"r");
    add(io, 95, 96, "#2");
    add(io, 200, 240, "work");
    add(thread_of("9", "rec"), 100, 900, "f");
    add(thread_of("9", "rec"), 100, 800, "f");
    add(thread_of("9", "rec"), 300, 400, "f");
    const AsyncTrackId async = builder.async_track(builder.process("1"), builder.intern("net"));
    builder.async_group(async, {{{5, 70, builder.intern("get")}, 0}});
    timeline_ = builder.finish();
  }

  TimeContext times() const {
    TimeContext context = time_context(timeline_);
    context.in_window = true;
    context.marks = {{.note = "a b", .time_ns = 410, .begin_ns = 400, .end_ns = 500}};
    context.selected_ns = 120;
    return context;
  }
  std::string slice_of(std::string_view text) {
    const Result<TypedSlice> typed = typed_slice(text);
    if (!typed) return typed.error().text;
    const Result<WantedSlice> wanted = wanted_slice(timeline_, times(), *typed);
    if (!wanted) return wanted.error().text;
    const Result<SliceRef> found = find_slice(*slice_set_of(timeline_), *wanted);
    if (!found) return found.error().text;
    const Slice slice = slice_at(timeline_, *found);
    const Track& track = timeline_.tracks[index(found->track)];
    const std::string_view name = track.thread == kNoThread
                                      ? timeline_.text(track.name)
                                      : timeline_.text(timeline_.threads[index(track.thread)].name);
    return std::string(name) + " " + std::string(timeline_.text(slice.name)) + " " +
           std::to_string(slice.begin_ns);
  }
  std::string time_of(std::string_view text) {
    const Result<TypedTime> typed = typed_time(text);
    if (!typed) return typed.error().text;
    const Result<std::int64_t> time = time_in(times(), *typed);
    return time ? std::to_string(*time) : time.error().text;
  }

  Timeline timeline_;
};

TEST_F(TypedSliceTest, EveryFormOfASlice) {
  for (const auto& [text, means] : std::initializer_list<TypedForm>{
           {"step", "main step 100"},
           {"work", "main work 0"},
           {"step#1", "main step 100"},
           {"step#2", "main step 400"},
           {"step#3", "main step 500"},
           {"step#4", "There are only 3 calls \"step\"."},
           {"step#0", "There is no call \"step#0\"."},
           {"step#last", "main step 500"},
           {"step#longest", "main step 100"},
           {"step#median", "main step 500"},
           {"work#2", "io work 200"},
           {"io/work", "io work 200"},
           {"IO/work", "io work 200"},
           {"8/work", "io work 200"},
           {"1/8/work", "io work 200"},
           {"1//work#2", "io work 200"},
           {"/^i/work", "There is no call \"/^i/work\"."},
           {"/^i//work", "io work 200"},
           {"\"io\"/work", "io work 200"},
           {"io/\"work\"", "io work 200"},
           {"io/\"work\"#1", "io work 200"},
           {"nobody/work", "There is no call \"nobody/work\"."},
           {"nobody/\"work\"", "There is no thread \"nobody\""},
           {"step@250", "main step 100"},
           {"step@+250", "main step 100"},
           {"step@end-395", "main step 500"},
           {"step@350", "main step 400"},
           {"step@310", "main step 400"},
           {"step@300", "main step 400"},
           {"step@0.41us", "main step 400"},
           {"step@mark:a b", "main step 400"},
           {"step@now", "main step 100"},
           {"step@5s", "\"5s\" is not in the trace"},
           {"f@350", "rec f 300"},
           {"f@100", "rec f 100"},
           {"io/a/b", "io a/b 50"},
           {"a/b", "io a/b 50"},
           {"x@+5", "There is no call \"x@+5\"."},
           {"\"x@+5\"", "io x@+5 70"},
           {"io/\"x@+5\"@72", "io x@+5 70"},
           {"\"q\\\"r\"", "io q\"r 90"},
           {"\"#2\"", "io #2 95"},
           {"get", "net get 5"},
           {"net/get", "net get 5"},
           {"step@soon", "There is no call \"step@soon\"."},
           {"", "A call is missing"},
           {"#2", "A call is missing"},
       }) {
    EXPECT_TRUE(slice_of(text).starts_with(means)) << text << ": " << slice_of(text);
  }
}

TEST_F(TypedSliceTest, EveryFormOfATime) {
  for (const auto& [text, means] : std::initializer_list<TypedForm>{
           {"500", "500"},
           {"+500", "500"},
           {"0.5us", "500"},
           {"0.5µs", "500"},
           {"500ns", "500"},
           {"+0", "0"},
           {"end", "1000"},
           {"end-0.3us", "700"},
           {"mark:a b", "410"},
           {"mark:\"a b\"", "410"},
           {"now", "120"},
           {"mark:c", "There is no bookmark \"c\"."},
           {"09:30", "The clock of this file does not count from 1970"},
           {"+1h2m", "\"+1h2m\" is not in the trace"},
           {"-5", "\"-5\" is not in the trace"},
           {"soon", "\"soon\" is not a time"},
       }) {
    EXPECT_TRUE(time_of(text).starts_with(means)) << text << ": " << time_of(text);
  }
}

TEST_F(TypedSliceTest, NamesAreWrittenSoThatTheyAreFoundAgain) {
  for (const char* name : {"work", "a/b", "x@+5", "q\"r", "#2"}) {
    EXPECT_TRUE(slice_of(typed_name(name)).find(name) != std::string::npos) << name;
  }
  EXPECT_EQ(typed_name("work"), "work");
  EXPECT_EQ(typed_name("a/b"), "\"a/b\"");
}

TEST_F(TypedSliceTest, RefusesATextThatIsTooLong) {
  EXPECT_FALSE(typed_slice(std::string(1 << 20, 'x')));
  EXPECT_TRUE(slice_of(std::string(8000, '/')).starts_with("There is no call"));
}

}  // namespace
}  // namespace cinderscope
