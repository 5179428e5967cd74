#include "ingest/model/merge_timelines.h"

#include <algorithm>
#include <array>
#include <utility>

#include "ingest/base/self_trace.h"
#include "ingest/model/move_slices.h"

namespace cinderscope {
namespace {

constexpr double kFileApart =
    1e12;  // added to sort indices file by file, so that a file's processes stay together

class Merger {
 public:
  Merger(const Timeline& first, std::size_t parts, unsigned jobs,
         const std::atomic<bool>* cancelled)
      : jobs_(jobs), cancelled_(cancelled), several_(parts > 1) {
    out_.strings = first.strings;
    out_.axis = first.axis;
    out_.weights = first.weights;
    out_.weight = first.weight;
    out_.complete = true;
    begin_ns_ = slices_begin_ns_ = INT64_MAX;
    end_ns_ = slices_end_ns_ = INT64_MIN;
  }

  void add(TimelinePart part) {
    const SelfTraceMark mark("merge a file");
    ++number_;
    if (several_) out_.files.push_back(part.file);
    move_ = {.shift_ns = part.shift_ns,
             .first_record = part.first_record,
             .record_end = part.record_end};
    names_.clear();
    if (part.timeline.strings != out_.strings) {
      const StringPool& pool = *part.timeline.strings;
      names_.reserve(pool.size());
      for (std::uint32_t i = 0; i < pool.size(); ++i) {
        names_.push_back(taken_over(pool, StringId{i}, *out_.strings));
      }
    }
    move_.names = names_;
    if (part.first_record == 0 && names_.empty()) move_.record_end = kNoRecord;  // nothing to move
    first_process_ = static_cast<std::uint32_t>(out_.processes.size());
    first_thread_ = static_cast<std::uint32_t>(out_.threads.size());
    first_track_ = static_cast<std::uint32_t>(out_.tracks.size());
    add_flows(part.timeline);  // while it has its slices, which tell times
    std::uint64_t clamped = add_tracks(part);
    add_owners(part.timeline);
    add_totals(part.timeline);
    add_texts(part, clamped);
  }

  Timeline take() {
    if (begin_ns_ <= end_ns_) {
      out_.begin_ns = begin_ns_;
      out_.end_ns = end_ns_;
    }
    if (slices_begin_ns_ <= slices_end_ns_) {
      out_.slices_begin_ns = slices_begin_ns_;
      out_.slices_end_ns = slices_end_ns_;
    }
    flows_->flows = FlowList(list_);
    flows_->points = FlowPoints::of(points_.size(), [this](std::size_t i) { return points_[i]; });
    flows_->by_slice = NarrowNumbers(by_slice_, points_.size());
    out_.flows = std::move(flows_);
    return std::move(out_);
  }

 private:
  StringId name(StringId old) const {
    return index(old) < names_.size() ? names_[index(old)] : old;
  }
  std::int64_t time(std::int64_t old_ns) const { return moved_time(old_ns, move_.shift_ns); }
  TrackId track(TrackId old) const {
    return old == kNoTrack ? kNoTrack : TrackId{index(old) + first_track_};
  }

