#include "ingest/query/repeated_time.h"

#include <algorithm>

#include "ingest/saturating.h"

namespace cinderscope {

namespace {

constexpr std::uint64_t kPartSlices = std::uint64_t{1} << 18;  // of a track, for one worker
constexpr std::uint64_t kCancelEvery = std::uint64_t{1} << 14;

// A row's slices one after another, as far as they are in a part.
struct Stream {
  const SliceRow* row = nullptr;
  const SliceChunk* chunk = nullptr;
  std::uint64_t next = 0, last = 0;
  std::int64_t next_begin_ns = INT64_MAX;  // INT64_MAX: no more
  std::int64_t until_ns = INT64_MIN;       // what the slice above lasts to
  std::uint32_t depth = 0;

  void look() {
    if (next >= last) {
      next_begin_ns = INT64_MAX;
      return;
    }
    if (chunk == nullptr || SliceRow::in_chunk(next) == 0) chunk = &row->chunk_of(next);
    next_begin_ns = chunk->begin_ns(SliceRow::in_chunk(next));
  }
};

struct Reached {
  std::int64_t end_ns = 0;
  std::uint32_t depth = 0;
  std::uint32_t part = 0;  // in which it was set; 0 is none
};

struct Part {
  const MeasuredTrack* track;
  std::int64_t begin_ns, end_ns;
};

class Sweep {
 public:
  Sweep(const Edges& edges, std::span<const std::uint8_t> asked, const std::atomic<bool>* cancelled)
      : edges_(edges), asked_(asked), cancelled_(cancelled) {}

  void go(const Part& part) {
    if (repeated_.empty()) {
      repeated_.resize(asked_.size());
      reached_.resize(asked_.size());
    }
    ++part_;
    open_streams(part);
    if (part.track->nested) {
      go_by_nesting();
    } else {
      go_by_heap();
    }
  }
  std::span<const std::int64_t> repeated() const { return repeated_; }

 private:
  void open_streams(const Part& part) {
    streams_.clear();
    for (const RowStretch& stretch : part.track->rows) {
      Stream stream{.row = stretch.row, .depth = stretch.depth};
      stream.next = stretch.first;
      stream.last = stretch.last;
      if (part.begin_ns != INT64_MIN) {
        stream.next =
            std::clamp(stretch.row->lower_bound(part.begin_ns), stretch.first, stretch.last);
        for (std::uint64_t i = stream.next; i > stretch.first; --i) {
          const std::int64_t end_ns = stretch.row->end_ns(i - 1);
          if (end_ns <= part.begin_ns) break;
          reach(index(stretch.row->name(i - 1)), end_ns, stretch.depth);
        }
      }
      if (part.end_ns != INT64_MAX) {
        stream.last = std::clamp(stretch.row->lower_bound(part.end_ns), stream.next, stretch.last);
      }
      stream.look();
      streams_.push_back(stream);
    }
  }

  void reach(std::uint32_t name, std::int64_t end_ns, std::uint32_t depth) {
    if (asked_[name] == 0) return;
    Reached& reached = reached_[name];
    if (reached.part == part_ && reached.end_ns >= end_ns) return;
    reached = {end_ns, depth, part_};
  }

  // Returns the slice's end.
  std::int64_t take(Stream& stream) {
    const std::uint32_t k = SliceRow::in_chunk(stream.next);
    const std::int64_t begin_ns = stream.next_begin_ns;
    const std::int64_t end_ns = begin_ns + stream.chunk->duration_ns(k);
    const std::uint32_t name = index(stream.chunk->name(k));
    ++stream.next;
    stream.look();
    if (asked_[name] == 0) return end_ns;
    Reached& reached = reached_[name];
    if (reached.part != part_) {
      reached = {end_ns, stream.depth, part_};
      return end_ns;
    }
    if (reached.depth != stream.depth && reached.end_ns > begin_ns) {
      const std::int64_t from_ns = std::max(begin_ns, edges_.begin_ns);
      const std::int64_t to_ns = std::min({end_ns, reached.end_ns, edges_.end_ns});
      if (to_ns > from_ns) {
        repeated_[name] = saturating_sum(repeated_[name], saturating_difference(to_ns, from_ns));
      }
    }
    if (end_ns > reached.end_ns) reached = {end_ns, stream.depth, part_};
    return end_ns;
  }

  bool stopped() { return ++steps_ % kCancelEvery == 0 && is_set(cancelled_); }

