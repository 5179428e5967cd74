// What a load found out beside the timeline, damaged: a source that takes it back never crashes,
// and says what is asked of its records.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "formats/all_formats.h"
#include "ingest/base/fields.h"
#include "ingest/format/capabilities.h"
#include "tests/support/load.h"
#include "tests/support/open_input.h"
#include "tests/support/source_dir.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

class KeptStateTest : public testing::TestWithParam<const char*> {
 protected:
  void open(std::string_view name) {
    format_ = format_named(name);
    const fs::path cases = fs::path(test::source_dir()) / "tests" / "golden" / name;
    for (const auto& one : fs::directory_iterator(cases)) {
      if (!one.is_directory()) continue;
      for (const auto& file : fs::directory_iterator(one.path())) {
        if (!file.path().filename().string().starts_with("input")) continue;
        if (!file.is_regular_file()) continue;
        try_case(file.path());
      }
    }
  }

  void try_case(const fs::path& path) {
    SCOPED_TRACE(path.string());
    const LoadedTrace trace = load_trace(*format_, opened(path), {});
    if (!trace.source || trace.source->loaded_state() == nullptr) return;
    FieldWriter out;
    trace.source->loaded_state()->save(out);
    const std::string state(out.bytes());
    const std::size_t step = state.size() / 60 + 1;
    for (std::size_t at = 0; at < state.size(); at += step) {
      std::string flipped = state;
      flipped[at] = static_cast<char>(flipped[at] ^ (at % 2 == 0 ? 0xff : 1 << at % 8));
      try_state(path, trace, flipped);
      try_state(path, trace, state.substr(0, at));
    }
    EXPECT_TRUE(try_state(path, trace, state));
    ++tried_;
  }

  bool try_state(const fs::path& path, const LoadedTrace& trace, std::string_view state) {
    Result<std::unique_ptr<TraceSource>> source = format_->open(opened(path));
    if (!source) return false;
    FieldReader in(state);
    if (!(*source)->loaded_state()->restore(in, trace.timeline.strings)) return false;
    for (const Track& track : trace.timeline.tracks) {
      for (const SliceRow& row : track.root().rows) {
        for (std::uint64_t i = 0; i < std::min<std::uint64_t>(row.count(), 20); ++i) {
          const Slice slice = row.slice(i);
          static_cast<void>((*source)->describe(slice.record, slice.end_record));
        }
      }
      if (track.instants.count() > 0) {
        static_cast<void>((*source)->describe(track.instants.slice(0).record, kNoRecord));
      }
    }
    static_cast<void>((*source)->details());
    return true;
  }

  const Format* format_ = nullptr;
  int tried_ = 0;
};

TEST_P(KeptStateTest, SurvivesDamage) {
  open(GetParam());
  EXPECT_GT(tried_, 3);
}

INSTANTIATE_TEST_SUITE_P(Profiles, KeptStateTest,
                         testing::Values("firefox", "pprof", "perf_script", "speedscope",
                                         "cpuprofile", "collapsed"));

}  // namespace
}  // namespace cinderscope
