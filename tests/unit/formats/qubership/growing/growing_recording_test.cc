// A recording that is read on while it grows is what it would be if it was read whole.
#include "formats/qubership/growing/growing_recording.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "formats/all_formats.h"
#include "tests/support/dump.h"
#include "tests/support/load.h"
#include "tests/support/open_input.h"
#include "tests/support/qubership_agent.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

using qubership::GrowingRecording;

std::string whole(const std::filesystem::path& folder, const LoadOptions& options = {}) {
  const LoadedTrace trace = load_trace(*format_named("qubership"), opened(folder), options);
  return dump(trace.timeline, trace.source.get());
}

class Reader {
 public:
  explicit Reader(std::filesystem::path folder, LoadOptions options = {})
      : folder_(std::move(folder)), options_(std::move(options)) {
    options_.reads_on = true;
    trace_ = load_trace(*format_named("qubership"), opened(folder_), options_);
  }
  // False if it had to be opened anew.
  bool read_on() {
    std::unique_ptr<TraceSource> next = trace_.source->read_on();
    if (next == nullptr) {
      trace_ = load_trace(*format_named("qubership"), opened(folder_), options_);
      return false;
    }
    LoadContext context(options_);
    Result<Timeline> timeline = read_timeline(*next, context);
    if (!timeline) throw std::runtime_error(timeline.error().text);
    trace_ = {std::move(next), std::move(*timeline)};
    return true;
  }
  std::string text() const { return dump(trace_.timeline, trace_.source.get()); }
  const LoadedTrace& trace() const { return trace_; }

 private:
  std::filesystem::path folder_;
  LoadOptions options_;
  LoadedTrace trace_;
};

TEST(GrowingRecordingTest, IsTheSameAsReadWholeWhereverItIsCut) {
  using Packing = QubershipAgent::Packing;
  for (const Packing packing : {Packing::plain, Packing::members, Packing::flushed}) {
    for (std::uint64_t seed = 1; seed <= 25; ++seed) {
      SCOPED_TRACE(testing::Message() << "packing " << int(packing) << ", seed " << seed);
      std::mt19937_64 random(seed);
      const TempDir folder;
      QubershipAgent agent(seed, packing);
      agent.run(20 + random() % 100);
      agent.write(folder.path(), true);
      Reader reader(folder.path());
      ASSERT_EQ(reader.text(), whole(folder.path()));
      for (int growth = 0; growth < 8; ++growth) {
        agent.run(random() % 120);
        agent.write(folder.path(), random() % 4 != 0);
        ASSERT_TRUE(reader.read_on());
        ASSERT_EQ(reader.text(), whole(folder.path())) << "growth " << growth;
      }
    }
  }
}

TEST(GrowingRecordingTest, KeepsToTheFilterOfItsLoad) {
  const LoadOptions part{.keep = {.from = 1'700'000'000'100'000'000, .threads = {"10", "11"}}};
  const TempDir folder;
  QubershipAgent agent(7, QubershipAgent::Packing::members);
  agent.run(200);
  agent.write(folder.path(), true);
  Reader reader(folder.path(), part);
  agent.run(200);
  agent.write(folder.path(), true);
  ASSERT_TRUE(reader.read_on());
  EXPECT_EQ(reader.text(), whole(folder.path(), part));
}

// Records stay, so that a selection is found again; so do those of the source before.
TEST(GrowingRecordingTest, ASliceKeepsItsRecord) {
  const TempDir folder;
  QubershipAgent agent(3, QubershipAgent::Packing::flushed);
  agent.run(300);
  agent.write(folder.path(), false);
  Reader reader(folder.path());
  const auto first = [&] {
    return slice_at(reader.trace().timeline, {TrackId{0}, BlockId{0}, 0, 0});
  };
  const RecordOffset record = first().record;
  const std::string said = reader.trace().source->describe(record, kNoRecord).args.raw;
  EXPECT_NE(said, "");
  agent.run(300);
  agent.write(folder.path(), false);
  ASSERT_TRUE(reader.read_on());
  EXPECT_EQ(first().record, record);
  EXPECT_EQ(reader.trace().source->describe(record, kNoRecord).args.raw, said);
}

// What has happened to files that are not written at their ends alone is found by reading whole.
TEST(GrowingRecordingTest, FilesThatWerePrunedOrWrittenAnewAreReadWhole) {
  const TempDir folder;
  QubershipAgent agent(5, QubershipAgent::Packing::members);
  agent.run(600);
  agent.write(folder.path(), false);
  Reader reader(folder.path());
  std::filesystem::remove(folder.path() / "trace/000001.gz");
  reader.read_on();
  EXPECT_EQ(reader.text(), whole(folder.path()));

  const std::vector<std::byte> words = gzipped(bytes_of(std::string("\0\5\0o\0t\0h\0e\0r", 12)));
  folder.write("dictionary/000001.gz", words);
  reader.read_on();
  EXPECT_EQ(reader.text(), whole(folder.path()));

  std::ofstream(folder.path() / "trace/000002.gz", std::ios::app) << "and more";
  reader.read_on();
  EXPECT_EQ(reader.text(), whole(folder.path()));
}

