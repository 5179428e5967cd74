#include "ingest/build/slice_runs.h"

#include <algorithm>

#include "ingest/base/ui_priority.h"
#include "ingest/build/passing_memory.h"
#include "ingest/model/string_pool.h"
#include "ingest/os/memory.h"

namespace cinderscope {

namespace {

constexpr std::size_t kRunSlices =
    std::size_t{7} * kChunkSlices;            // sorted at once; fits the second-level cache
constexpr std::size_t kGiveBackChunks = 256;  // a few megabytes

// Where the merge stands in one run.
struct Cursor {
  Slice slice;  // the next one
  std::size_t run = 0;
  std::size_t chunk = 0;
  std::uint32_t in_chunk = 0;
};

// For a heap whose top is the slice that nests first.
bool later(const Cursor& a, const Cursor& b) {
  return nests_before(b.slice, a.slice);
}

// Restores the heap after its top moved on: most often it is still the first, and nothing moves.
void sift_down(std::vector<Cursor>& heap) {
  std::size_t hole = 0;
  const Cursor moving = heap[0];
  while (true) {
    std::size_t child = 2 * hole + 1;
    if (child >= heap.size()) break;
    if (child + 1 < heap.size() && later(heap[child], heap[child + 1])) ++child;
    if (!later(moving, heap[child])) break;
    heap[hole] = heap[child];
    hole = child;
  }
  heap[hole] = moving;
}

}  // namespace

void SliceRuns::add(const Slice& slice) {
  pending_.push_back(slice);
  ++count_;
  if (pending_.size() >= kRunSlices) flush();
}

void SliceRuns::add_row(SliceRow row) {
  count_ += row.count();
  if (!row.chunks.empty()) runs_.push_back(std::move(row.chunks));
}

void SliceRuns::flush() {
  if (pending_.empty()) return;
  yield_to_ui();
  // Begins nearly always decide, and keys are cheaper to move than slices.
  struct Key {
    std::int64_t begin_ns;
    std::uint32_t at;
  };
  std::vector<Key> order(pending_.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = {pending_[i].begin_ns, i};
  std::sort(order.begin(), order.end(), [this](const Key& a, const Key& b) {
    if (a.begin_ns != b.begin_ns) return a.begin_ns < b.begin_ns;
    return nests_before(pending_[a.at], pending_[b.at]);
  });
  Run run;
  std::vector<Slice> sorted;
  sorted.reserve(std::min<std::size_t>(kChunkSlices, order.size()));
  for (const Key& key : order) {
    sorted.push_back(pending_[key.at]);
    if (sorted.size() < kChunkSlices && &key != &order.back()) continue;
    run.push_back(SliceChunk::seal(sorted, nullptr, names_->arena()));
    sorted.clear();
  }
  runs_.push_back(std::move(run));
  pending_.clear();
}

void SliceRuns::merge(const std::function<bool(const Slice&)>& use) && {
  flush();
  release(pending_);
  // Rows of one thread and file order of runs are nearly sorted by time: a run joins the heap only
  // when its first slice is due, so that the heap stays small.
  std::vector<std::size_t> order(runs_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
    return nests_before(runs_[a].front()->slice(0), runs_[b].front()->slice(0));
  });
  std::vector<Cursor> heap;
  std::size_t waiting = 0;
  std::size_t freed_chunks = 0;
  while (true) {
    while (waiting < order.size()) {
      const Slice first = runs_[order[waiting]].front()->slice(0);
      if (!heap.empty() && !nests_before(first, heap.front().slice)) break;
      heap.push_back({first, order[waiting], 0, 0});
      std::push_heap(heap.begin(), heap.end(), later);
      ++waiting;
    }
    if (heap.empty()) break;
    Cursor& top = heap.front();
    if (!use(top.slice)) break;
    Run& run = runs_[top.run];
    if (++top.in_chunk == run[top.chunk]->count()) {
      run[top.chunk].reset();
      // Another thread's allocations, and larger ones, would not use it.
      if (++freed_chunks % kGiveBackChunks == 0) give_back_free_memory();
      ++top.chunk;
      top.in_chunk = 0;
    }
    if (top.chunk == run.size()) {
      release(run);
      std::pop_heap(heap.begin(), heap.end(), later);
      heap.pop_back();
    } else {
      top.slice = run[top.chunk]->slice(top.in_chunk);
      sift_down(heap);
    }
  }
  runs_.clear();
  count_ = 0;
}

}  // namespace cinderscope
