#include <gtest/gtest.h>
#include <xxhash.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>

#include "formats/all_formats.h"
#include "ingest/prepared/copy_layout.h"
#include "ingest/prepared/copy_reader.h"
#include "ingest/prepared/copy_writer.h"
#include "tests/support/dump.h"
#include "tests/support/load.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {

const Format& google_json_format();

namespace {

constexpr std::string_view kKey = "as it was";

// Some of everything: threads, overlaps, instants, async slices, flows, counters, damage.
constexpr std::string_view kTrace =
    R"([{"ph":"M","pid":1,"name":"process_name","args":{"name":"shop"}},
{"ph":"X","pid":1,"tid":1,"ts":1,"dur":90,"name":"serve"},
{"ph":"X","pid":1,"tid":1,"ts":5,"dur":20,"name":"_ZN3foo3barEi","args":{"n":1}},
{"ph":"X","pid":1,"tid":1,"ts":15,"dur":20,"name":"overlaps"},
{"ph":"i","pid":1,"tid":1,"ts":7,"name":"tick","s":"t"},
{"ph":"B","pid":1,"tid":2,"ts":3,"name":"open"},
{"ph":"b","pid":1,"tid":2,"ts":4,"id":7,"cat":"net","name":"get"},
{"ph":"n","pid":1,"tid":2,"ts":5,"id":7,"cat":"net","name":"step"},
{"ph":"e","pid":1,"tid":2,"ts":9,"id":7,"cat":"net","name":"get"},
{"ph":"s","pid":1,"tid":1,"ts":6,"id":3,"name":"to"},
{"ph":"f","pid":1,"tid":2,"ts":8,"id":3,"name":"to","bp":"e"},
{"ph":"C","pid":1,"ts":2,"name":"mem","args":{"a":1,"b":2}},
{"ph":"C","pid":1,"ts":6,"name":"mem","args":{"a":3,"b":1}},
{"ph":"E","pid":1,"tid":9,"ts":8}])";

struct Written {
  TempDir folder;
  std::filesystem::path path = folder.path() / "copy.csp";
  LoadedTrace trace;

  explicit Written(std::string_view text = kTrace)
      : trace(load_trace(google_json_format(), Input::from_memory("t", bytes_of(text)))) {
    CopyProgress progress;
    const Status made = write_prepared_copy(
        path, trace.timeline,
        {.key = std::string(kKey), .path = "/a/trace.json", .state = "what else"}, progress);
    if (!made) throw std::runtime_error(made.error().text);
  }
  std::string bytes() const {
    const std::vector<std::byte> all = read_file(path.string());
    return {reinterpret_cast<const char*>(all.data()), all.size()};
  }
};

// Nothing where it is refused.
std::string reopened(const std::filesystem::path& path, std::string_view key = kKey) {
  const Result<PreparedCopy> copy = open_prepared_copy(path, key, 2);
  const std::atomic<bool> cancelled{false};
  if (!copy || !check_columns(*copy, 2, cancelled)) return {};
  return dump(copy->timeline);
}

TEST(PreparedCopyTest, HoldsTheWholeTimeline) {
  const Written written;
  const Result<PreparedCopy> copy = open_prepared_copy(written.path, kKey, 2);
  ASSERT_TRUE(copy) << copy.error().text;
  const std::atomic<bool> cancelled{false};
  EXPECT_TRUE(check_columns(*copy, 2, cancelled));
  EXPECT_EQ(dump(copy->timeline), dump(written.trace.timeline));
  EXPECT_EQ(copy->state, "what else");
  EXPECT_TRUE(copy->timeline.complete);
  EXPECT_EQ(copy->timeline.diagnostics.by_code().size(),
            written.trace.timeline.diagnostics.by_code().size());
  const Result<CopyFacts> facts = prepared_copy_facts(written.path);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->path, "/a/trace.json");
  EXPECT_EQ(facts->key, kKey);
}

// Nothing reads columns before they were looked at, and then they are there.
TEST(PreparedCopyTest, ColumnsAreAtHandOnceTheyWereChecked) {
  const Written written;
  const Result<PreparedCopy> copy = open_prepared_copy(written.path, kKey, 1);
  ASSERT_TRUE(copy);
  const SliceChunk& chunk = *copy->timeline.tracks.front().root().rows.front().chunks.front();
  EXPECT_FALSE(chunk.at_hand());
  const std::atomic<bool> cancelled{false};
  ASSERT_TRUE(check_columns(*copy, 1, cancelled));
  EXPECT_TRUE(chunk.at_hand());
}

