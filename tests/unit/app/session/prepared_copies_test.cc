#include "app/session/prepared_copies.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "app/session/open_source.h"
#include "app/session/open_trace.h"
#include "app/session/session.h"
#include "ingest/prepared/copy_layout.h"
#include "ingest/prepared/copy_reader.h"
#include "ingest/totals/segment_totals.h"
#include "ingest/totals/slice_statistics.h"
#include "tests/support/dump.h"
#include "tests/support/load.h"
#include "tests/support/source_dir.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCopied =
    R"([{"ph":"X","pid":1,"tid":1,"ts":1,"dur":2,"name":"f","args":{"a":7}}])";

struct Copies {
  TempDir files;
  std::string folder = (files.path() / "cache" / "prepared").string();
  LoadOptions options{.jobs = 2, .prepared_folder = folder};

  Result<OpenedTrace> open(const fs::path& path) const {
    return open_trace(path.string(), options);
  }

  Status write(const fs::path& path, const CopyLimits& limits = {.share_of_free = 1}) const {
    LoadContext context(options);
    Result<OpenedSource> opened = open_source(path.string(), context);
    if (!opened) return opened.error();
    const Result<OpenedTrace> trace = load_opened(path.string(), *opened, context);
    if (!trace) return trace.error();
    CopyProgress progress;
    return write_copy(*opened, trace->timeline, options, progress, limits);
  }
};

TEST(PreparedCopiesTest, ATraceOpensFromItsCopy) {
  const Copies copies;
  const fs::path file = copies.files.write("t.json", kCopied);
  EXPECT_FALSE(copies.open(file)->prepared);
  ASSERT_TRUE(copies.write(file));
  const Result<OpenedTrace> trace = copies.open(file);
  ASSERT_TRUE(trace);
  EXPECT_TRUE(trace->prepared);
  const Slice slice = trace->timeline.tracks[0].root().rows[0].slice(0);
  EXPECT_NE(dump(trace->timeline, trace->source.get()).find("7"), std::string::npos);
  EXPECT_EQ(trace->timeline.text(slice.name), "f");
  EXPECT_FALSE(open_trace(file.string(), {})->prepared);
}

TEST(PreparedCopiesTest, APictureComesBeforeColumnsWereLookedAt) {
  Copies copies;
  const fs::path file = copies.files.write("t.json", kCopied);
  ASSERT_TRUE(copies.write(file));
  copies.options.snapshots = {.first_after_ms = 0};
  LoadContext context(copies.options);
  std::vector<Timeline> pictures;
  context.on_snapshot([&](Timeline picture) { pictures.push_back(std::move(picture)); });
  const Result<OpenedSource> opened = open_source(file.string(), context);
  ASSERT_TRUE(opened);
  const Result<LoadedTimeline> loaded = load_timeline(*opened, context);
  ASSERT_TRUE(loaded && loaded->prepared);
  EXPECT_TRUE(loaded->timeline.columns_checked && loaded->timeline.complete);
  ASSERT_EQ(pictures.size(), 1u);
  EXPECT_FALSE(pictures[0].columns_checked || pictures[0].complete);
  EXPECT_EQ(pictures[0].slice_count, 1u);
}

TEST(PreparedCopiesTest, ADamagedColumnIsNoticedBehindThePicture) {
  Copies copies;
  const fs::path file = copies.files.write("t.json", kCopied);
  ASSERT_TRUE(copies.write(file));
  const fs::path copy = known_copies(copies.folder)[0].file;
  std::fstream bytes(copy, std::ios::in | std::ios::out | std::ios::binary);
  prepared::Header header;
  bytes.read(reinterpret_cast<char*>(&header), sizeof header);
  const prepared::SectionEntry& columns =
      header.table[static_cast<std::size_t>(prepared::Section::columns)];
  bytes.seekp(static_cast<std::streamoff>(columns.offset + columns.bytes - 1)).put('\x55').flush();
  copies.options.snapshots = {.first_after_ms = 0};
  std::atomic<int> woken{0};
  Session session(file.string(),
                  [&](LoadContext& control) { return open_source(file.string(), control); },
                  {.load = copies.options, .wake = [&woken] { ++woken; }});
  while (session.loading()) {
    session.poll();
    if (!session.timeline().columns_checked) {
      EXPECT_TRUE(session.slices()->tracks.empty());
    }
    std::this_thread::yield();
  }
  EXPECT_EQ(session.phase(), SessionPhase::ready);
  EXPECT_FALSE(session.prepared());
  EXPECT_TRUE(session.timeline().columns_checked);
  EXPECT_EQ(session.slices()->tracks.size(), 1u);
  EXPECT_TRUE(known_copies(copies.folder).empty());
}

