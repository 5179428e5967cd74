// The walk over one track: slices, instants and points of flows by time, children on disk included.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ingest/format/trace_source.h"
#include "ingest/model/call_walk.h"
#include "ingest/part/overlap_rows.h"
#include "ingest/part/part_reader.h"

namespace cinderscope {

struct PartReader::Walk {
  Walk(PartReader& of, const PartTrack& what, PartVisitor& to, const PartPiece& piece = {});

  Result<bool> run();
  Result<bool> run(const PartPiece& piece);

 private:
  // Instants of one row, of which the next one waits for its turn.
  struct Marks {
    const SliceRow* row;
    std::uint64_t next, end;
  };
  // One piece of the children of a slice, in order.
  struct Item {
    std::int64_t time_ns;
    std::uint32_t row;
    bool is_mark;
    std::uint64_t slice;
    auto operator<=>(const Item&) const = default;
  };
  struct Frame {
    ChildQuery query;        // of the piece that comes next
    std::uint64_t left = 0;  // children that are not read yet
    bool all_at_once = false;
    LoadedChildren piece;
    std::vector<Item> items;
    std::size_t next = 0;
  };

  void take(const Slice& slice);
  bool describe(const Slice& slice, PartSlice& out);
  Result<bool> finish();
  std::uint64_t number_of(std::uint32_t row, std::uint64_t slice) const;
  void take_marks(std::int64_t before_ns);
  void take_points(std::int64_t before_ns);
  void hand_out(const Slice& mark);
  void read_children(const DeferredChildren& children);
  bool next_piece(Frame& frame);
  const DeferredChildren* children_of(const std::vector<DeferredChildren>& deferred,
                                      std::uint32_t row, std::uint64_t slice) const;
  bool overlaps_range(const Slice& slice) const;
  bool is_too_deep(const Slice& slice) const;
  bool cut(const Slice& slice, PartSlice& out);
  std::uint64_t group_of(const Slice& slice, bool may_be_new);
  bool stopped() const;

  PartReader& reader_;
  const PartTrack& part_;
  PartVisitor& visitor_;
  const PartOptions& options_;
  Scope scope_;
  TrackSlices slices_;
  std::vector<Marks> marks_;
  std::span<const Point> points_;
  Containers<char> original_, written_;
  OverlapRows rows_;
  std::unordered_map<std::string, std::uint64_t> groups_;
  std::uint64_t group_count_ = 0;
  std::optional<Error> error_;
};

}  // namespace cinderscope
