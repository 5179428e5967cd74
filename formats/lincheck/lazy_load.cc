#include "formats/lincheck/lazy_load.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "formats/lincheck/eager_load.h"
#include "formats/lincheck/lazy_level.h"

namespace cinderscope::lincheck {
namespace {

// Of containers that are read whole: children of longer ones are read in pieces of so many bytes,
// so that what is asked for first is there soon.
constexpr std::uint64_t kPieceWholes = 32;
constexpr std::uint64_t kMostPieceChildren = 16384;

}  // namespace

LazyLoad::LazyLoad(const Lookup& lookup, std::vector<ThreadCells> cells, std::uint64_t whole_bytes)
    : lookup_(&lookup), cells_(std::move(cells)), whole_bytes_(whole_bytes) {}

LazyLoad::Outer LazyLoad::load_outer(TimelineBuilder& out, LoadContext& context, bool is_outline) {
  const PointNames& names = names_in(*out.strings());
  const TraceMap& map = lookup_->map();
  struct RootInstant {
    std::int64_t time;
    StringId name;
    RecordOffset record;
  };
  struct Roots {
    std::uint32_t thread;
    LoadedChildren calls;
    std::vector<RootInstant> instants;
  };
  std::vector<Roots> read;
  const std::uint8_t thread_name =
      lookup_->layout().byte_of_kind[static_cast<std::size_t>(Kind::thread_name)];
  for (std::uint32_t thread = 0; thread < map.threads.size(); ++thread) {
    const ThreadStream& stream = map.threads[thread];
    if (stream.size == 0) continue;
    if (is_outline && thread_name != kNoKindByte && lookup_->thread_name(stream.id).empty()) {
      return Outer::needs_all;
    }
    Roots& roots = read.emplace_back();
    roots.thread = thread;
    Level level(*this, names, thread, map.blocks[stream.blocks.front()].clock, kEarliestEvent);
    level.on_outer_leaf = [&roots](std::int64_t time, StringId name, RecordOffset record) {
      roots.instants.push_back({time, name, record});
    };
    const std::vector<std::uint64_t> ordinals = cells_[thread].children(0, cells_[thread].count());
    if (!level.run(ordinals, 0, 0, context)) return Outer::cancelled;
    const bool is_sure =
        level.agrees() && !level.met_unknown() && level.walk().logical() == stream.size;
    if (is_outline && !is_sure) return Outer::needs_all;
    std::int64_t latest = level.latest();
    if (const auto inside = level.last_left()) {
      latest = std::max(latest, latest_inside(thread, *inside, latest));
    }
    level.finish(latest + 1);
    roots.calls = level.take();
  }
  for (Roots& roots : read) {
    const ThreadId id = add_thread(*lookup_, roots.thread, out);
    for (const RootInstant& instant : roots.instants)
      out.instant(id, instant.time, instant.name, instant.record);
    LoadedChildren& calls = roots.calls;
    if (!calls.rows.empty()) {
      out.adopt(id, std::move(calls.rows), std::move(calls.deferred),
                std::move(calls.nested_instants));
    }
    const std::uint64_t done = map.blocks[map.threads[roots.thread].blocks.back()].end();
    if (!context.tick(out, done)) return Outer::cancelled;
  }
  return Outer::loaded;
}

void LazyLoad::take_all(const Lookup& lookup, std::vector<ThreadCells> cells) {
  names_.reset();
  std::vector<std::vector<std::uint64_t>> roots;  // ordinals by thread
  for (const ThreadCells& of_thread : cells) {
    roots.push_back(of_thread.children(0, of_thread.count()));
  }
  key_of_place_.clear();
  for (std::size_t key = 0; key < deferred_.size(); ++key) {
    Deferred& container = deferred_[key];
    const IndexCell before = cells_[container.thread].at(container.ordinal);
    container.is_lost = true;
    if (container.thread >= roots.size()) continue;
    const ThreadCells& now = cells[container.thread];
    const auto found =
        std::ranges::lower_bound(roots[container.thread], before.start, {},
                                 [&](std::uint64_t ordinal) { return now.at(ordinal).start; });
    if (found == roots[container.thread].end()) continue;
    const IndexCell cell = now.at(*found);
    container.is_lost = cell.start != before.start || cell.end != before.end;
    container.ordinal = *found;
    key_of_place_[std::uint64_t{container.thread} << kOrdinalBits | container.ordinal] = key;
  }
  lookup_ = &lookup;
  cells_ = std::move(cells);
  children_ = {};
}

std::int64_t LazyLoad::latest_inside(std::uint32_t thread, std::uint64_t ordinal,
                                     std::int64_t clock) const {
  const ThreadCells& cells = cells_[thread];
  EventClock events(clock);
  std::int64_t latest = events.number(cells.at(ordinal).id);
  while (true) {
    const auto end = static_cast<std::uint64_t>(cells.at(ordinal).end);
    // The numbers of the leaves between a place and the container's footer; false if what lies
    // there is something else.
    const auto read_leaves = [&](std::uint64_t from, std::vector<PointClass> inside) {
      ThreadWalk walk(lookup_->data(), lookup_->layout(), lookup_->map(), thread);
      walk.seek(from, std::move(inside));
      EventClock leaves = events;
      WalkStep step;
      bool any = false;
      while (walk.next(step)) {
        if (step.is_footer) continue;
        any = true;
        leaves.number(step.head.event);
      }
      if (walk.failed() || walk.logical() != end + 1) return std::pair(false, false);
      events = leaves;
      latest = std::max(latest, leaves.latest());
      return std::pair(true, any);
    };
    const std::optional<std::uint64_t> child = cells.last_child(ordinal);
    if (!child) {
      read_leaves(static_cast<std::uint64_t>(cells.at(ordinal).start), {});
      return latest;
    }
    // What ends before a container does is its last child. Its class, which says how long its
    // footer is, stands in a header that the index does not lead to: the right one reads to the
    // end.
    bool read = false, any = false;
    for (const PointClass point : {PointClass::call, PointClass::loop, PointClass::iteration}) {
      std::tie(read, any) = read_leaves(static_cast<std::uint64_t>(cells.at(*child).end), {point});
      if (read) break;
    }
    if (!read || any) return latest;
    latest = std::max(latest, events.number(cells.at(*child).id));
    ordinal = *child;
  }
}

std::uint64_t LazyLoad::key_of(const Deferred& container) {
  const auto [found, is_new] = key_of_place_.try_emplace(
      std::uint64_t{container.thread} << kOrdinalBits | container.ordinal, deferred_.size());
  if (is_new) deferred_.push_back(container);
  return found->second;
}

void LazyLoad::look_into(std::uint64_t key) {
  if (children_.key == key) return;
  const Deferred& parent = deferred_[static_cast<std::size_t>(key)];
  const ThreadCells& cells = cells_[parent.thread];
  const auto start = static_cast<std::uint64_t>(cells.at(parent.ordinal).start);
  children_ = {key, cells.children(start, parent.ordinal), 0, {{0, start}}};
  std::size_t near = 0;
  for (const std::uint64_t child : children_.ordinals) {
    const IndexCell cell = cells.at(child, near);
    const std::uint64_t bytes =
        cell.end > cell.start ? static_cast<std::uint64_t>(cell.end - cell.start) : 0;
    if (bytes > whole_bytes_) children_.left_bytes += bytes;
  }
}

LoadedChildren LazyLoad::count_children(std::uint64_t key) const {
  const Deferred& parent = deferred_[static_cast<std::size_t>(key)];
  const IndexCell cell = cells_[parent.thread].at(parent.ordinal);
  LoadedChildren counted;
  counted.count = children_.ordinals.size();
  if (counted.count == 0) return counted;
  // Of those that stay on disk nothing is read but both ends.
  auto bytes = static_cast<double>(cell.end) - static_cast<double>(cell.start);
  bytes -= static_cast<double>(children_.left_bytes);
  const double pieces = std::clamp(
      bytes / static_cast<double>(kPieceWholes * std::max<std::uint64_t>(whole_bytes_, 1)), 1.0,
      static_cast<double>(counted.count));
  counted.piece_children =
      std::min(kMostPieceChildren,
               static_cast<std::uint64_t>(std::ceil(static_cast<double>(counted.count) / pieces)));
  return counted;
}

LazyLoad::Place LazyLoad::place_before(const Deferred& parent, std::uint64_t first,
                                       bool by_cells) const {
  const auto known = std::prev(children_.places.upper_bound(first));
  const Place read{known->first, known->second, false};
  if (!by_cells || first == 0 || read.child + 1 >= first) return read;
  // What lies between two children goes with the second: so from the one before.
  const IndexCell cell = cells_[parent.thread].at(children_.ordinals[first - 1]);
  const auto header =
      header_before(lookup_->data(), lookup_->layout(), lookup_->map(), parent.thread, cell);
  return header ? Place{first - 1, *header, true} : read;
}

std::int64_t LazyLoad::clock_at(const Deferred& parent, std::uint64_t first) const {
  constexpr std::int64_t kSureEvents = std::int64_t{1} << 31;
  if (parent.end - parent.begin < kSureEvents) return parent.begin;
  EventClock clock(parent.begin);
  std::size_t near = 0;
  for (std::uint64_t i = 0; i < first; ++i) {
    clock.number(cells_[parent.thread].at(children_.ordinals[i], near).id);
  }
  return clock.latest();
}

const PointNames& LazyLoad::names_in(StringPool& pool) {
  if (names_ == nullptr || named_in_ != pool.serial()) {
    names_ = std::make_unique<PointNames>(*lookup_, pool);
    named_in_ = pool.serial();
  }
  return *names_;
}

Result<LoadedChildren> LazyLoad::load_children(const ChildQuery& query, StringPool& pool,
                                               LoadContext& context) {
  if (query.source_key >= deferred_.size()) return LoadedChildren{};
  if (deferred_[static_cast<std::size_t>(query.source_key)].is_lost) {
    return Error{ErrorCode::damaged, "What lies inside this call cannot be read.",
                 "The index of the trace is wrong; write the index anew and reload."};
  }
  look_into(query.source_key);
  if (query.only_count) return count_children(query.source_key);
  const Deferred parent = deferred_[static_cast<std::size_t>(query.source_key)];
  const std::span<const std::uint64_t> ordinals = children_.ordinals;
  if (query.first > ordinals.size()) return LoadedChildren{};
  // The last piece has what lies behind the last child, too, and one that never ended.
  const bool is_last = query.count >= ordinals.size() - query.first;
  const PointNames& names = names_in(pool);
  std::optional<Level> read;
  for (const bool by_cells : {true, false}) {
    const Place place = place_before(parent, query.first, by_cells);
    read.emplace(*this, names, parent.thread, clock_at(parent, place.child), parent.begin);
    read->walk().seek(place.logical, {parent.point});
    if (!read->run(ordinals.subspan(static_cast<std::size_t>(place.child)),
                   query.first - place.child, is_last ? 0 : query.count, context)) {
      return Error{ErrorCode::cancelled, "Loading was cancelled.", {}};
    }
    // Where cells are wrong, what they led to shows it: then from a place that was read.
    if (!place.is_by_cell || (!read->walk().failed() && read->agrees())) break;
  }
  Level& level = *read;
  if (level.walk().failed()) {
    return Error{ErrorCode::damaged, "What lies inside this call cannot be read.",
                 "The file changed, or its index is wrong; write the index anew and reload.",
                 static_cast<std::int64_t>(level.walk().physical())};
  }
  if (const auto next = level.next_place()) {
    children_.places.emplace(query.first + query.count, *next);
  }
  level.finish(parent.end);
  LoadedChildren children = level.take();
  for (SliceRow& row : children.rows) row.build_lod();
  for (SliceRow& row : children.nested_instants) row.build_lod();
  return children;
}

}  // namespace cinderscope::lincheck
