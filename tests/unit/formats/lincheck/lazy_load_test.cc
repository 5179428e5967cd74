// What is loaded piece by piece is what is loaded at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <thread>
#include <tuple>

#include "tests/support/lincheck_files.h"
#include "tests/support/lincheck_script.h"
#include "tests/support/make_lincheck.h"
#include "tests/support/source_dir.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

// thread, depth, begin, duration, name, record, end record, flags
using Row = std::tuple<std::string, std::uint32_t, std::int64_t, std::int64_t, std::string,
                       RecordOffset, RecordOffset, int>;

// Added to the depth of nested instants, to tell them from slices.
constexpr std::uint32_t kNested = 1u << 20;

class Collector {
 public:
  Collector(LoadedTrace& trace, std::uint64_t piece) : trace_(trace), piece_(piece) {}

  std::vector<Row> all() {
    for (const Thread& thread : trace_.timeline.threads) {
      if (thread.track == kNoTrack) continue;
      thread_ = trace_.timeline.text(thread.tid);
      const SliceBlock& root = trace_.timeline.tracks[index(thread.track)].root();
      add(root.rows, root.deferred, 0);
      add(root.nested_instants, {}, kNested);
    }
    std::ranges::sort(rows_);
    return std::move(rows_);
  }
  std::size_t queries() const { return queries_; }

 private:
  void add(const std::vector<SliceRow>& rows, const std::vector<DeferredChildren>& deferred,
           std::uint32_t depth) {
    for (std::uint32_t row = 0; row < rows.size(); ++row) {
      for (std::uint64_t i = 0; i < rows[row].count(); ++i) {
        const Slice slice = rows[row].slice(i);
        rows_.emplace_back(thread_, depth + row, slice.begin_ns, slice.duration_ns,
                           trace_.timeline.text(slice.name), slice.record, slice.end_record,
                           slice.flags);
      }
    }
    for (const DeferredChildren& entry : deferred) fetch(entry, depth + entry.row + 1);
  }

  void fetch(const DeferredChildren& uncounted, std::uint32_t depth) {
    const DeferredChildren entry = counted(*trace_.source, uncounted, *trace_.timeline.strings);
    const std::uint64_t step = entry.count == 0 ? 0 : piece_;
    std::uint64_t first = 0;
    do {
      ++queries_;
      LoadContext context({.jobs = 1});
      auto children = trace_.source->load_children({entry.source_key, first, step},
                                                   *trace_.timeline.strings, context);
      if (!children) throw std::runtime_error(children.error().text);
      add(children->rows, children->deferred, depth);
      add(children->nested_instants, {}, depth + kNested);
      first += step;
    } while (first < entry.count);
  }

  LoadedTrace& trace_;
  std::uint64_t piece_;
  std::string thread_;
  std::vector<Row> rows_;
  std::size_t queries_ = 0;
};

LoadedTrace load(const std::filesystem::path& path, LoadOptions options) {
  auto input = Input::from_path(path);
  if (!input) throw std::runtime_error(input.error().text);
  return load_trace(lincheck_format(), std::move(*input), options);
}

void expect_equal(const std::filesystem::path& path, std::uint64_t window_bytes,
                  std::size_t least_queries) {
  LoadedTrace eager = load(path, {.jobs = 1});
  LoadedTrace lazy = load(path, {.jobs = 1, .window_bytes = window_bytes, .lazy_above_bytes = 0});
  const std::vector<Row> expected = Collector(eager, 0).all();
  Collector collector(lazy, 7);
  const std::vector<Row> rows = collector.all();
  ASSERT_EQ(rows.size(), expected.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ASSERT_TRUE(rows[i] == expected[i])
        << i << ": " << std::get<4>(rows[i]) << " at " << std::get<2>(rows[i]) << " +"
        << std::get<3>(rows[i]) << ", not " << std::get<4>(expected[i]) << " at "
        << std::get<2>(expected[i]) << " +" << std::get<3>(expected[i]);
  }
  EXPECT_GE(collector.queries(), least_queries);
}

class LincheckLazyTest : public testing::Test {
 protected:
  std::filesystem::path copy(const std::string& name, bool with_index) {
    const auto trace = folder_.path() / (name + (with_index ? ".trace" : "-bare.trace"));
    write_bytes(trace, read_file(lincheck_case(name, "input.trace")));
    if (with_index) {
      write_bytes(trace.string() + ".idx", read_file(lincheck_case(name, "index.idx")));
    }
    return trace;
  }
  std::filesystem::path made(const LincheckShape& shape) {
    std::vector<std::byte> data, index;
    const auto into = [](std::vector<std::byte>& to) {
      return [&to](std::span<const std::byte> bytes) {
        to.insert(to.end(), bytes.begin(), bytes.end());
      };
    };
    make_lincheck(shape, into(data), into(index));
    const auto trace = folder_.path() / "made.trace";
    write_bytes(trace, data);
    write_bytes(trace.string() + ".idx", index);
    return trace;
  }

