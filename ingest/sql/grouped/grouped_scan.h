// Goes through the slices that a grouping asks for, on all cores.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/search/name_mask.h"
#include "ingest/sql/grouped/grouped_filter.h"
#include "ingest/sql/grouped/grouped_query.h"
#include "ingest/sql/query_data.h"
#include "ingest/totals/scoped_slices.h"

namespace cinderscope {

struct FinishedCall;

const TrackSlices& track_slices(const QueryData& data, const NumberedRow& row);

// Where a group's keys are found: those that are the same along a row, and those of a name.
struct GroupPlace {
  std::uint32_t row_keys = 0, name_keys = 0;
  bool operator==(const GroupPlace&) const = default;
};

// Some slices that the conditions hold for, as columns; only those that were asked for are filled.
struct ScannedSlices {
  std::uint32_t row_keys = 0;  // of all of them
  std::span<const std::uint32_t> name_keys;
  std::array<std::span<const std::int64_t>, kMeasures> measures;
  std::size_t count = 0;
};

class GroupedScan {
 public:
  // On the thread of the run; the scan itself is not bound to it. `with` says which measures are
  // wanted.
  GroupedScan(const QueryData& data, const GroupedQuery& query, const GroupedFilter& filter,
              const std::array<bool, kMeasures>& with);

  // Number of different name_keys.
  std::size_t name_key_count() const { return name_values_.size(); }
  // A key of the groups at a place; texts stay as long as the database.
  QueryCell value(std::size_t key, GroupPlace place) const;
  // Calls `visit(worker, slices)` from `jobs` threads.
  using Visit = std::function<void(std::size_t worker, const ScannedSlices& slices)>;
  void run(unsigned jobs, const std::atomic<bool>& stop, const Visit& visit) const;

 private:
  struct ScannedRow {
    const NumberedRow* row = nullptr;
    std::uint32_t row_keys = 0;
    std::uint64_t first = 0, last = 0;
  };
  // A track whose slices partly overlap, so that depth or self time are known by a walk alone.
  struct WalkedTrack {
    std::uint32_t input = 0;
    const TrackSlices* slices = nullptr;
    std::vector<std::uint32_t> row_keys;  // by depth; one where depth is no key
  };
  struct Buffers;
  static constexpr std::uint32_t kNotHeld = UINT32_MAX;  // a name that the conditions leave out

  void find_names();
  void find_rows();
  bool track_holds(const NumberedRow& row) const;
  std::uint32_t row_keys_of(const NumberedRow& row, std::uint32_t depth);
  void count_piece(const ScannedRow& row, const SliceSpan& piece,
                   const std::function<void(const ScannedSlices&)>& visit) const;
  void scan_piece(const ScannedRow& row, const SliceSpan& piece, Buffers& at,
                  const std::function<void(const ScannedSlices&)>& visit) const;
  void walk(const WalkedTrack& track, const std::atomic<bool>& stop, Buffers& at,
            const std::function<void(const ScannedSlices&)>& visit) const;
  bool holds(const NumberedRow& row, const FinishedCall& finished, std::uint32_t depth) const;

  const QueryData& data_;
  const GroupedQuery& query_;
  const GroupedFilter& filter_;
  std::array<bool, kMeasures> with_;
  bool by_depth_ = false, by_name_ = false;
  bool reads_names_ = false, reads_flags_ = false, reads_self_ = false;
  bool names_as_they_are_ = false;  // all names are held, and each is its own key
  bool counts_names_ = false;       // nothing is wanted but how many slices have a name
  std::vector<std::unique_ptr<NameMask>> masks_;  // of these names, by input
  std::uint8_t flags_mask_ = 0, flags_value_ = 0;
  // By input and name: its name_keys, or kNotHeld.
  std::vector<std::vector<std::uint32_t>> names_;
  std::vector<std::pair<std::int64_t, std::string_view>> name_values_;
  std::map<std::vector<QueryCell>, std::uint32_t> known_row_values_;
  std::vector<std::vector<QueryCell>> row_values_;  // by row_keys: of the keys that are no name's
  std::vector<ScannedRow> rows_;
  std::vector<WalkedTrack> walked_;
};

}  // namespace cinderscope