class GrowingFilesTest : public testing::Test {
 protected:
  bool create() {
    const qubership::FoundFiles found = qubership::find_files(opened(folder_.path()));
    growing_ = GrowingRecording::create(found, disk_share_, {});
    if (growing_ == nullptr) return false;
    growing_->begin(growing_->builder().process("1"));
    for (const qubership::FoundFile& file : found.files) {
      const auto packed = read_file((folder_.path() / file.name).string());
      const Input input = Input::from_memory(file.file, packed);
      const Result<Pin> bytes = input.pin_all();
      growing_->take(found, file, bytes->bytes(), packed.size(), input.damage(), go_on_);
    }
    return true;
  }
  bool read_on() {
    return growing_->read_on(qubership::find_files(opened(folder_.path())), go_on_);
  }

  // Of statements, which nothing uses.
  void write_sql(int index, std::size_t bytes) {
    std::filesystem::create_directories(folder_.path() / "sql");
    folder_.write(fmt::format("sql/{:06}.gz", index), std::string(bytes, 'a'));
  }

  TempDir folder_;
  double disk_share_ = kUsualDiskShare;
  qubership::GoOn go_on_ = [] { return true; };
  std::unique_ptr<GrowingRecording> growing_;
};

TEST_F(GrowingFilesTest, OnlyWhatHasComeIsRead) {
  QubershipAgent agent(11, QubershipAgent::Packing::plain);
  agent.run(400);
  agent.write(folder_.path(), false);
  ASSERT_TRUE(create());
  EXPECT_TRUE(read_on());  // nothing has come
  agent.run(3);
  agent.write(folder_.path(), false);
  EXPECT_TRUE(read_on());
  // Long ago and in the middle: nothing there is looked at again.
  std::fstream(folder_.path() / "trace/000001.gz", std::ios::in | std::ios::out | std::ios::binary)
      .seekp(700)
      .put('x');
  agent.run(3);
  agent.write(folder_.path(), false);
  EXPECT_TRUE(read_on());
}

TEST_F(GrowingFilesTest, WhatFollowsADamagedBlockIsTakenOnce) {
  QubershipAgent agent(13, QubershipAgent::Packing::plain, 1u << 20);
  agent.run(400);
  agent.write(folder_.path(), false);
  const std::string path = (folder_.path() / "trace/000001.gz").string();
  const auto put = [&](std::size_t at, char c) {
    std::fstream(path, std::ios::in | std::ios::out | std::ios::binary)
        .seekp(static_cast<std::streamoff>(at))
        .put(c);
  };
  const auto is_damaged = [&] {
    const LoadedTrace trace = load_trace(*format_named("qubership"), opened(folder_.path()));
    return trace.timeline.diagnostics.by_code().contains(diagnostic::kDataDamaged.code);
  };
  const auto before = read_file(path);
  bool damaged = false;
  for (std::size_t at = 40; at < 400 && !damaged; ++at) {
    put(at, '\x70');
    damaged = is_damaged();
    if (!damaged) put(at, static_cast<char>(before[at]));
  }
  ASSERT_TRUE(damaged);
  ASSERT_TRUE(create());
  EXPECT_GT(growing_->recording().blocks.size(), 20u);  // nearly all of them
  // Damage may name words that come later: then all is read again.
  Reader reader(folder_.path());
  for (int growth = 0; growth < 8; ++growth) {
    agent.run(30);
    agent.write(folder_.path(), growth % 2 == 0);
    reader.read_on();
    ASSERT_EQ(reader.text(), whole(folder_.path())) << "growth " << growth;
  }
}

TEST_F(GrowingFilesTest, OtherFilesAreNoneThatGrew) {
  QubershipAgent agent(12, QubershipAgent::Packing::plain);
  agent.run(400);
  agent.write(folder_.path(), false);
  ASSERT_TRUE(create());
  folder_.write("suspend/000001.gz", std::string(4000, 'x'));  // longer, and nothing as it was
  EXPECT_FALSE(read_on());
}

TEST_F(GrowingFilesTest, LittleIsKeptOfFilesThatRolledOver) {
  write_sql(1, 100);
  ASSERT_TRUE(create());
  for (int i = 2; i <= 40; ++i) {
    write_sql(i, 100);
    ASSERT_TRUE(read_on());
  }
  EXPECT_LT(growing_->kept_bytes(), std::uint64_t{4} << 20);
}

// Only a whole load tells that the disk is full.
TEST_F(GrowingFilesTest, WhatDidNotFitOnTheDiskIsNotReadOn) {
  disk_share_ = 1e-9;
  write_sql(1, std::size_t{65} << 20);
  ASSERT_TRUE(create());
  std::ofstream(folder_.path() / "sql/000001.gz", std::ios::app) << "and more";
  EXPECT_FALSE(read_on());
}

TEST_F(GrowingFilesTest, CopiesOfCallsDoNotGrowOneAfterTheOther) {
  folder_.write("a", std::string_view());
  std::filesystem::create_directories(folder_.path() / "calls[60m+]");
  folder_.write("calls[60m+]/000001.gz", std::string(100, '\0'));
  EXPECT_FALSE(create());
}

}  // namespace
}  // namespace cinderscope