  TempDir folder_;
};

TEST_F(LincheckLazyTest, PiecesMakeUpTheWholeByTheIndexOfTheFile) {
  for (const std::string name :
       {"tiny_stream", "tiny_dump", "recorded_stream", "recorded_dump", "v8", "v13", "v19"}) {
    SCOPED_TRACE(name);
    expect_equal(copy(name, true), 64, 3);
  }
}

TEST_F(LincheckLazyTest, PiecesMakeUpTheWholeByARebuiltIndex) {
  for (const std::string name : {"tiny_stream", "tiny_dump", "recorded_stream", "crashed"}) {
    SCOPED_TRACE(name);
    expect_equal(copy(name, false), 64, 3);
  }
}

TEST_F(LincheckLazyTest, PiecesMakeUpTheWholeOfDataThatEndInsideCalls) {
  expect_equal(copy("cut_in_a_block", false), 64, 3);
}

TEST_F(LincheckLazyTest, PiecesMakeUpTheWholeWhereBlocksSplitCalls) {
  expect_equal(made({.calls = 5000, .block_bytes = 300}), 64, 100);
  expect_equal(made({.calls = 5000, .block_bytes = 5000}), 64 * 500, 10);
}

TEST_F(LincheckLazyTest, PiecesHoldTheTracePointsInsideLargeCallsWithoutCalls) {
  LincheckScript s;
  s.call(s.method("app.A", "run"));
  s.call(s.method("app.A", "fill"));
  const std::int32_t x = s.variable("x");
  for (int i = 0; i < 50; ++i) s.write_variable(x);
  s.end_call();
  s.write_variable(x);
  s.end_call();
  s.write_variable(x);
  const auto trace = folder_.path() / "points.trace";
  write_bytes(trace, s.finish());
  expect_equal(trace, 64, 2);
  const LoadedTrace lazy = load(trace, {.jobs = 1, .window_bytes = 64, .lazy_above_bytes = 0});
  EXPECT_EQ(lazy.timeline.tracks[0].instants.count(), 1u);
  EXPECT_EQ(lazy.timeline.slice_count, 1u);
}

TEST_F(LincheckLazyTest, AStreamIsReadPieceByPieceOnceItIsThere) {
  const auto packed = gzipped(read_file(lincheck_case("recorded_stream", "input.trace")));
  const LoadedTrace eager =
      load_trace(lincheck_format(), Input::from_memory("unknown", packed), {.jobs = 1});
  const LoadedTrace lazy = load_trace(lincheck_format(), Input::from_memory("unknown", packed),
                                      {.jobs = 1, .window_bytes = 64, .lazy_above_bytes = 100});
  EXPECT_TRUE(has_calls_on_disk(lazy.timeline));
  EXPECT_LT(lazy.timeline.slice_count, eager.timeline.slice_count);
}

TEST_F(LincheckLazyTest, TwoTracesAreReadSideBySide) {
  const auto path = made({.calls = 2000, .block_bytes = 900});
  const LoadOptions lazily{.jobs = 1, .window_bytes = 64, .lazy_above_bytes = 0};
  LoadedTrace one = load(path, lazily), two = load(path, lazily);
  const std::vector<Row> expected = Collector(one, 7).all();
  std::vector<Row> first, second;
  std::thread other([&] { second = Collector(two, 5).all(); });
  first = Collector(one, 3).all();
  other.join();
  EXPECT_EQ(first, expected);
  EXPECT_EQ(second, expected);
}

TEST_F(LincheckLazyTest, TheMadeIndexIsWhatTheRecorderWouldWrite) {
  const LoadedTrace trace = load(made({.calls = 3000, .block_bytes = 700}), {.jobs = 1});
  EXPECT_EQ(trace.timeline.slice_count, 3000u);
  EXPECT_TRUE(trace.timeline.diagnostics.by_code().empty());
}

