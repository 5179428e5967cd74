// Loads the outer levels of a trace, and what lies inside them when it is asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "formats/lincheck/cell_tree.h"
#include "formats/lincheck/lookup.h"
#include "formats/lincheck/point_names.h"
#include "ingest/format.h"

namespace cinderscope::lincheck {

// All calls come from the loader thread. Containers whose bytes are few are loaded whole with the
// one they lie in; larger ones stay on disk. Trace points that contain nothing are loaded with what
// they lie in.
class LazyLoad {
 public:
  // `whole_bytes`: containers up to this length are not left on disk.
  LazyLoad(const Lookup& lookup, std::vector<ThreadCells> cells, std::uint64_t whole_bytes);

  // False if cancelled.
  bool load_outer(TimelineBuilder& out, LoadControl& control);
  Result<LoadedChildren> load_children(const ChildQuery& query, StringPool& pool,
                                       LoadControl& control);
  // After load_outer(); any thread.
  const PointNames& names() const { return *names_; }

 private:
  class Level;

  // A container that stayed on disk; a source key is an index into these.
  struct Deferred {
    std::uint32_t thread = 0;
    PointClass point = PointClass::call;
    std::uint64_t ordinal = 0;
    std::int64_t begin = 0, end = 0;  // event numbers
  };
  // Of the container asked for last, since its parts are asked for one by one.
  struct Children {
    std::uint64_t key = UINT64_MAX;
    std::vector<std::uint64_t> ordinals;
    // Logical offsets from which a child can be read, by its number; that of 0 is always there.
    std::map<std::uint64_t, std::uint64_t> places;
  };
  void look_into(std::uint64_t key);
  // The number of the last event inside a complete container.
  std::int64_t latest_inside(std::uint32_t thread, std::uint64_t ordinal, std::int64_t clock) const;
  std::uint64_t key_of(const Deferred& container);

  const Lookup& lookup_;
  std::vector<ThreadCells> cells_;
  std::uint64_t whole_bytes_;
  std::unique_ptr<PointNames> names_;
  // Of another pool: where files share a timeline, children get names of that of all.
  std::unique_ptr<PointNames> shared_names_;
  std::vector<Deferred> deferred_;
  std::unordered_map<std::uint64_t, std::uint64_t> key_of_place_;  // thread and ordinal
  Children children_;
};

}  // namespace cinderscope::lincheck