TEST(PreparedCopiesTest, StatisticsHaveTheirTotalsAtOnce) {
  const Copies copies;
  const fs::path file = copies.files.write("t.json", kCopied);
  ASSERT_TRUE(copies.write(file));
  const Result<OpenedTrace> trace = copies.open(file);
  ASSERT_TRUE(trace && trace->prepared);
  ASSERT_NE(trace->totals, nullptr);
  ASSERT_EQ(trace->totals->of_track.size(), 1u);
  EXPECT_EQ(trace->totals->of_track[0].at(0).sums.at(0).second.count, 1u);
  EXPECT_EQ(open_trace(file.string(), {})->totals, nullptr);
}

TEST(PreparedCopiesTest, EveryGoldenCaseIsTheSameReopened) {
  std::size_t reopened = 0;
  std::set<std::string_view> formats;
  const std::string golden = test::source_dir() + "/tests/golden";
  for (const auto& entry : fs::recursive_directory_iterator(golden)) {
    if (!entry.path().filename().string().starts_with("input")) continue;
    const auto depth = fs::relative(entry.path(), golden);
    if (std::distance(depth.begin(), depth.end()) != 3) continue;
    SCOPED_TRACE(entry.path().string());
    const Copies copies;
    const Result<OpenedTrace> loaded = open_trace(entry.path().string(), {.jobs = 2});
    if (!loaded) continue;
    // All that the model holds comes back, whatever the format.
    const fs::path file = copies.files.path() / "copy.csp";
    CopyProgress progress;
    const std::string text = dump(loaded->timeline);
    if (can_be_prepared(loaded->timeline)) {
      ASSERT_TRUE(write_prepared_copy(file, loaded->timeline, {.key = "k"}, progress));
      const Result<PreparedCopy> copy = open_prepared_copy(file, "k", 2);
      ASSERT_TRUE(copy) << copy.error().text;
      const std::atomic<bool> cancelled{false};
      EXPECT_TRUE(check_columns(*copy, 2, cancelled));
      EXPECT_EQ(dump(copy->timeline), text);
    }
    // And what its source says of records, where the format can have copies.
    if (!copies.write(entry.path())) continue;
    const Result<OpenedTrace> trace = copies.open(entry.path());
    ASSERT_TRUE(trace) << trace.error().text;
    EXPECT_TRUE(trace->prepared);
    EXPECT_EQ(dump(trace->timeline, trace->source.get()),
              dump(loaded->timeline, loaded->source.get()));
    EXPECT_EQ(trace->source->details(), loaded->source->details());
    EXPECT_EQ(trace->source->knows_ends(), loaded->source->knows_ends());
    ++reopened;
    formats.insert(loaded->format->name());
  }
  for (const std::string_view format :
       {"google_json", "spall", "flow", "thread_stream", "perfetto", "speedscope", "collapsed",
        "cpuprofile", "firefox", "pprof", "perf_script"}) {
    EXPECT_TRUE(formats.contains(format)) << format;
  }
  EXPECT_GT(reopened, 30u);
}

TEST(PreparedCopiesTest, ACopyOfAnotherStateOfTheTraceGoes) {
  const Copies copies;
  const fs::path file = copies.files.write("t.json", kCopied);
  ASSERT_TRUE(copies.write(file));
  const fs::file_time_type time = fs::last_write_time(file);
  std::string edited(kCopied);
  edited[edited.find("\"f\"") + 1] = 'g';
  copies.files.write("t.json", edited);
  fs::last_write_time(file, time);
  const Result<OpenedTrace> trace = copies.open(file);
  ASSERT_TRUE(trace);
  EXPECT_FALSE(trace->prepared);
  EXPECT_NE(dump(trace->timeline).find("g"), std::string::npos);
  EXPECT_TRUE(known_copies(copies.folder).empty());
}

TEST(PreparedCopiesTest, ADamagedCopyGoesAndTheTraceIsLoaded) {
  const Copies copies;
  const fs::path file = copies.files.write("t.json", kCopied);
  ASSERT_TRUE(copies.write(file));
  std::vector<KnownCopy> known = known_copies(copies.folder);
  ASSERT_EQ(known.size(), 1u);
  EXPECT_EQ(known[0].trace, file.string());
  EXPECT_TRUE(check_copy(known[0], 1));
  fs::resize_file(known[0].file, known[0].bytes - 1);
  EXPECT_FALSE(check_copy(known[0], 1));
  const Result<OpenedTrace> trace = copies.open(file);
  ASSERT_TRUE(trace);
  EXPECT_FALSE(trace->prepared);
  EXPECT_TRUE(known_copies(copies.folder).empty());
}