TEST_F(LincheckLazyTest, PiecesOfEverySampleMakeUpTheWhole) {
  const std::filesystem::path samples = test::source_dir() + "/../shared/traces/lincheck";
  if (!std::filesystem::is_directory(samples)) GTEST_SKIP() << "no samples";
  for (const auto& entry : std::filesystem::directory_iterator(samples)) {
    const std::filesystem::path path = entry.path();
    if (path.extension() != ".trace" && path.extension() != ".packedtrace") continue;
    SCOPED_TRACE(path.filename());
    try {
      load(path, {.jobs = 1});
    } catch (const std::runtime_error&) {  // it is no trace for either of the two
      EXPECT_THROW(load(path, {.jobs = 1, .lazy_above_bytes = 0}), std::runtime_error);
      continue;
    }
    expect_equal(path, 64, 1);
    expect_equal(path, std::uint64_t{64} << 10, 0);
  }
}

// Their numbers repeat block by block, so that a cell of one looks like one of the other.
TEST_F(LincheckLazyTest, PiecesMakeUpTheWholeWhereThreadsAreAlike) {
  expect_equal(made({.calls = 4000, .threads = 2, .block_bytes = 2000, .seed_step = 0}), 64, 100);
  expect_equal(made({.calls = 40'000, .threads = 4, .block_bytes = 200'000, .seed_step = 0}), 64,
               100);
}

TEST_F(LincheckLazyTest, APieceIsTheSameWhicheverWasReadBefore) {
  const auto path = made({.calls = 5000, .block_bytes = 3000});
  const auto first_children = [&](bool backwards) {
    LoadedTrace trace = load(path, {.jobs = 1, .window_bytes = 64, .lazy_above_bytes = 0});
    StringPool& names = *trace.timeline.strings;
    const DeferredChildren parent =
        counted(*trace.source, trace.timeline.tracks[0].root().deferred.at(0), names);
    EXPECT_GT(parent.count, 20u);
    std::map<std::uint64_t, std::vector<RecordOffset>> pieces;
    for (std::uint64_t i = 0; i < parent.count; i += 3) {
      const std::uint64_t first = backwards ? (parent.count - 1) / 3 * 3 - i : i;
      LoadContext context({.jobs = 1});
      const auto children =
          trace.source->load_children({parent.source_key, first, 3}, names, context);
      if (!children) throw std::runtime_error(children.error().text);
      for (const auto* rows : {&children->rows, &children->nested_instants}) {
        for (const SliceRow& row : *rows) {
          for (std::uint64_t k = 0; k < row.count(); ++k) {
            pieces[first].push_back(row.slice(k).record);
          }
        }
      }
    }
    return pieces;
  };
  EXPECT_EQ(first_children(true), first_children(false));
}

TEST_F(LincheckLazyTest, AWrongCellInsideIsToldWithTheFirstChildrenAndTheIndexMadeAnew) {
  const auto path = made({.calls = 5000, .block_bytes = 3000});
  LoadedTrace eager = load(path, {.jobs = 1});
  const std::string index_path = path.string() + ".idx";
  auto index = read_file(index_path);
  index[16 + index.size() / 21 / 2 * 21] = std::byte{77};  // the kind of a cell in the middle
  write_bytes(index_path, index);
  LoadedTrace lazy = load(path, {.jobs = 1, .window_bytes = 64, .lazy_above_bytes = 0});
  EXPECT_EQ(lazy.timeline.threads.size(), eager.timeline.threads.size());
  const DeferredChildren parent = lazy.timeline.tracks[0].root().deferred.at(0);
  LoadContext context({.jobs = 1});
  const auto answer = lazy.source->load_children(
      {.source_key = parent.source_key, .only_count = true}, *lazy.timeline.strings, context);
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->diagnostics.by_code().contains("index_damaged"));
  EXPECT_TRUE(lazy.source->index_file()->is_wanted());
  EXPECT_EQ(Collector(lazy, 7).all(), Collector(eager, 0).all());
}

TEST_F(LincheckLazyTest, AnIndexThatIsWrongInsideStillGivesEveryCall) {
  const auto trace = copy("tiny_stream", true);
  const LoadedTrace eager = load(trace, {.jobs = 1});
  auto index = read_file(lincheck_case("tiny_stream", "index.idx"));
  for (std::size_t i = 0; i < index.size(); ++i) {
    index[i] ^= std::byte{0x11};
    write_bytes(trace.string() + ".idx", index);
    index[i] ^= std::byte{0x11};
    LoadedTrace lazy = load(trace, {.jobs = 1, .window_bytes = 64, .lazy_above_bytes = 0});
    EXPECT_NO_THROW(Collector(lazy, 2).all()) << "byte " << i;
  }
}

}  // namespace
}  // namespace cinderscope
