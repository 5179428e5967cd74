#include "ingest/totals/recursive_time.h"

#include <algorithm>

#include "ingest/base/saturating.h"

namespace cinderscope {

namespace {

constexpr std::uint64_t kCancelEvery = std::uint64_t{1} << 14;

}  // namespace

RecursiveTime::RecursiveTime(std::size_t name_count, const Edges& edges,
                             const std::atomic<bool>* cancelled)
    : name_count_(name_count), edges_(edges), cancelled_(cancelled) {}

void RecursiveTime::add(const TimeSegment& segment, std::vector<RecursiveCall>& out) {
  if (segment.track->rows.size() < 2) return;
  reached_.resize(name_count_);
  ++segment_;
  open_streams(segment);
  if (segment.track->nested) {
    go_by_nesting(out);
  } else {
    go_by_heap(out);
  }
}

void RecursiveTime::Stream::look() {
  if (next >= last) {
    next_begin_ns = INT64_MAX;
    return;
  }
  if (chunk == nullptr || SliceRow::in_chunk(next) == 0) chunk = &row->chunk_of(next);
  next_begin_ns = chunk->begin_ns(SliceRow::in_chunk(next));
}

void RecursiveTime::open_streams(const TimeSegment& segment) {
  streams_.clear();
  for (const SliceSpan& span : segment.track->rows) {
    const SliceSpan begun = begun_in(span, segment);
    Stream stream{.row = span.row, .next = begun.first, .last = begun.last};
    stream.depth = span.depth;
    for (std::uint64_t i = stream.next; i > span.first; --i) {
      const std::int64_t end_ns = span.row->end_ns(i - 1);
      if (end_ns <= segment.begin_ns) break;
      reach(edges_.counted_as(index(span.row->name(i - 1))), end_ns, span.depth);
    }
    stream.look();
    streams_.push_back(stream);
  }
}

void RecursiveTime::reach(std::uint32_t name, std::int64_t end_ns, std::uint32_t depth) {
  Reached& reached = reached_[name];
  if (reached.segment == segment_ && reached.end_ns >= end_ns) return;
  reached = {end_ns, depth, segment_};
}

// Returns the slice's end.
std::int64_t RecursiveTime::take(Stream& stream, std::vector<RecursiveCall>& out) {
  const std::uint32_t k = SliceRow::in_chunk(stream.next);
  const std::int64_t begin_ns = stream.next_begin_ns;
  const std::int64_t end_ns = begin_ns + stream.chunk->duration_ns(k);
  const std::uint32_t name = edges_.counted_as(index(stream.chunk->name(k)));
  ++stream.next;
  stream.look();
  Reached& reached = reached_[name];
  if (reached.segment != segment_) {
    reached = {end_ns, stream.depth, segment_};
    return end_ns;
  }
  if (reached.depth != stream.depth && reached.end_ns > begin_ns) {
    const std::int64_t from_ns = std::max(begin_ns, edges_.begin_ns);
    const std::int64_t to_ns = std::min({end_ns, reached.end_ns, edges_.end_ns});
    if (to_ns > from_ns) {
      out.push_back({name, saturating_difference(to_ns, from_ns)});
    }
  }
  if (end_ns > reached.end_ns) reached = {end_ns, stream.depth, segment_};
  return end_ns;
}

bool RecursiveTime::stopped() {
  return ++steps_ % kCancelEvery == 0 && is_set(cancelled_);
}

// Calls nest: after a slice come those one row below that begin inside it, then its neighbour.
void RecursiveTime::go_by_nesting(std::vector<RecursiveCall>& out) {
  if (streams_.empty()) return;
  for (std::size_t d = 0; d + 1 < streams_.size(); ++d) {
    // What had begun before the segment may go on in it.
    const Stream& above = streams_[d];
    const std::uint64_t i = above.next;
    streams_[d + 1].until_ns = i == 0 ? INT64_MIN : above.row->end_ns(i - 1);
  }
  streams_[0].until_ns = INT64_MAX;
  std::size_t depth = streams_.size() - 1;
  for (;;) {
    Stream& stream = streams_[depth];
    if (stream.next_begin_ns < stream.until_ns) {
      const std::int64_t end_ns = take(stream, out);
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
  go_by_heap(out);  // the few that begin where the one above has just ended
}

// By begin over all rows; of equal begins the outer one first.
void RecursiveTime::go_by_heap(std::vector<RecursiveCall>& out) {
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
    take(stream, out);
    if (stream.next < stream.last) {
      std::push_heap(heap.begin(), heap.end(), later);
    } else {
      heap.pop_back();
    }
  }
}

}  // namespace cinderscope
