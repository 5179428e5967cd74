// Damaged data: whatever is wrong, loading ends, says so, and shows what lies before.
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#include "tests/support/dump.h"
#include "tests/support/lincheck_files.h"

namespace cinderscope {
namespace {

// The dump, or the error where there is nothing to show.
std::string outcome(std::vector<std::byte> bytes, bool& opened) {
  opened = false;
  auto source = lincheck_format().open(Input::from_memory("unknown", std::move(bytes)));
  if (!source) return source.error().text;
  LoadContext context({.jobs = 1});
  const Result<Timeline> timeline = read_timeline(**source, context);
  if (!timeline) return timeline.error().text;
  opened = true;
  return dump(*timeline, source->get());
}

TEST(LincheckDamageTest, CutDataShowAllThatIsWholeAndSaySo) {
  const auto whole = read_file(lincheck_case("tiny_stream", "input.trace"));
  std::uint64_t last_slices = 0;
  for (std::size_t size = 0; size + 1 < whole.size(); ++size) {
    const std::vector<std::byte> cut(whole.begin(),
                                     whole.begin() + static_cast<std::ptrdiff_t>(size));
    if (size < 16) {
      bool opened = false;
      EXPECT_FALSE(outcome(cut, opened).empty());
      EXPECT_FALSE(opened) << size;
      continue;
    }
    const LoadedTrace trace =
        load_trace(lincheck_format(), Input::from_memory("unknown", cut), {.jobs = 1});
    const auto& damage = trace.timeline.diagnostics.by_code();
    EXPECT_TRUE(damage.contains("truncated") || damage.contains("no_end_mark")) << size;
    EXPECT_GE(trace.timeline.slice_count, last_slices) << size;
    last_slices = trace.timeline.slice_count;
  }
  EXPECT_EQ(last_slices, 19u);
}

TEST(LincheckDamageTest, AnyFlippedByteIsSurvived) {
  for (const std::string name : {"tiny_stream", "v8"}) {
    auto bytes = read_file(lincheck_case(name, "input.trace"));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      for (const std::byte flip : {std::byte{0x01}, std::byte{0xff}}) {
        bytes[i] ^= flip;
        bool opened = false;
        EXPECT_FALSE(outcome(bytes, opened).empty()) << name << " byte " << i;
        bytes[i] ^= flip;
      }
    }
  }
}

// Everything that reads such data: piece by piece, from end to end, as text.
void use_all(const std::vector<std::byte>& bytes) {
  const auto open = [&] { return Input::from_memory("unknown", bytes); };
  const LoadedTrace trace =
      load_trace(lincheck_format(), open(), {.jobs = 1, .window_bytes = 64, .lazy_above_bytes = 0});
  const std::atomic<bool> cancelled{false};
  const NameIndexReader* reader = trace.source->name_index();
  if (const auto index =
          reader ? reader->read(trace.timeline.strings, 1, cancelled, [](double) {}) : nullptr) {
    NameIndex::NameSet all(trace.timeline.strings->size() + 1000, true);
    index->nearest(all, INT64_MIN, 1, cancelled);
    index->nearest(all, INT64_MAX, -1, cancelled);
    index->each(
        {.names = all, .threads = std::vector<bool>(index->threads().size(), true)}, cancelled,
        [&](const NameIndex::Call& call) {
          trace.source->describe(call.place.record, call.end_record);
        },
        [](double) {});
  }
  try {
    const LoadedTrace whole =
        load_in_pieces(lincheck_format(), open(), {.jobs = 1, .window_bytes = 64}, 2);
    EXPECT_LT(whole.timeline.slice_count, bytes.size());
    dump(whole.timeline, whole.source.get());
  } catch (const std::runtime_error& refused) {
    EXPECT_STRNE(refused.what(), "");
  }
  EXPECT_LT(tree_of(open(), {.verbose = true, .tidy = true}).size(), 1000 * bytes.size());
}

TEST(LincheckDamageTest, AnyFlippedOrMissingByteIsSurvivedPieceByPieceAndAsText) {
  for (const std::string name : {"tiny_stream", "v13"}) {
    const auto whole = read_file(lincheck_case(name, "input.trace"));
    const std::size_t step = name == "tiny_stream" ? 1 : 7;
    for (std::size_t i = 16; i < whole.size(); i += step) {
      SCOPED_TRACE(name + " byte " + std::to_string(i));
      auto bytes = whole;
      bytes[i] ^= std::byte{0xff};
      use_all(bytes);
      bytes = whole;
      bytes.resize(i);
      use_all(bytes);
    }
  }
}

TEST(LincheckDamageTest, APackedTraceSurvivesAnyFlipAndCut) {
  const auto whole = read_file(lincheck_case("packed", "input.packedtrace"));
  for (std::size_t i = 0; i < whole.size(); i += 7) {
    auto bytes = whole;
    bytes[i] ^= std::byte{0xff};
    bool opened = false;
    EXPECT_FALSE(outcome(bytes, opened).empty()) << "byte " << i;
    bytes.resize(i);
    EXPECT_FALSE(outcome(bytes, opened).empty()) << "cut at " << i;
  }
}

TEST(LincheckDamageTest, APackedTraceWithoutItsDirectoryIsReadFromTheFront) {
  auto bytes = read_file(lincheck_case("packed", "input.packedtrace"));
  bytes.resize(bytes.size() - 30);
  const LoadedTrace trace =
      load_trace(lincheck_format(), Input::from_memory("unknown", bytes), {.jobs = 1});
  EXPECT_EQ(trace.timeline.slice_count, 19u);
  EXPECT_TRUE(trace.timeline.diagnostics.by_code().contains("damaged_compression"));
}

TEST(LincheckDamageTest, OtherVersionsAreRefusedByName) {
  auto bytes = read_file(lincheck_case("tiny_stream", "input.trace"));
  for (const int version : {7, 23}) {
    bytes[15] = static_cast<std::byte>(version);
    bool opened = false;
    EXPECT_NE(outcome(bytes, opened).find("version " + std::to_string(version)), std::string::npos);
    EXPECT_FALSE(opened);
  }
}

}  // namespace
}  // namespace cinderscope