  // Takes the part's tracks over; returns how many slices and instants met the limits of time.
  std::uint64_t add_tracks(TimelinePart& part) {
    std::vector<SliceRow*> rows, covered;
    std::vector<std::shared_ptr<SliceBlock>> blocks;
    for (Track& old : part.timeline.tracks) {
      Track& now = out_.tracks.emplace_back(std::move(old));
      now.process = ProcessId{index(now.process) + first_process_};
      if (now.thread != kNoThread) now.thread = ThreadId{index(now.thread) + first_thread_};
      now.name = name(now.name);
      auto block = std::make_shared<SliceBlock>();
      block->base_depth = now.root().base_depth;
      block->deferred = now.root().deferred;
      for (DeferredChildren& children : block->deferred) children.source = part.source;
      for (const SliceRow& row : now.root().rows) block->rows.push_back({row.chunks, {}});
      for (const SliceRow& row : now.root().nested_instants)
        block->nested_instants.push_back({row.chunks, {}});
      // The old block goes, so that its chunks are freed one by one as they are replaced.
      if (move_.changes_nothing()) {
        for (std::size_t i = 0; i < block->rows.size(); ++i) {
          block->rows[i].upper = now.root().rows[i].upper;
        }
        for (std::size_t i = 0; i < block->nested_instants.size(); ++i) {
          block->nested_instants[i].upper = now.root().nested_instants[i].upper;
        }
      } else {
        for (SliceRow& row : block->rows) rows.push_back(&row);
        for (SliceRow& row : block->nested_instants) rows.push_back(&row);
      }
      now.blocks.clear();
      blocks.push_back(std::move(block));
      now.row_count = static_cast<std::uint32_t>(blocks.back()->rows.size());
      for (CounterSeries& series : now.series) {
        series.name = name(series.name);
        for (std::int64_t& time_ns : series.time_ns) time_ns = time(time_ns);
      }
      if (now.begin_ns <= now.end_ns) {
        now.begin_ns = time(now.begin_ns);
        now.end_ns = time(now.end_ns);
        begin_ns_ = std::min(begin_ns_, now.begin_ns);
        end_ns_ = std::max(end_ns_, now.end_ns);
      }
    }
    if (!move_.changes_nothing()) {
      for (std::size_t i = first_track_; i < out_.tracks.size(); ++i) {
        if (!out_.tracks[i].instants.chunks.empty()) rows.push_back(&out_.tracks[i].instants);
        if (!out_.tracks[i].covered.chunks.empty()) covered.push_back(&out_.tracks[i].covered);
      }
    }
    const std::uint64_t clamped = move_slices(rows, move_, *out_.strings, jobs_, cancelled_);
    move_slices(covered, move_, *out_.strings, jobs_, cancelled_);  // no slices of the trace
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      out_.tracks[first_track_ + i].blocks = {std::move(blocks[i])};
    }
    return clamped;
  }

  void add_owners(Timeline& part) {
    for (Process process : part.processes) {
      process.pid = name(process.pid);
      process.name = name(process.name);
      process.labels = name(process.labels);
      if (several_) process.file = number_ - 1;
      process.sort_index += kFileApart * (number_ - 1);
      if (process.first_ns != INT64_MAX) process.first_ns = time(process.first_ns);
      out_.processes.push_back(process);
    }
    for (const auto& pauses : part.pauses) {
      std::vector<Pause> moved = pauses->all();
      for (Pause& pause : moved) pause = {time(pause.begin_ns), time(pause.end_ns)};
      out_.pauses.push_back(std::make_shared<const ProcessPauses>(
          ProcessId{index(pauses->process()) + first_process_}, std::move(moved)));
    }
    for (Thread thread : part.threads) {
      thread.process = ProcessId{index(thread.process) + first_process_};
      thread.tid = name(thread.tid);
      thread.name = name(thread.name);
      thread.track = track(thread.track);
      out_.threads.push_back(thread);
    }
  }

  void add_flows(const Timeline& part) {
    const auto first_point = static_cast<std::uint32_t>(points_.size());
    for (std::size_t i = 0; i < part.flows->flows.size(); ++i) {
      Flow flow = part.flows->flows[i];
      flow.name = name(flow.name);
      flow.first_point += first_point;
      list_.push_back(flow);
    }
    for (std::size_t i = 0; i < part.flows->points.size(); ++i) {
      FlowPoint point = flow_point(part, i);
      point.track = track(point.track);
      point.time_ns = time(point.time_ns);
      if (point.track != kNoTrack) point.slice_begin_ns = time(point.slice_begin_ns);
      points_.push_back(point);
    }
    // Tracks of this part follow those of the parts before, so the order stays.
    for (std::size_t i = 0; i < part.flows->by_slice.size(); ++i) {
      by_slice_.push_back(static_cast<std::uint32_t>(part.flows->by_slice[i]) + first_point);
    }
  }