TEST(PreparedCopyTest, KeepsItsFileWhileAnythingOfItIsHeld) {
  const Written written;
  Timeline timeline;
  {
    Result<PreparedCopy> copy = open_prepared_copy(written.path, kKey, 1);
    ASSERT_TRUE(copy);
    timeline = copy->timeline;
  }
  std::filesystem::remove(written.path);
  EXPECT_EQ(dump(timeline), dump(written.trace.timeline));
}

TEST(PreparedCopyTest, HasManyChunksAndNames) {
  std::string text = "[";
  for (int i = 0; i < 20'000; ++i) {
    text += R"({"ph":"X","pid":1,"tid":1,"ts":)" + std::to_string(i * 10) +
            R"(,"dur":5,"name":"f)" + std::to_string(i % 5000) + "\"},\n";
  }
  const Written written(text);
  EXPECT_EQ(reopened(written.path), dump(written.trace.timeline));
  Result<PreparedCopy> copy = open_prepared_copy(written.path, kKey, 2);
  ASSERT_TRUE(copy);
  const Track& track = copy->timeline.tracks.front();
  const Track& before = written.trace.timeline.tracks.front();
  ASSERT_EQ(track.root().rows.front().upper.size(), before.root().rows.front().upper.size());
  for (std::size_t level = 0; level < before.root().rows.front().upper.size(); ++level) {
    const auto& spans = track.root().rows.front().upper[level];
    const auto& spans_before = before.root().rows.front().upper[level];
    ASSERT_EQ(spans.size(), spans_before.size());
    EXPECT_EQ(spans.back().begin_ns, spans_before.back().begin_ns);
    EXPECT_EQ(spans.back().summary.colour, spans_before.back().summary.colour);
  }
  // Names are found again, and new ones go on behind them.
  StringPool& names = *copy->timeline.strings;
  EXPECT_EQ(names.find("f4999"), written.trace.timeline.strings->find("f4999"));
  EXPECT_EQ(index(names.intern("new")), written.trace.timeline.strings->size());
}

// Long durations apart, records in bits, times of flows that slices tell.
TEST(PreparedCopyTest, HasColumnsOfEveryForm) {
  std::string text = "[";
  for (int i = 0; i < 3000; ++i) {
    const std::string ts = std::to_string(i * 100'000);
    text += R"({"ph":"X","pid":1,"tid":1,"ts":)" + ts + R"(,"dur":)" +
            (i % 50 == 0 ? "90000" : std::to_string(i % 50 + 1)) + R"(,"name":"f)" +
            std::to_string(i % 7) + R"("},
{"ph":")" + (i % 2 == 0 ? "s" : "f") +
            R"(","bp":"e","pid":1,"tid":1,"ts":)" + ts + R"(,"id":)" + std::to_string(i / 2) +
            R"(,"name":"to"},
)";
  }
  const Written written(text);
  const Timeline& before = written.trace.timeline;
  const ChunkHead head = before.tracks.front().root().rows.front().chunks.front()->head();
  EXPECT_GE(head.width[ChunkHead::kDurationColumn], PackedColumn::kFar);
  EXPECT_GE(head.width[ChunkHead::kRecordColumn], PackedColumn::kBits);
  EXPECT_EQ(before.flows->points.own_time_ns(1), 0);
  EXPECT_EQ(reopened(written.path), dump(before));
  const Result<PreparedCopy> copy = open_prepared_copy(written.path, kKey, 2);
  ASSERT_TRUE(copy);
  EXPECT_EQ(kept_bytes(copy->timeline).columns, kept_bytes(before).columns);
  EXPECT_LE(copy->timeline.flows->points.kept_bytes(), before.flows->points.kept_bytes() + 100);
}

TEST(PreparedCopyTest, IsRefusedForAnotherKey) {
  const Written written;
  const Result<PreparedCopy> copy = open_prepared_copy(written.path, "as it is", 1);
  ASSERT_FALSE(copy);
  EXPECT_EQ(copy.error().code, ErrorCode::refused);
}

