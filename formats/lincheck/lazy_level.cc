#include "formats/lincheck/lazy_level.h"

#include <algorithm>
#include <utility>

#include "formats/lincheck/java_reader.h"
#include "ingest/format/load_context.h"

namespace cinderscope::lincheck {
namespace {

// Of containers that are read whole: what is longer has its children counted once they are asked
// for.
constexpr std::uint64_t kCountedWholes = 16;
constexpr std::uint64_t kStepsBetweenLooks = 1024;  // at whether it was cancelled

}  // namespace

bool LazyLoad::Level::run(std::span<const std::uint64_t> ordinals, std::uint64_t passed,
                          std::uint64_t count, const LoadContext& context) {
  passed_ = passed;
  const std::size_t outside = walk_.depth();
  WalkStep step;
  std::uint64_t steps = 0;
  std::size_t next = 0;
  for (place_ = walk_.logical(); walk_.next(step); place_ = walk_.logical()) {
    if (++steps % kStepsBetweenLooks == 0 && context.cancelled()) return false;
    if (step.is_footer) {
      if (walk_.depth() < outside) break;  // of the container whose children these are
      close(step);
      continue;
    }
    latest_ = std::max(latest_, events_.number(step.head.event));
    last_left_ = std::nullopt;
    end_waiting(latest_);
    if (count != 0 && begun_ == passed + count && open_.empty()) return true;
    const StringId name =
        namer_.name(step.head, step.first_id, JavaReader(load_.lookup_->data(), step.body_at));
    if (!is_container(step.head.point)) {
      add_leaf(name, step.at);
      continue;
    }
    begun_ += open_.empty() ? 1 : 0;
    open_.push_back({{latest_, 0, name, step.at, kNoRecord, 0},
                     static_cast<std::uint32_t>(open_.size()),
                     begun_ > passed,
                     -1});
    // A container without a cell never ended: what the index lists next lies inside it.
    const ThreadCells& cells = load_.cells_[thread_];
    if (next < ordinals.size() &&
        static_cast<std::uint64_t>(cells.at(ordinals[next]).start) == step.logical) {
      agrees_ = agrees_ && open_.size() == 1;
      leave_on_disk(ordinals[next++], step);
    } else {
      agrees_ = agrees_ && open_.size() > 1;
    }
  }
  reached_end_ = true;
  agrees_ = agrees_ && next == ordinals.size() && open_.empty() && !walk_.failed();
  return true;
}

void LazyLoad::Level::finish(std::int64_t end) {
  end_waiting(end);
  while (!open_.empty()) {
    Waiting unfinished = open_.back();
    open_.pop_back();
    unfinished.slice.flags = kUnfinished;
    waiting_.push_back(unfinished);
  }
  end_waiting(end);
}

LoadedChildren LazyLoad::Level::take() {
  LoadedChildren out;
  out.rows = rows_.take();
  out.deferred = std::move(deferred_);
  out.nested_instants = instants_.take();
  std::ranges::sort(out.deferred, {}, [](const DeferredChildren& entry) {
    return std::pair(entry.row, entry.slice);
  });
  return out;
}

void LazyLoad::Level::add_leaf(StringId name, RecordOffset record) {
  if (open_.empty() && on_outer_leaf) return on_outer_leaf(latest_, name, record);
  // Behind the last child that is left out, or inside one that is not.
  const bool is_wanted = open_.empty() ? begun_ >= passed_ : begun_ > passed_;
  if (!is_wanted) return;
  instants_.append(static_cast<std::uint32_t>(open_.size()),
                   {latest_, 0, name, record, kNoRecord, 0});
}

void LazyLoad::Level::close(const WalkStep& step) {
  Waiting ended = open_.back();
  open_.pop_back();
  ended.slice.end_record = step.at;
  ended.slice.flags = step.unfinished ? kUnfinished : std::uint8_t{0};
  waiting_.push_back(ended);
}

void LazyLoad::Level::leave_on_disk(std::uint64_t ordinal, const WalkStep& step) {
  const ThreadCells& cells = load_.cells_[thread_];
  const IndexCell cell = cells.at(ordinal);
  const auto start = static_cast<std::uint64_t>(cell.start);
  const auto end = static_cast<std::uint64_t>(cell.end);
  if (end < start || end - start <= load_.whole_bytes_) return;
  if (!walk_.jump_to_footer(end)) return;  // the index is wrong here: read on without it
  last_left_ = ordinal;
  if (begun_ <= passed_) return;
  const std::uint64_t count = end - start > kCountedWholes * load_.whole_bytes_ ? kNotCounted : 0;
  open_.back().deferred = static_cast<std::int64_t>(deferred_.size());
  deferred_.push_back(
      {.row = open_.back().row,
       .source_key = load_.key_of(
           {.thread = thread_, .point = step.head.point, .ordinal = ordinal, .begin = latest_}),
       .count = count});
}

void LazyLoad::Level::end_waiting(std::int64_t time) {
  for (Waiting& ended : waiting_) {
    if (!ended.is_wanted) continue;
    ended.slice.duration_ns = time - ended.slice.begin_ns;
    if (ended.row >= counts_.size()) counts_.resize(std::size_t{ended.row} + 1);
    if (ended.deferred >= 0) {
      DeferredChildren& entry = deferred_[static_cast<std::size_t>(ended.deferred)];
      entry.slice = counts_[ended.row];
      load_.deferred_[static_cast<std::size_t>(entry.source_key)].end = time;
    }
    ++counts_[ended.row];
    rows_.append(ended.row, ended.slice);
  }
  waiting_.clear();
}

}  // namespace cinderscope::lincheck