TEST(PreparedCopiesTest, AreForTheirOwnerAlone) {
  const Copies copies;
  ASSERT_TRUE(copies.write(copies.files.write("t.json", kCopied)));
  EXPECT_EQ(fs::status(copies.folder).permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::status(known_copies(copies.folder)[0].file).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST(PreparedCopiesTest, TheLeastRecentlyUsedGoFirst) {
  const Copies copies;
  const fs::path a = copies.files.write("a.json", kCopied);
  const fs::path b = copies.files.write("b.json", kCopied);
  const fs::path c = copies.files.write("c.json", kCopied);
  ASSERT_TRUE(copies.write(a));
  ASSERT_TRUE(copies.write(b));
  const auto now = fs::file_time_type::clock::now();
  for (const KnownCopy& copy : known_copies(copies.folder)) {
    const bool is_a = copy.trace == a.string();
    fs::last_write_time(copy.file, now - std::chrono::hours(is_a ? 2 : 1));
  }
  EXPECT_TRUE(copies.open(a)->prepared);  // and so is used later than b
  // Room for one that is there and one to come, which is taken for as long as its model.
  const Result<OpenedTrace> loaded = open_trace(c.string(), {.jobs = 2});
  ASSERT_TRUE(loaded);
  const std::uint64_t most_bytes =
      known_copies(copies.folder)[0].bytes + prepared_bytes(loaded->timeline);
  ASSERT_TRUE(copies.write(c, {.most_bytes = most_bytes, .share_of_free = 1}));
  std::vector<std::string> left;
  for (const KnownCopy& copy : known_copies(copies.folder)) left.push_back(copy.trace);
  EXPECT_EQ(left, (std::vector<std::string>{c.string(), a.string()}));
}

TEST(PreparedCopiesTest, OneThatTakesTooMuchIsNotWritten) {
  const Copies copies;
  const fs::path file = copies.files.write("t.json", kCopied);
  const Status made = copies.write(file, {.most_bytes = 100, .share_of_free = 1});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::refused);
  EXPECT_TRUE(fs::is_empty(copies.folder));
}

TEST(PreparedCopiesTest, WhatAKilledWriterLeftGoes) {
  const Copies copies;
  const fs::path file = copies.files.write("t.json", kCopied);
  ASSERT_TRUE(copies.write(file));
  const fs::path copy = known_copies(copies.folder)[0].file;
  fs::rename(copy, copy.string() + ".part-abcdef");
  EXPECT_FALSE(copies.open(file)->prepared);
  ASSERT_TRUE(copies.write(file));
  EXPECT_FALSE(fs::exists(copy.string() + ".part-abcdef"));
  EXPECT_TRUE(copies.open(file)->prepared);
}

TEST(PreparedCopiesTest, WhoeverHasOneOpenGoesOnWithoutIt) {
  const Copies copies;
  const fs::path file = copies.files.write("t.json", kCopied);
  ASSERT_TRUE(copies.write(file));
  const Result<OpenedTrace> trace = copies.open(file);
  ASSERT_TRUE(trace && trace->prepared);
  const std::string before = dump(trace->timeline, trace->source.get());
  fs::remove_all(copies.folder);
  EXPECT_EQ(dump(trace->timeline, trace->source.get()), before);
  EXPECT_FALSE(copies.open(file)->prepared);
  ASSERT_TRUE(copies.write(file));
  EXPECT_TRUE(copies.open(file)->prepared);
}

// Two windows on one trace: whichever comes first writes, and both read meanwhile.
TEST(PreparedCopiesTest, ManyMayReadAndWriteOne) {
  const Copies copies;
  const fs::path file = copies.files.write("t.json", kCopied);
  const std::string right = dump(copies.open(file)->timeline);
  std::atomic<int> wrong{0};
  std::vector<std::thread> windows;
  for (int i = 0; i < 4; ++i) {
    windows.emplace_back([&, i] {
      for (int k = 0; k < 10; ++k) {
        if (i % 2 == 0 && !copies.write(file)) ++wrong;
        const Result<OpenedTrace> trace = copies.open(file);
        if (!trace || dump(trace->timeline) != right) ++wrong;
        if (i == 3 && k == 5) static_cast<void>(remove_copy(known_copies(copies.folder).at(0)));
      }
    });
    // The last of them takes one away, which has to be there.
    if (i == 2) {
      ASSERT_TRUE(copies.write(file));
    }
  }
  for (std::thread& window : windows) window.join();
  EXPECT_EQ(wrong, 0);
}

// A copy used "tomorrow" is one that was used just now, and all goes on.
TEST(PreparedCopiesTest, AClockThatWentBackIsNoTrouble) {
  const Copies copies;
  const fs::path a = copies.files.write("a.json", kCopied);
  const fs::path b = copies.files.write("b.json", kCopied);
  ASSERT_TRUE(copies.write(a));
  const auto now = fs::file_time_type::clock::now();
  fs::last_write_time(known_copies(copies.folder)[0].file, now + std::chrono::hours(24));
  ASSERT_TRUE(copies.write(b));
  EXPECT_TRUE(copies.open(b)->prepared);
  EXPECT_TRUE(copies.open(a)->prepared);
  EXPECT_LT(known_copies(copies.folder)[0].used, now + std::chrono::hours(1));
  // The trace itself is of tomorrow.
  fs::last_write_time(b, now + std::chrono::hours(24));
  EXPECT_FALSE(copies.open(b)->prepared);
  ASSERT_TRUE(copies.write(b));
  EXPECT_TRUE(copies.open(b)->prepared);
}

// What a sanitizer of threads looks at: questions while columns are checked, a tab that closes
// while its copy is written.
TEST(PreparedCopiesTest, QuestionsAndClosingGoOnBesideOpeningAndWriting) {
  Copies copies;
  std::string text = "[";
  for (int i = 0; i < 5000; ++i) {
    text += (i == 0 ? "" : ",") + std::string(R"({"ph":"X","pid":1,"tid":)") +
            std::to_string(i % 4) + R"(,"ts":)" + std::to_string(i * 10) + R"(,"dur":)" +
            std::to_string(i % 9) + R"(,"name":"f)" + std::to_string(i % 20) + "\"}";
  }
  const fs::path file = copies.files.write("t.json", text + "]");
  ASSERT_TRUE(copies.write(file));
  copies.options.snapshots = {.first_after_ms = 0};
  for (int round = 0; round < 5; ++round) {
    auto session = std::make_unique<Session>(
        file.string(), [&](LoadContext& control) { return open_source(file.string(), control); },
        SessionOptions{.load = copies.options});
    std::vector<std::thread> questions;
    while (session->loading()) {
      session->poll();
      if (questions.size() == 8) continue;
      questions.emplace_back([set = session->slices()] { slice_statistics(*set, {}, 2); });
    }
    EXPECT_TRUE(session->prepared());
    questions.emplace_back([set = session->slices(), totals = session->totals()] {
      EXPECT_EQ(slice_statistics(*set, {}, 2, nullptr, {}, totals.get()).call_count, 5000u);
    });
    CopyProgress progress;
    std::thread writer([&, timeline = session->timeline()] {
      static_cast<void>(
          write_prepared_copy(copies.files.path() / "other.csp", timeline, {.key = "k"}, progress));
    });
    session->close();
    session.reset();
    progress.cancelled = round % 2 == 0;
    writer.join();
    for (std::thread& question : questions) question.join();
  }
}

