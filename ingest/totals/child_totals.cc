#include "ingest/totals/child_totals.h"

#include <algorithm>
#include <chrono>
#include <unordered_map>

#include "ingest/base/saturating.h"
#include "ingest/base/ui_priority.h"
#include "ingest/model/call_walk.h"

namespace cinderscope {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kBetweenLooks = 1u << 14;  // at the cancel flag and the clock
constexpr std::chrono::milliseconds kShowPause{300};

// Null if the slice is not there or has no children at all.
const TrackSlices* track_of(const SliceSet& slices, const SliceRef& of) {
  const auto found =
      std::partition_point(slices.tracks.begin(), slices.tracks.end(),
                           [&of](const TrackSlices& track) { return track.track < of.track; });
  if (!of || found == slices.tracks.end() || found->track != of.track) return nullptr;
  if (found->kind == TrackKind::async || index(of.block) >= found->blocks.size()) return nullptr;
  const SliceBlock* block = found->blocks[index(of.block)].get();
  const bool there =
      block != nullptr && of.row < block->rows.size() && of.slice < block->rows[of.row].count();
  return there ? &*found : nullptr;
}

// All children are neighbours on the row below.
bool children_are_below(const TrackSlices& track) {
  return !track.has_overlaps && track.blocks.size() == 1;
}

struct Below {
  const SliceRow* row = nullptr;
  std::uint64_t first = 0, end = 0;
};
Below row_below(const TrackSlices& track, const SliceRef& of) {
  const SliceBlock& block = *track.blocks[index(of.block)];
  if (of.row + 1 >= block.rows.size()) return {};
  const Slice slice = block.rows[of.row].slice(of.slice);
  const SliceRow& row = block.rows[of.row + 1];
  return {&row, row.lower_bound(slice.begin_ns), row.lower_bound(slice.end_ns())};
}

class ChildSums {
 public:
  ChildSums(const std::atomic<bool>& cancelled,
            const std::function<void(const ChildTotals&)>& show_some)
      : cancelled_(cancelled), show_some_(show_some) {}

  // False once cancelled.
  bool add(const SliceRef& child, StringId name, std::int64_t duration_ns) {
    ChildTotal& total = totals_[index(name)];
    total.name = name;
    if (total.count++ == 0 || duration_ns > total.longest_ns) {
      total.longest_ns = duration_ns;
      total.longest = child;
    }
    total.total_ns = saturating_sum(total.total_ns, duration_ns);
    ++count_;
    return look();
  }
  bool look() {
    if (++looks_ % kBetweenLooks != 0) return true;
    yield_to_ui();
    if (show_some_ && Clock::now() - shown_ > kShowPause) {
      show_some_(take());
      shown_ = Clock::now();
    }
    return !cancelled_.load(std::memory_order_relaxed);
  }
  ChildTotals take() const {
    ChildTotals out{.names = {}, .count = count_, .on_disk = on_disk};
    out.names.reserve(totals_.size());
    for (const auto& [id, total] : totals_) out.names.push_back(total);
    std::sort(out.names.begin(), out.names.end(), [](const ChildTotal& a, const ChildTotal& b) {
      if (a.total_ns != b.total_ns) return a.total_ns > b.total_ns;
      return a.count != b.count ? a.count > b.count : index(a.name) < index(b.name);
    });
    return out;
  }

  bool on_disk = false;

 private:
  const std::atomic<bool>& cancelled_;
  const std::function<void(const ChildTotals&)>& show_some_;
  std::unordered_map<std::uint32_t, ChildTotal> totals_;
  std::uint64_t count_ = 0;
  std::uint32_t looks_ = 0;
  Clock::time_point shown_ = Clock::now();
};

// Whether children of the slice were left on disk and did not come since.
bool some_on_disk(const TrackSlices& track, const SliceRef& of) {
  for (const DeferredChildren& deferred : track.blocks[index(of.block)]->deferred) {
    if (deferred.row != of.row || deferred.slice != of.slice) continue;
    std::uint64_t loaded = 0, blocks = 0;
    for (std::size_t b = 1; b < track.blocks.size(); ++b) {
      const SliceBlock* block = track.blocks[b].get();
      if (block == nullptr || block->parent_block != of.block || block->parent_row != of.row ||
          block->parent_slice != of.slice) {
        continue;
      }
      loaded += block->child_count;
      ++blocks;
    }
    // Few children come all at once, however many they are.
    return deferred.count == 0 ? blocks == 0 : loaded < deferred.count;
  }
  return false;
}

}  // namespace

ChildTotals child_totals(const SliceSet& slices, const SliceRef& of,
                         const std::atomic<bool>& cancelled,
                         const std::function<void(const ChildTotals&)>& show_some) {
  const TrackSlices* track = track_of(slices, of);
  if (track == nullptr) return {};
  ChildSums sums(cancelled, show_some);
  sums.on_disk = some_on_disk(*track, of);
  if (children_are_below(*track)) {
    const Below below = row_below(*track, of);
    for (std::uint64_t i = below.first; i < below.end; ++i) {
      const SliceRef child{of.track, of.block, of.row + 1, i};
      if (!sums.add(child, below.row->name(i), below.row->duration_ns(i))) break;
    }
    return sums.take();
  }
  const Slice slice = track->blocks[index(of.block)]->rows[of.row].slice(of.slice);
  Scope inside;
  inside.begin_ns = slice.begin_ns;
  inside.end_ns = slice.end_ns();
  std::atomic<bool> stop = false;
  walk_call_tree<bool>(
      *track, inside, stop,
      [&](const WalkedCall& call, const bool* caller) {
        const bool is_child = caller != nullptr && *caller;
        const bool goes_on =
            is_child ? sums.add(call.slice, call.name, call.duration_ns()) : sums.look();
        if (!goes_on) stop = true;
        return call.slice == of;
      },
      [](bool, std::int64_t) {});
  return sums.take();
}

std::uint64_t slices_to_look_at(const SliceSet& slices, const SliceRef& of, std::uint64_t most) {
  const TrackSlices* track = track_of(slices, of);
  if (track == nullptr) return 0;
  if (children_are_below(*track)) {
    const Below below = row_below(*track, of);
    return std::min(most, below.end - below.first);
  }
  const Slice slice = track->blocks[index(of.block)]->rows[of.row].slice(of.slice);
  std::uint64_t count = 0;
  for (const auto& block : track->blocks) {
    if (block == nullptr) continue;
    for (const SliceRow& row : block->rows) {
      ++count;  // finding the place on a row takes its time as well
      count += row.lower_bound(slice.end_ns()) - row.lower_bound(slice.begin_ns);
      if (count >= most) return most;
    }
  }
  return count;
}

}  // namespace cinderscope
