// Reads the part of a trace that is to be written, thread by thread in time order.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/format/load_context.h"
#include "ingest/part/loss_report.h"
#include "ingest/part/part_options.h"
#include "ingest/part/part_records.h"

namespace cinderscope {

class TraceSource;

// Takes the records of one track. By time; at equal times slices, callers first, then instants,
// then points of flows. What a visitor does not override is not wanted: it is left out by the
// reader and counted as lost.
class PartVisitor {
 public:
  virtual ~PartVisitor() = default;
  virtual void slice(const PartSlice& slice) = 0;
  virtual void instant(const PartInstant& instant) { (void)instant; }
  virtual void flow_point(const PartFlowPoint& point) { (void)point; }
  virtual void counter(const PartCounter& counter) { (void)counter; }
  // Of pieces, before all else: a slice of an earlier piece that goes on in this one; outermost
  // first.
  virtual void open(const PartSlice& slice) { (void)slice; }
  virtual bool wants_numbers() const { return false; }  // of these
  // False: ends the reading, e.g. since the output cannot be written.
  virtual bool goes_on() const { return true; }
};

// One thread at a time uses it, but for pieces that can be apart. The timeline is shared, so it
// stays as it was when the reader was made; children on disk are read by `source` piece by piece,
// so then nobody else may use that.
class PartReader {
 public:
  // `source` may be null where records need not be read (no arguments, no categories).
  PartReader(const Timeline& timeline, TraceSource* source, PartOptions options,
             LoadContext& context);
  ~PartReader();
  PartReader(const PartReader&) = delete;
  PartReader& operator=(const PartReader&) = delete;

  const Timeline& timeline() const { return timeline_; }
  TraceSource* source() const { return source_; }
  const PartOptions& options() const { return options_; }
  LoadContext& context() const { return *context_; }
  TimeAxis axis() const { return timeline_.axis; }
  // What was taken off all times (`zero`).
  std::int64_t shift_ns() const { return shift_ns_; }

  // In the order in which they are shown; of processes those that have tracks among these, and of
  // the trace's own threads without anything all, unless there is a range.
  const std::vector<PartProcess>& processes() const { return processes_; }
  const std::vector<PartTrack>& tracks() const { return tracks_; }

  // Once for each track, in any order. False: cancelled, or the visitor had enough. An Error: some
  // of the input could not be read.
  Result<bool> read(const PartTrack& track, PartVisitor& visitor);
  // Whether pieces can be read side by side: all children are in memory, and names stay.
  bool reads_apart() const;
  // The track in pieces of about so many slices, in order: cut without regard to the number of
  // threads. One piece where it cannot be cut: slices that partly overlap, other kinds than calls.
  std::vector<PartPiece> pieces_of(const PartTrack& track, std::uint64_t slices) const;
  // As read(), and on any thread: the pieces of a track give together what the track gives.
  Result<bool> read(const PartPiece& piece, PartVisitor& visitor);
  // Pauses of a process, cut to the range.
  std::vector<PartPause> pauses(const PartProcess& process) const;

  // Reads the record again, so only for writers that have a place for it.
  PartText text_of(const PartInstant& instant) const;
  // Of many slices at once; any thread, while the track is read on.
  void texts_of(std::span<const PartSlice> slices, std::vector<PartText>& texts) const;

  // What a format has no place for: counted without reading, as far as it is known.
  void count_lost(const LossKind& kind, const PartTrack& track, LossReport& losses) const;
  // Arrows with an end outside of the range or on no slice: they are handed out by nobody.
  std::uint64_t flows_cut() const { return flows_cut_; }
  std::vector<std::int64_t> flow_times() const;  // of all points that are handed out, sorted
  std::uint64_t flow_count() const;              // that are handed out

  std::string_view text(StringId id) const { return timeline_.text(id); }

 private:
  struct Walk;
  struct Point {
    TrackId track;
    std::int64_t time_ns;
    std::uint64_t flow;
    std::uint32_t name;
    PartFlowPoint::Place place;
    bool to_next;
  };

  void list_tracks();
  void list_flow_points();
  void find_shift();
  bool is_in(std::int64_t time_ns) const {
    return time_ns >= options_.from && time_ns < options_.to;
  }
  // Outside of the range, but only since the trace's first or last call is, which the range
  // reaches.
  bool is_beyond_trace(std::int64_t time_ns) const {
    return (time_ns < options_.from && options_.from <= timeline_.begin_ns) ||
           (time_ns >= options_.to && options_.to >= timeline_.end_ns);
  }
  Result<bool> read_counter(const Track& track, PartVisitor& visitor);
  std::string_view name_of(StringId id);

  Timeline timeline_;
  TraceSource* source_;
  PartOptions options_;
  LoadContext* context_;
  std::int64_t shift_ns_ = 0;
  std::vector<PartProcess> processes_;
  std::vector<PartTrack> tracks_;
  std::vector<Point> points_;  // by track and time
  std::uint64_t flows_cut_ = 0;
};

}  // namespace cinderscope