TEST(PreparedCopiesTest, PartsHaveNone) {
  const Copies copies;
  const fs::path file = copies.files.write("t.json", kCopied);
  ASSERT_TRUE(copies.write(file));
  LoadOptions part = copies.options;
  part.keep.to = 1;
  EXPECT_FALSE(open_trace(file.string(), part)->prepared);
}

TEST(PreparedCopiesTest, APackedTraceReopensWithoutBeingUnpacked) {
  const Copies copies;
  const fs::path file = copies.files.write("t.json.gz", gzipped(bytes_of(kCopied)));
  const Result<OpenedTrace> loaded = copies.open(file);
  ASSERT_TRUE(copies.write(file));
  const Result<OpenedTrace> trace = copies.open(file);
  ASSERT_TRUE(trace);
  EXPECT_TRUE(trace->prepared);
  EXPECT_EQ(trace->source->input().unpacked_bytes(), 0u);
  EXPECT_EQ(trace->source->input().size_bytes(), kCopied.size());
  EXPECT_EQ(dump(trace->timeline, trace->source.get()),
            dump(loaded->timeline, loaded->source.get()));
}

TEST(PreparedCopiesTest, WhatIsPackedTwiceHasNone) {
  const Copies copies;
  const auto twice = gzipped(gzipped(bytes_of(kCopied)));
  EXPECT_FALSE(copies.write(copies.files.write("t.json.gz.gz", twice)));
}

}  // namespace
}  // namespace cinderscope
