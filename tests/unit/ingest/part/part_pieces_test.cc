#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "ingest/build/timeline_builder.h"
#include "ingest/part/nested_slices.h"
#include "ingest/part/ordered_pieces.h"
#include "ingest/part/part_reader.h"

namespace cinderscope {
namespace {

// All that a writer of begins and ends gets, and the end of what is open as a piece ends.
class Events final : public PartVisitor {
 public:
  void open(const PartSlice& slice) override { nested_.reopen(slice); }
  void slice(const PartSlice& slice) override { nested_.add(slice, {}); }
  void instant(const PartInstant& instant) override {
    nested_.close_before(instant.time_ns);
    lines.push_back(fmt::format("i {} {}", instant.name, instant.time_ns));
  }
  void finish(const PartPiece& piece, std::int64_t shift_ns) {
    if (piece.is_last()) {
      nested_.finish();
    } else {
      nested_.close_before(piece.to_ns - shift_ns);
    }
  }
  void begin(const PartSlice& slice, const RecordText&) {
    lines.push_back(fmt::format("{} {} {}..{} depth {}{}{}", slice.name, slice.record,
                                slice.begin_ns, slice.end_ns, slice.depth,
                                slice.unfinished ? " open" : "", slice.is_cut() ? " cut" : ""));
  }
  void end(std::int64_t time) { lines.push_back(fmt::format("end {}", time)); }

  std::vector<std::string> lines;

 private:
  LossReport losses_;
  NestedSlices<Events> nested_{*this, losses_};
};

// Calls of random lengths, many of none, which begin and end at the same times as others do.
Timeline random_calls(unsigned seed, bool stays_open) {
  std::mt19937 random(seed);
  const auto up_to = [&](unsigned most) {
    return static_cast<std::int64_t>(random() % (most + 1));
  };
  TimelineBuilder out;
  const ThreadId thread = out.thread(out.process("1"), "2");
  TrackWriter& slices = out.slices(thread);
  std::int64_t time_ns = 1000;
  RecordOffset record = 0;
  int depth = 0;
  for (int i = 0; i < 400; ++i) {
    time_ns += up_to(3) == 0 ? 0 : up_to(4);
    if (up_to(4) == 0) out.instant(thread, time_ns, out.intern("tick"), record++);
    if (depth == 0 || (depth < 6 && up_to(1) == 0)) {
      slices.begin(time_ns, out.intern(fmt::format("f{}", up_to(5))), record++);
      ++depth;
    } else {
      slices.end(time_ns, kNoName, record++);
      --depth;
    }
  }
  while (!stays_open && depth-- > 0) slices.end(++time_ns, kNoName, record++);
  return out.finish();
}

std::vector<std::string> in_one_walk(PartReader& part) {
  Events all;
  for (const PartTrack& track : part.tracks()) {
    PartPiece whole;
    whole.track = &track;
    EXPECT_TRUE(part.read(track, all));
    all.finish(whole, part.shift_ns());
  }
  return all.lines;
}

std::vector<std::string> in_pieces(PartReader& part, std::uint64_t slices, std::size_t& count) {
  std::vector<std::string> lines;
  for (const PartTrack& track : part.tracks()) {
    std::uint64_t number = 0;
    for (const PartPiece& piece : part.pieces_of(track, slices)) {
      Events events;
      EXPECT_EQ(piece.first_number, number);
      number += piece.slices;
      EXPECT_TRUE(part.read(piece, events));
      events.finish(piece, part.shift_ns());
      lines.insert(lines.end(), events.lines.begin(), events.lines.end());
      ++count;
    }
  }
  return lines;
}

TEST(PartPiecesTest, TogetherTheyAreTheTrack) {
  std::size_t pieces = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Timeline timeline = random_calls(seed, seed % 2 == 0);
    const std::int64_t begin = timeline.begin_ns, end = timeline.end_ns;
    for (const PartOptions& options :
         {PartOptions{}, PartOptions{.zero = true}, PartOptions{.depth = 2},
          PartOptions{.min_duration = 3}, PartOptions{.from = begin + 100, .to = end - 100},
          PartOptions{.from = begin + 100, .to = end - 100, .edges = RangeEdges::drop},
          PartOptions{.from = begin + 100, .to = end - 100, .edges = RangeEdges::whole}}) {
      LoadContext context;
      PartReader part(timeline, nullptr, options, context);
      ASSERT_TRUE(part.reads_apart());
      const std::vector<std::string> whole = in_one_walk(part);
      for (const std::uint64_t slices : {1u, 7u, 50u}) {
        ASSERT_EQ(in_pieces(part, slices, pieces), whole) << "seed " << seed;
      }
    }
  }
  EXPECT_GT(pieces, 60u * 7 * 20);  // there is something to put together
}

TEST(PartPiecesTest, TracksThatCannotBeCutAreOnePiece) {
  TimelineBuilder out;
  TrackWriter& slices = out.slices(out.thread(out.process("1"), "2"));
  for (unsigned i = 0; i < 20; ++i) slices.complete(i * 5, 10, out.intern("a"), i);
  const Timeline timeline = out.finish();
  LoadContext context;
  PartReader part(timeline, nullptr, {}, context);
  const std::vector<PartPiece> pieces = part.pieces_of(part.tracks().front(), 1);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_FALSE(pieces[0].can_be_apart);
}

struct Number {
  std::vector<std::size_t> numbers;
  void clear() { numbers.clear(); }
};

TEST(OrderedPiecesTest, AreUsedInOrderWholeOrInParts) {
  for (const unsigned jobs : {1u, 2u, 8u}) {
    std::vector<std::size_t> used;
    std::size_t whole_pieces = 0;
    OrderedPieces<Number> pieces(
        100, jobs,
        [](std::size_t i, Number& piece, const std::function<bool()>& pass_on) {
          piece.numbers.push_back(2 * i);
          if (i % 3 == 0) {
            EXPECT_TRUE(pass_on());
          }
          piece.numbers.push_back(2 * i + 1);
        },
        [&](std::size_t, Number& piece, bool whole) {
          used.insert(used.end(), piece.numbers.begin(), piece.numbers.end());
          piece.numbers.clear();
          whole_pieces += whole ? 1 : 0;
          return true;
        });
    EXPECT_TRUE(pieces.run());
    EXPECT_EQ(whole_pieces, 100u);
    ASSERT_EQ(used.size(), 200u);
    EXPECT_TRUE(std::ranges::is_sorted(used));
  }
}

TEST(OrderedPiecesTest, EndsWhereNoMoreIsWantedAndThrowsWhatIsThrown) {
  for (const unsigned jobs : {1u, 4u}) {
    std::size_t used = 0;
    const auto make = [](std::size_t, Number&, const std::function<bool()>& pass_on) { pass_on(); };
    OrderedPieces<Number> few(1000, jobs, make,
                              [&used](std::size_t i, Number&, bool) { return ++used, i < 5; });
    EXPECT_FALSE(few.run());
    EXPECT_EQ(used, 11u);
    OrderedPieces<Number> bad(1000, jobs, make, [](std::size_t i, Number&, bool) -> bool {
      if (i == 7) throw std::runtime_error("full");
      return true;
    });
    EXPECT_THROW(bad.run(), std::runtime_error);
  }
}

}  // namespace
}  // namespace cinderscope
