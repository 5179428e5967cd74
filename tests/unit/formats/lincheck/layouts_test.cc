// Versions that were written in two layouts: the one that reads the whole file is meant.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/dump.h"
#include "tests/support/java_bytes.h"
#include "tests/support/lincheck_files.h"

namespace cinderscope {
namespace {

// Version 18, whose snapshots end with a trace id or without one.
class Version18 {
 public:
  explicit Version18(bool with_trace_ids) : with_trace_ids_(with_trace_ids) {
    out_.i64(0x706E547124EE5F70);
    out_.i64(18);
  }

  void begin_block(std::int32_t thread) {
    out_.u8(10);
    out_.i32(thread);
    thread_ = thread;
  }
  void end_block() { out_.u8(11); }
  void thread_name(std::string_view name) {
    out_.u8(0);
    out_.i32(thread_);
    out_.utf(name);
  }
  void class_named(std::int32_t id, std::string_view name) {
    out_.u8(1);
    out_.i32(id);
    out_.utf(name);
  }
  void method(std::int32_t id, std::int32_t of_class, std::string_view name) {
    out_.u8(2);
    out_.i32(id);
    out_.i32(of_class);
    out_.utf(name);
    out_.u8(10);
    out_.i32(0);
  }
  void call(std::int32_t method) {
    head(0);
    out_.u8(0);  // statuses of the children
    out_.i32(method);
    out_.i32(-1);  // static
    out_.i32(0);
    out_.u16(0);
  }
  void end_call() {
    out_.u8(9);
    out_.i32(-2);
    out_.u16(0);
  }
  void snapshot() {
    head(9);
    out_.i32(1);
    out_.i32(-1);
    out_.i64(1'770'000'000'000);
    out_.i32(1);
    out_.integer(7);
    if (!with_trace_ids_) return;
    out_.u8(++snapshots_ % 2);
    if (snapshots_ % 2 == 1) out_.utf("trace-1");
  }
  std::vector<std::byte> finish() {
    out_.u8(12);
    return {out_.all().begin(), out_.all().end()};
  }

 private:
  void head(std::uint8_t point) {
    out_.u8(8);
    out_.u8(point);
    out_.i32(-1);
    out_.i32(thread_);
    out_.i32(++event_);
    out_.u8(0xff);
  }

  JavaBytes out_;
  bool with_trace_ids_;
  std::int32_t thread_ = 0, event_ = 0;
  std::uint32_t snapshots_ = 0;
};

// What follows a snapshot decides how the wrong layout goes astray.
std::vector<std::byte> recording(bool with_trace_ids) {
  Version18 out(with_trace_ids);
  out.begin_block(0);
  out.class_named(0, "demo.Demo");
  out.method(0, 0, "run");
  out.call(0);
  out.snapshot();
  out.snapshot();  // before a trace point
  out.class_named(1, "demo.Other");
  out.method(1, 1, "more");
  out.call(1);
  out.snapshot();
  out.end_call();
  out.snapshot();
  out.end_block();
  out.begin_block(1);
  out.call(1);
  out.snapshot();
  out.class_named(2, "demo.Third");  // a snapshot before a class
  out.snapshot();
  out.end_call();
  out.snapshot();
  out.thread_name("worker");  // a snapshot before a thread's name
  out.end_block();
  out.begin_block(0);
  out.end_call();
  out.snapshot();
  out.thread_name("main");
  out.end_block();
  return out.finish();
}

TEST(LincheckLayoutsTest, Version18IsReadWithAndWithoutTraceIds) {
  for (const bool with_trace_ids : {true, false}) {
    const LoadedTrace trace = load_trace(
        lincheck_format(), Input::from_memory("unknown", recording(with_trace_ids)), {.jobs = 1});
    const Timeline& timeline = trace.timeline;
    EXPECT_EQ(timeline.slice_count, 3u) << with_trace_ids;
    EXPECT_EQ(timeline.instant_count, 8u) << with_trace_ids;
    EXPECT_FALSE(timeline.diagnostics.by_code().contains("truncated")) << with_trace_ids;
    EXPECT_FALSE(timeline.diagnostics.by_code().contains("data_damaged")) << with_trace_ids;
    ASSERT_EQ(timeline.threads.size(), 2u);
    EXPECT_EQ(timeline.text(timeline.threads[0].name), "main") << with_trace_ids;
    EXPECT_EQ(timeline.text(timeline.threads[1].name), "worker") << with_trace_ids;
  }
}

// A file that ends early is whole in neither: the layout that reads further is meant.
TEST(LincheckLayoutsTest, ACutFileOfVersion18KeepsAllThatIsWhole) {
  const std::vector<std::byte> whole = recording(false);
  std::uint64_t most = 0;
  for (std::size_t cut = 17; cut < whole.size(); ++cut) {
    const std::vector<std::byte> bytes(whole.begin(),
                                       whole.begin() + static_cast<std::ptrdiff_t>(cut));
    const LoadedTrace trace =
        load_trace(lincheck_format(), Input::from_memory("unknown", bytes), {.jobs = 1});
    most = std::max(most, trace.timeline.instant_count);
    if (cut + 40 > whole.size()) {
      EXPECT_GE(trace.timeline.instant_count, 7u) << cut;
    }
  }
  EXPECT_EQ(most, 8u);
}

TEST(LincheckLayoutsTest, PiecesOfALargeFileAreReadInTheRightLayout) {
  const LoadedTrace whole =
      load_trace(lincheck_format(), Input::from_memory("unknown", recording(false)), {.jobs = 1});
  const LoadedTrace pieces = load_in_pieces(
      lincheck_format(), Input::from_memory("unknown", recording(false)), {.jobs = 1}, 1);
  // In pieces records are not counted.
  const auto text_of = [](const LoadedTrace& trace) {
    std::string text = dump(trace.timeline, trace.source.get());
    const std::size_t at = text.find(" records=");
    return text.erase(at, text.find('\n', at) - at);
  };
  EXPECT_EQ(text_of(pieces), text_of(whole));
}

}  // namespace
}  // namespace cinderscope