TEST(PreparedCopyTest, IsRefusedWithAnyByteFlipped) {
  const Written written;
  const std::string whole = written.bytes();
  ASSERT_FALSE(reopened(written.path).empty());
  std::size_t taken = 0;
  std::fstream file(written.path, std::ios::in | std::ios::out | std::ios::binary);
  const auto put = [&file](std::size_t at, char byte) {
    file.seekp(static_cast<std::streamoff>(at)).put(byte).flush();
  };
  for (std::size_t at = 0; at < whole.size(); ++at) {
    // Zeros between sections are all alike.
    if (whole[at] == 0 && at % 16 != 0) continue;
    put(at, static_cast<char>(whole[at] ^ (1 << at % 8)));
    if (!reopened(written.path).empty()) ADD_FAILURE() << "byte " << at;
    put(at, whole[at]);
    ++taken;
  }
  EXPECT_FALSE(reopened(written.path).empty());
  EXPECT_GT(taken, 3000u);
}

// Somebody may write hashes that fit: indices and counts are not believed for that.
TEST(PreparedCopyTest, SurvivesWhatIsWrongBelowRightHashes) {
  const Written written;
  const std::string whole = written.bytes();
  prepared::Header header;
  std::memcpy(&header, whole.data(), sizeof header);
  std::mt19937 draw(7);
  std::size_t refused = 0, taken = 0;
  for (auto section = prepared::Section::model; section <= prepared::Section::by_slice;
       section = static_cast<prepared::Section>(static_cast<std::uint32_t>(section) + 1)) {
    prepared::SectionEntry& entry = header.table[static_cast<std::size_t>(section)];
    for (int i = 0; entry.bytes > 0 && i < 200; ++i) {
      std::string changed = whole;
      const std::size_t at = entry.offset + draw() % entry.bytes;
      changed[at] = static_cast<char>(draw() % 4 == 0 ? 0xff : draw());
      prepared::Header now = header;
      prepared::SectionEntry& hashed = now.table[static_cast<std::size_t>(section)];
      hashed.hash = XXH3_64bits(changed.data() + entry.offset, entry.bytes);
      now.hash = 0;
      now.hash = XXH3_64bits(&now, sizeof now);
      std::memcpy(changed.data(), &now, sizeof now);
      written.folder.write("copy.csp", changed);
      ++(reopened(written.path).empty() ? refused : taken);
    }
  }
  // Some of it are only other names, times and numbers.
  EXPECT_GT(refused, 200u);
  EXPECT_GT(taken, 200u);
}

TEST(PreparedCopyTest, IsRefusedCutAtAnyLength) {
  const Written written;
  const std::string whole = written.bytes();
  written.folder.write("copy.csp", whole + '\0');
  EXPECT_EQ(reopened(written.path), "");
  for (std::size_t length = whole.size(); length-- > 0;) {
    std::filesystem::resize_file(written.path, length);
    if (!reopened(written.path).empty()) ADD_FAILURE() << length << " bytes";
  }
}

TEST(PreparedCopyTest, ReadsAsZerosWhereItShrinksWhileItIsOpen) {
  const Written written;
  const Result<PreparedCopy> copy = open_prepared_copy(written.path, kKey, 1);
  ASSERT_TRUE(copy);
  const std::string before = dump(copy->timeline);
  std::filesystem::resize_file(written.path, 0);
  EXPECT_NE(dump(copy->timeline), "");  // whatever it says
  const std::atomic<bool> cancelled{false};
  EXPECT_FALSE(check_columns(*copy, 1, cancelled));
}

TEST(PreparedCopyTest, LeavesNothingBehindWhenItIsCancelled) {
  const Written written;
  CopyProgress progress;
  progress.cancelled = true;
  const std::filesystem::path other = written.folder.path() / "other.csp";
  const Status made = write_prepared_copy(other, written.trace.timeline, {}, progress);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::cancelled);
  std::size_t files = 0;
  for (const auto& each : std::filesystem::directory_iterator(written.folder.path())) {
    static_cast<void>(each);
    ++files;
  }
  EXPECT_EQ(files, 1u);
}

TEST(PreparedCopyTest, IsNotMadeOfASnapshot) {
  Timeline timeline;
  EXPECT_FALSE(can_be_prepared(timeline));
  timeline.complete = true;
  EXPECT_TRUE(can_be_prepared(timeline));
}

}  // namespace
}  // namespace cinderscope