  // Calls nest: after a slice come those one row below that begin inside it, then its neighbour.
  void go_by_nesting() {
    if (streams_.empty()) return;
    for (std::size_t d = 0; d + 1 < streams_.size(); ++d) {
      // What had begun before the part may go on in it.
      const Stream& above = streams_[d];
      const std::uint64_t i = above.next;
      streams_[d + 1].until_ns = i == 0 ? INT64_MIN : above.row->end_ns(i - 1);
    }
    streams_[0].until_ns = INT64_MAX;
    std::size_t depth = streams_.size() - 1;
    for (;;) {
      Stream& stream = streams_[depth];
      if (stream.next_begin_ns < stream.until_ns) {
        const std::int64_t end_ns = take(stream);
        if (depth + 1 < streams_.size()) {
          streams_[depth + 1].until_ns = end_ns;
          ++depth;
        }
      } else if (depth > 0) {
        --depth;
      } else {
        break;
      }
      if (stopped()) return;
    }
    go_by_heap();  // the few that begin where the one above has just ended
  }

  // By begin over all rows; of equal begins the outer one first.
  void go_by_heap() {
    const auto later = [this](std::uint32_t a, std::uint32_t b) {
      const Stream &x = streams_[a], &y = streams_[b];
      return x.next_begin_ns != y.next_begin_ns ? x.next_begin_ns > y.next_begin_ns
                                                : x.depth > y.depth;
    };
    std::vector<std::uint32_t> heap;
    for (std::uint32_t i = 0; i < streams_.size(); ++i) {
      if (streams_[i].next < streams_[i].last) heap.push_back(i);
    }
    std::make_heap(heap.begin(), heap.end(), later);
    while (!heap.empty() && !stopped()) {
      std::pop_heap(heap.begin(), heap.end(), later);
      Stream& stream = streams_[heap.back()];
      take(stream);
      if (stream.next < stream.last) {
        std::push_heap(heap.begin(), heap.end(), later);
      } else {
        heap.pop_back();
      }
    }
  }

  Edges edges_;
  std::span<const std::uint8_t> asked_;
  const std::atomic<bool>* cancelled_;
  std::vector<std::int64_t> repeated_;
  std::vector<Reached> reached_;
  std::vector<Stream> streams_;
  std::uint32_t part_ = 0;
  std::uint64_t steps_ = 0;
};

// Stretches of time with about as many slices each, so that one long thread keeps all workers busy.
void add_parts(const MeasuredTrack& track, std::vector<Part>& parts) {
  if (track.rows.size() < 2) return;
  // Each part looks for its place in every row.
  const std::uint64_t most = track.count / (16 * track.rows.size());
  const std::uint64_t wanted =
      std::clamp<std::uint64_t>(track.count / kPartSlices, 1, std::max<std::uint64_t>(1, most));
  const RowStretch& longest = *std::max_element(
      track.rows.begin(), track.rows.end(),
      [](const RowStretch& a, const RowStretch& b) { return a.count() < b.count(); });
  std::int64_t begin_ns = INT64_MIN;
  for (std::uint64_t i = 1; i < wanted; ++i) {
    const std::uint64_t at = longest.first + longest.count() / wanted * i;
    const std::int64_t border_ns = longest.row->begin_ns(at);
    if (border_ns <= begin_ns) continue;
    parts.push_back({&track, begin_ns, border_ns});
    begin_ns = border_ns;
  }
  parts.push_back({&track, begin_ns, INT64_MAX});
}

}  // namespace

std::vector<std::int64_t> repeated_times(std::span<const MeasuredTrack> tracks, const Edges& edges,
                                         std::span<const std::uint8_t> asked, unsigned jobs,
                                         const std::atomic<bool>* cancelled) {
  std::vector<std::int64_t> result(asked.size());
  if (std::none_of(asked.begin(), asked.end(), [](std::uint8_t is) { return is != 0; })) {
    return result;
  }
  std::vector<Part> parts;
  for (const MeasuredTrack& track : tracks) add_parts(track, parts);
  std::vector<Sweep> sweeps(std::max(1u, jobs), Sweep(edges, asked, cancelled));
  for_each_until(parts.size(), jobs, cancelled,
                 [&](std::size_t worker, std::size_t i) { sweeps[worker].go(parts[i]); });
  for (const Sweep& sweep : sweeps) {
    for (std::size_t i = 0; i < sweep.repeated().size(); ++i) {
      result[i] = saturating_sum(result[i], sweep.repeated()[i]);
    }
  }
  return result;
}

}  // namespace cinderscope
