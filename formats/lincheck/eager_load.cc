#include "formats/lincheck/eager_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "formats/lincheck/text/point_names.h"
#include "formats/lincheck/text/tree_text.h"
#include "formats/lincheck/thread_walk.h"
#include "ingest/base/parallel.h"

namespace cinderscope::lincheck {
namespace {

std::uint32_t depth_of(const ThreadWalk& walk) {
  return static_cast<std::uint32_t>(std::min<std::size_t>(walk.depth(), UINT32_MAX));
}

// One thread on its way from its stream to its rows.
class ThreadLoad {
 public:
  ThreadLoad(const PointNames& names, std::uint32_t thread, TimelineBuilder& out)
      : namer_(names),
        data_(names.lookup().data()),
        walk_(data_, names.lookup().layout(), names.lookup().map(), thread),
        out_(out),
        id_(add_thread(names.lookup(), thread, out)),
        writer_(out.slices(id_)) {
    const TraceMap& map = names.lookup().map();
    const std::vector<std::uint32_t>& blocks = map.threads[thread].blocks;
    if (!blocks.empty()) events_ = EventClock(map.blocks[blocks.front()].clock);
  }

  // Reads on for about so many bytes.
  void read(std::uint64_t bytes) {
    const std::uint64_t enough = read_bytes() + bytes;
    WalkStep step;
    while (read_bytes() < enough) {
      if (!walk_.next(step)) return finish();
      add(step);
    }
  }

  bool over() const { return over_; }
  std::uint64_t read_bytes() const { return walk_.logical(); }
  std::uint64_t take_records() { return std::exchange(records_, 0); }
  Diagnostics& diagnostics() { return diagnostics_; }

 private:
  struct Ended {
    RecordOffset footer = kNoRecord;
    std::uint8_t flags = 0;
  };

  void add(const WalkStep& step) {
    ++records_;
    if (step.is_footer) {
      ended_.push_back({step.at, step.unfinished ? kUnfinished : std::uint8_t{0}});
      return;
    }
    const std::int64_t number = events_.number(step.head.event);
    if (number < latest_) {
      diagnostics_.count(diagnostic::kUnsortedNumbers, static_cast<std::int64_t>(step.at));
    }
    latest_ = std::max(latest_, number);
    close_ended(latest_);
    const StringId name = namer_.name(step.head, step.first_id, JavaReader(data_, step.body_at));
    if (!is_container(step.head.point)) {
      if (walk_.depth() == 0) {
        out_.instant(id_, latest_, name, step.at);
      } else {
        out_.nested_instant(id_, depth_of(walk_), latest_, name, step.at);
      }
      return;
    }
    writer_.begin(latest_, name, step.at);
  }

  // No end is recorded: what is over ends where the thread's next event is.
  void close_ended(std::int64_t time) {
    for (const Ended& ended : ended_) {
      writer_.end(time, kNoName, ended.footer, ended.footer, ended.flags);
    }
    ended_.clear();
  }

  void finish() {
    over_ = true;
    if (walk_.failed()) {
      diagnostics_.count(diagnostic::kFileChanged, static_cast<std::int64_t>(walk_.physical()));
    }
    close_ended(latest_ + 1);
    writer_.reach(latest_ + 1);
    diagnostics_.count(diagnostic::kUndescribedName, kNoOffset, {}, namer_.unknown_count());
  }

  PointNamer namer_;
  std::span<const std::byte> data_;
  ThreadWalk walk_;
  TimelineBuilder& out_;
  ThreadId id_;
  TrackWriter& writer_;
  EventClock events_;
  std::int64_t latest_ = kEarliestEvent;
  std::vector<Ended> ended_;  // innermost first
  std::uint64_t records_ = 0;
  bool over_ = false;
  Diagnostics diagnostics_;
};

}  // namespace

ThreadId add_thread(const Lookup& lookup, std::uint32_t thread, TimelineBuilder& out) {
  const std::int32_t id = lookup.map().threads[thread].id;
  const ThreadId added = out.thread(out.process("-"), fmt::to_string(id));
  out.thread_facts(added).name = out.intern(thread_title(id, lookup));
  out.thread_facts(added).sort_index = id;
  return added;
}

bool load_all(const Lookup& lookup, TimelineBuilder& out, LoadContext& context,
              std::uint64_t done_before) {
  const PointNames names(lookup, *out.strings());
  const std::size_t count = lookup.map().threads.size();
  std::vector<std::unique_ptr<ThreadLoad>> loads(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (lookup.map().threads[i].size == 0) continue;
    loads[i] = std::make_unique<ThreadLoad>(names, i, out);
  }
  std::erase(loads, nullptr);
  std::uint64_t done_bytes = done_before;
  while (!loads.empty()) {
    std::vector<std::uint64_t> read_bytes(loads.size());
    parallel_for(loads.size(), context.jobs(), [&](std::size_t i) {
      const std::uint64_t before = loads[i]->read_bytes();
      loads[i]->read(context.window_bytes());
      read_bytes[i] = loads[i]->read_bytes() - before;
    });
    for (std::size_t i = 0; i < loads.size(); ++i) {
      done_bytes += read_bytes[i];
      out.count_records(loads[i]->take_records());
      if (loads[i]->over()) out.diagnostics().merge(loads[i]->diagnostics());
    }
    std::erase_if(loads, [](const auto& load) { return load->over(); });
    if (!context.tick(out, done_bytes)) return false;
  }
  return true;
}

}  // namespace cinderscope::lincheck