  void add_totals(const Timeline& part) {
    out_.show_ns_unit = out_.show_ns_unit || part.show_ns_unit;
    for (const LegendEntry& entry : part.legend) {
      if (std::ranges::find(out_.legend, entry) == out_.legend.end()) {
        out_.legend.push_back(entry);
      }
    }
    out_.threads_apart = out_.threads_apart || part.threads_apart;
    if (part.slice_count > 0) {
      slices_begin_ns_ = std::min(slices_begin_ns_, time(part.slices_begin_ns));
      slices_end_ns_ = std::max(slices_end_ns_, time(part.slices_end_ns));
    }
    constexpr std::array kTotals = {&Timeline::slice_count,
                                    &Timeline::unfinished_count,
                                    &Timeline::overlapping_count,
                                    &Timeline::instant_count,
                                    &Timeline::sample_count,
                                    &Timeline::async_slice_count,
                                    &Timeline::async_unfinished_count,
                                    &Timeline::async_group_count,
                                    &Timeline::async_step_count,
                                    &Timeline::lifetime_count,
                                    &Timeline::lifetime_mark_count,
                                    &Timeline::flow_count,
                                    &Timeline::bind_flow_count,
                                    &Timeline::record_count};
    for (const auto total : kTotals) out_.*total += part.*total;
  }

  void add_texts(const TimelinePart& part, std::uint64_t clamped) {
    Diagnostics odd = part.timeline.diagnostics;
    odd.count(diagnostic::kClampedTime, kNoOffset, {}, clamped);
    if (!several_) {
      out_.diagnostics = odd;
      out_.notes = part.timeline.notes;
      out_.gaps = part.timeline.gaps;
      for (DataGap& gap : out_.gaps) move(gap);
      return;
    }
    out_.diagnostics.merge(odd, part.label, number_);
    add_gaps(part.timeline);
    for (const TraceNote& note : part.timeline.notes) {
      out_.notes.push_back({part.label + ": " + note.key, note.text});
    }
  }

  void move(DataGap& gap) const {
    gap.begin_ns = time(gap.begin_ns);
    if (gap.end_ns != DataGap::kToTheEnd) gap.end_ns = time(gap.end_ns);
  }

  // What is missing of one file is there of the others.
  void add_gaps(const Timeline& part) {
    for (DataGap gap : part.gaps) {
      move(gap);
      if (gap.thread != kNoThread) {
        gap.thread = ThreadId{index(gap.thread) + first_thread_};
      } else {
        gap.file = number_ - 1;
      }
      out_.gaps.push_back(gap);
    }
  }

  Timeline out_;
  std::shared_ptr<Flows> flows_ = std::make_shared<Flows>();
  std::vector<Flow> list_;  // of these
  std::vector<FlowPoint> points_;
  std::vector<std::uint32_t> by_slice_;
  unsigned jobs_;
  const std::atomic<bool>* cancelled_;
  bool several_;
  std::int64_t begin_ns_, end_ns_, slices_begin_ns_, slices_end_ns_;
  // State of the part that is being added.
  unsigned number_ = 0;
  SliceMove move_;
  std::vector<StringId> names_;
  std::uint32_t first_process_ = 0, first_thread_ = 0, first_track_ = 0;
};

}  // namespace

Timeline merge_timelines(std::vector<TimelinePart> parts, unsigned jobs,
                         const std::atomic<bool>* cancelled) {
  if (parts.empty()) return {};
  if (parts.size() == 1 && parts[0].shift_ns == 0 && parts[0].first_record == 0) {
    return std::move(parts[0].timeline);
  }
  Merger merger(parts.front().timeline, parts.size(), jobs, cancelled);
  for (TimelinePart& part : parts) merger.add(std::move(part));
  return merger.take();
}

}  // namespace cinderscope
