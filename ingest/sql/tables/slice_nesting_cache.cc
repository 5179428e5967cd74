#include "ingest/sql/tables/slice_nesting_cache.h"

#include <algorithm>

#include "ingest/base/saturating.h"
#include "ingest/model/call_walk.h"
#include "ingest/model/slice_nesting.h"
#include "ingest/sql/tables/row_facts.h"

namespace cinderscope {

namespace {

// Slices that are passed one by one before a search is cheaper.
constexpr std::uint64_t kStepsBeforeSearch = 8;
constexpr std::uint64_t kPassedBeforeSearch = 256;

}  // namespace

void TrackNesting::look_at(const NumberedRow& row) {
  if (row_ == &row) return;
  row_ = &row;
  plain_ = nests_plainly(data_, row);
  if (!plain_) return;
  const auto rows = data_.slice_numbers().rows_of(row.input, row.track);
  above_ = &row > rows.data() && row_[-1].row + 1 == row.row ? row_ - 1 : nullptr;
  const bool is_last = &row + 1 == rows.data() + rows.size();
  below_ = !is_last && row_[1].row == row.row + 1 ? row_[1].slices : nullptr;
  last_above_ = 0;
  next_self_ = UINT64_MAX;
  children_.reset();
}

std::uint64_t TrackNesting::plain_parent(std::uint64_t at) {
  if (above_ == nullptr) return 0;
  const SliceRow& above = *above_->slices;
  const std::int64_t begin_ns = row_->slices->begin_ns(at);
  const std::uint64_t count = above.count();
  std::uint64_t steps = 0;
  if (above.begin_ns(last_above_) > begin_ns) steps = kStepsBeforeSearch;
  while (steps < kStepsBeforeSearch && last_above_ + 1 < count &&
         above.begin_ns(last_above_ + 1) <= begin_ns) {
    ++last_above_;
    ++steps;
  }
  if (steps == kStepsBeforeSearch) {
    const std::uint64_t found = above.last_begun(begin_ns);
    last_above_ = found == count ? 0 : found;
  }
  const std::int64_t above_ns = above.begin_ns(last_above_);
  if (above_ns == begin_ns || (above_ns < begin_ns && above.end_ns(last_above_) > begin_ns)) {
    return above_->first_number + last_above_;
  }
  return data_.slice_numbers().number_of(row_->input,
                                         parent_of(data_.timeline(row_->input), ref(at)));
}

std::int64_t TrackNesting::plain_self_ns(std::uint64_t at) {
  const std::int64_t duration_ns = row_->slices->duration_ns(at);
  if (below_ == nullptr) return duration_ns;
  const std::int64_t begin_ns = row_->slices->begin_ns(at);
  const bool goes_on = next_self_ <= at && at - next_self_ < kPassedBeforeSearch;
  next_self_ = at + 1;
  if (!goes_on) {  // one of few
    children_.reset();
    return cinderscope::self_ns(data_.timeline(row_->input), ref(at));
  }
  if (!children_) children_.emplace(*below_, begin_ns);
  return duration_ns - children_->covered(begin_ns, begin_ns + duration_ns);
}

bool TrackNesting::keeps_track() {
  if (input_ == row_->input && track_ == row_->track) return kept_;
  input_ = row_->input;
  track_ = row_->track;
  const auto rows = data_.slice_numbers().rows_of(input_, track_);
  first_number_ = rows.front().first_number;
  const std::uint64_t count = rows.back().end_number() - first_number_;
  const std::vector<TrackSlices>& tracks = data_.slices(input_).tracks;
  const auto track = std::ranges::lower_bound(tracks, track_, {}, &TrackSlices::track);
  // Nothing contains anything among lifetimes, and unrelated slices share the rows of async tracks.
  kept_ = count <= kMostKept && !is_packed(track->kind);
  if (!kept_) return false;
  parent_.assign(count, 0);
  depth_.assign(count, 1);
  self_ns_.assign(count, 0);
  walk_call_tree<std::uint64_t>(
      *track, Scope{}, data_.stop_flag(),
      [&](const WalkedCall& call, const std::uint64_t* caller) {
        const std::uint64_t at =
            data_.slice_numbers().number_of(input_, call.slice) - first_number_;
        parent_[at] = caller == nullptr ? 0 : *caller + first_number_;
        depth_[at] = call.depth + 1;
        return at;
      },
      [&](std::uint64_t at, std::int64_t ns) { self_ns_[at] = saturating_sum(self_ns_[at], ns); });
  return true;
}

std::uint64_t TrackNesting::parent(const NumberedRow& row, std::uint64_t at) {
  look_at(row);
  if (plain_) return plain_parent(at);
  if (keeps_track()) return parent_[row.first_number + at - first_number_];
  return data_.slice_numbers().number_of(row.input, parent_of(data_.timeline(row.input), ref(at)));
}

std::uint32_t TrackNesting::depth(const NumberedRow& row, std::uint64_t at) {
  look_at(row);
  if (row_is_depth(data_, row)) return depth_of_row(data_, row);
  if (keeps_track()) return depth_[row.first_number + at - first_number_];
  return depth_of(data_.timeline(row.input), ref(at)) + 1;
}

std::int64_t TrackNesting::self_ns(const NumberedRow& row, std::uint64_t at) {
  look_at(row);
  if (plain_) return plain_self_ns(at);
  if (keeps_track()) return self_ns_[row.first_number + at - first_number_];
  return cinderscope::self_ns(data_.timeline(row.input), ref(at));
}

}  // namespace cinderscope
