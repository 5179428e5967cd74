// Loads the outer levels of a trace, and what lies inside them when it is asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "formats/lincheck/index/cell_tree.h"
#include "formats/lincheck/lookup.h"
#include "formats/lincheck/text/point_names.h"
#include "ingest/format/trace_source.h"

namespace cinderscope::lincheck {

// All calls come from the loader thread. Containers whose bytes are few are loaded whole with the
// one they lie in; larger ones stay on disk. Trace points that contain nothing are loaded with what
// they lie in.
class LazyLoad {
 public:
  // `whole_bytes`: containers up to this length are not left on disk.
  LazyLoad(const Lookup& lookup, std::vector<ThreadCells> cells, std::uint64_t whole_bytes);

  enum class Outer : std::uint8_t {
    loaded,
    cancelled,
    needs_all,  // nothing was given to `out`
  };
  // `is_outline`: of the objects that names come from only some are known. Should any other be
  // needed, this ends with needs_all; else the rest comes with take_all() before any children.
  Outer load_outer(TimelineBuilder& out, LoadContext& context, bool is_outline);
  // In place of what it was made with. Containers that the cells do not have are not read any more.
  void take_all(const Lookup& lookup, std::vector<ThreadCells> cells);
  Result<LoadedChildren> load_children(const ChildQuery& query, StringPool& pool,
                                       LoadContext& context);

 private:
  class Level;
  static constexpr int kOrdinalBits = 40;

  // A container that stayed on disk; a source key is an index into these.
  struct Deferred {
    std::uint32_t thread = 0;
    PointClass point = PointClass::call;
    std::uint64_t ordinal = 0;
    std::int64_t begin = 0, end = 0;  // event numbers
    bool is_lost = false;
  };
  // Of the container asked for last, since its parts are asked for one by one.
  struct Children {
    std::uint64_t key = UINT64_MAX;
    std::vector<std::uint64_t> ordinals;
    std::uint64_t left_bytes = 0;  // of those among them that stay on disk
    // Logical offsets from which a child can be read, by its number; that of 0 is always there, the
    // others are where an earlier piece ended.
    std::map<std::uint64_t, std::uint64_t> places;
  };
  void look_into(std::uint64_t key);
  // A child from which the one with the number `first` can be reached, and where it begins: soon if
  // the cells may tell.
  struct Place {
    std::uint64_t child = 0, logical = 0;
    bool is_by_cell = false;
  };
  Place place_before(const Deferred& parent, std::uint64_t first, bool by_cells) const;
  std::int64_t clock_at(const Deferred& parent, std::uint64_t first) const;
  LoadedChildren count_children(std::uint64_t key) const;  // once it was looked into
  // The number of the last event inside a complete container.
  std::int64_t latest_inside(std::uint32_t thread, std::uint64_t ordinal, std::int64_t clock) const;
  std::uint64_t key_of(const Deferred& container);
  // The pool is another one once files share a timeline, and whenever that is renamed.
  const PointNames& names_in(StringPool& pool);

  const Lookup* lookup_;
  std::vector<ThreadCells> cells_;
  std::uint64_t whole_bytes_;
  std::unique_ptr<PointNames> names_;  // in the pool of that serial number
  std::uint64_t named_in_ = 0;
  std::vector<Deferred> deferred_;
  std::unordered_map<std::uint64_t, std::uint64_t> key_of_place_;  // thread and ordinal
  Children children_;
};

}  // namespace cinderscope::lincheck
