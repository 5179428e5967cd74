#include "tests/support/synthetic_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "ingest/build/row_writer.h"
#include "tests/support/deferred_children.h"

namespace cinderscope {
namespace {

// A call's record and source key: its level and its ordinal there.
constexpr std::uint32_t kLevelShift = 56;

std::uint64_t key_of(std::uint32_t level, std::uint64_t ordinal) {
  return std::uint64_t{level} << kLevelShift | ordinal;
}
std::uint32_t level_of(std::uint64_t key) {
  return static_cast<std::uint32_t>(key >> kLevelShift);
}
std::uint64_t ordinal_of(std::uint64_t key) {
  return key & ((std::uint64_t{1} << kLevelShift) - 1);
}

}  // namespace

std::int64_t SyntheticTree::length_ns(std::uint32_t level) const {
  std::int64_t length_ns = root_ns;
  for (; level > 0; --level) length_ns /= static_cast<std::int64_t>(children);
  return length_ns;
}

std::string SyntheticTree::name(std::uint32_t level, std::uint64_t ordinal) const {
  return fmt::format("call {}.{}", level, level == 0 ? ordinal : ordinal % children);
}

SyntheticSource::SyntheticSource(SyntheticTree tree, SyntheticEvents events)
    : tree_(tree), events_(std::move(events)), input_(Input::from_memory("synthetic", {})) {}

Status SyntheticSource::load(TimelineBuilder& out, LoadContext& context) {
  context.set_total_bytes(tree_.roots);
  TimelineBuilder roots;
  roots.stop_when(context.cancel_flag());
  roots.keep_only(context.keep());
  const ThreadId thread = roots.thread(roots.process("1"), "1");
  std::uint64_t read = 0;
  for (std::uint64_t i = 0; i < tree_.roots; ++i) {
    if (events_.before_root) events_.before_root(i);
    const RecordOffset record = key_of(0, i);
    roots.slices(thread).complete(static_cast<std::int64_t>(i) * tree_.root_ns, tree_.root_ns,
                                  roots.intern(tree_.name(0, i)), record);
    read = i + 1;
    if (!context.tick(roots, read)) break;
  }
  Timeline timeline = roots.finish();
  for (std::uint64_t i = 0; i < read && tree_.levels > 0 && !context.cancelled(); ++i) {
    test::defer_children(timeline, timeline.threads.front().track, key_of(0, i), key_of(0, i),
                         tree_.told_count());
  }
  out.adopt(std::move(timeline));
  return ok();
}

Result<LoadedChildren> SyntheticSource::load_children(const ChildQuery& query, StringPool& names,
                                                      LoadContext& context) {
  if (events_.before_children) {
    const Status status = events_.before_children(query);
    if (!status) return status.error();
  }
  if (context.cancelled()) return Error{.code = ErrorCode::cancelled, .text = "Stopped."};
  if (query.only_count) {
    return LoadedChildren{.count = tree_.children, .piece_children = tree_.piece_children};
  }
  const std::uint32_t level = level_of(query.source_key) + 1;
  const std::uint64_t first = ordinal_of(query.source_key) * tree_.children + query.first;
  const std::uint64_t count = query.count == 0 ? tree_.children : query.count;
  LoadedChildren out;
  RowWriter rows(names);
  for (std::uint64_t i = 0; i < count; ++i) {
    Slice slice;
    slice.begin_ns = static_cast<std::int64_t>(first + i) * tree_.length_ns(level);
    slice.duration_ns = tree_.length_ns(level);
    slice.name = names.intern(tree_.name(level, first + i));
    slice.record = key_of(level, first + i);
    rows.append(0, slice);
    if (level < tree_.levels) {
      out.deferred.push_back(
          {.row = 0, .slice = i, .source_key = slice.record, .count = tree_.told_count()});
    }
  }
  out.rows = rows.take();
  for (SliceRow& row : out.rows) row.build_lod();
  const std::lock_guard lock(mutex_);
  queries_.push_back(query);
  return out;
}

RecordText SyntheticSource::read_record(RecordOffset record, RecordOffset) const {
  RecordText text;
  text.args = parse_args(
      fmt::format(R"({{"level":{},"ordinal":{}}})", level_of(record), ordinal_of(record)));
  return text;
}

std::vector<ChildQuery> SyntheticSource::queries() const {
  const std::lock_guard lock(mutex_);
  return queries_;
}

SourceOpener opener_of(std::shared_ptr<SyntheticSource> source) {
  return [source = std::move(source)](LoadContext&) -> Result<OpenedSource> {
    return OpenedSource{source, nullptr};
  };
}

bool wait_until(const std::function<bool()>& done) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!done()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace cinderscope
