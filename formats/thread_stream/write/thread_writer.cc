// Threads and marks: what is written as it is read.
#include <fmt/format.h>

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/thread_stream/write/process_writer.h"
#include "formats/thread_stream/write/slice_texts.h"
#include "ingest/format/trace_source.h"
#include "ingest/part/nested_slices.h"
#include "ingest/part/output/spill.h"

namespace cinderscope::thread_stream {
namespace {

constexpr std::size_t kMostKept = 100'000;  // slices of a row in memory

// One stream of a thread: calls that nest.
class CallStream {
 public:
  CallStream(StreamFile& file, std::uint32_t number)
      : file_(file), stream_(file.out, number), nested_(*this, file.losses) {}

  void begin(const PartSlice& slice, const RecordText& text) {
    stream_.enter(file_.tick(slice.begin_ns),
                  file_.tables.site(slice.name_id, slice.name, text.category));
    if (file_.part.options().args) file_.arguments.write(text, slice.record, false, stream_);
    file_.arguments.cut_mark(slice, file_.part.shift_ns(), stream_);
    file_.losses.count_written_slice(slice.is_cut());
    file_.tables.write_much();
  }
  void end(std::int64_t time) { stream_.exit(file_.tick(time)); }

  // Ends the calls; the tick to which the last ones are open.
  std::uint64_t finish() {
    const std::optional<std::int64_t> end = nested_.finish();
    return end ? file_.tick(*end) : 0;
  }
  NestedSlices<CallStream>& nested() { return nested_; }
  PackedStream& stream() { return stream_; }

 private:
  StreamFile& file_;
  PackedStream stream_;
  NestedSlices<CallStream> nested_;
};

// The slices of a further row of overlaps, until their stream is written.
class KeptSlices {
 public:
  Status add(const PartSlice& slice, Spill& spill) {
    kept_.push_back(slice);
    if (kept_.size() < kMostKept) return ok();
    const auto piece =
        spill.put({reinterpret_cast<const char*>(kept_.data()), kept_.size() * sizeof(PartSlice)});
    if (!piece) return piece.error();
    pieces_.push_back(*piece);
    kept_.clear();
    return ok();
  }
  template <class Take>
  void each(const Spill& spill, Take take) const {
    for (const Spill::Piece& piece : pieces_) {
      const std::string_view bytes = spill.get(piece);
      for (std::size_t at = 0; at < bytes.size(); at += sizeof(PartSlice)) {
        PartSlice slice;
        std::memcpy(static_cast<void*>(&slice), bytes.data() + at, sizeof slice);
        take(slice);
      }
    }
    for (const PartSlice& slice : kept_) take(slice);
  }

 private:
  static_assert(std::is_trivially_copyable_v<PartSlice>);
  std::vector<PartSlice> kept_;
  std::vector<Spill::Piece> pieces_;
};

class ThreadVisitor final : public PartVisitor {
 public:
  ThreadVisitor(StreamFile& file, std::uint32_t number)
      : file_(file),
        calls_(file, number),
        texts_(file.part, [this](const auto& slice, const auto& text) { take(slice, text); }) {}

  void slice(const PartSlice& slice) override {
    if (slice.overlap_row == 0) return texts_.add(slice);
    if (further_.size() < slice.overlap_row) further_.resize(slice.overlap_row);
    if (const Status kept = further_[slice.overlap_row - 1].add(slice, spill_); !kept) {
      error_ = kept.error();
    }
  }
  void instant(const PartInstant& instant) override {
    texts_.flush();
    calls_.nested().close_before(instant.time_ns);
    write_instant(file_, instant, calls_.stream());
  }
  void flow_point(const PartFlowPoint& point) override {
    texts_.flush();
    // A point belongs to the innermost call that is open.
    if (point.to_next) {
      waiting_.push_back(point);
    } else {
      calls_.nested().close_ended(point.time_ns);
      write(point);
    }
  }
  bool goes_on() const override { return file_.out.ok() && !error_; }

  static void write_instant(StreamFile& file, const PartInstant& instant, PackedStream& to) {
    const TraceSource* source = file.part.source();
    RecordText text;
    if (source != nullptr && source->has_args() && instant.record != kNoRecord) {
      text = source->describe(instant.record, kNoRecord);
    }
    to.instant(file.tick(instant.time_ns),
               file.tables.site(instant.name_id, instant.name, text.category));
    if (file.part.options().args) file.arguments.write(text, instant.record, false, to);
    file.losses.count_written(loss::kInstants);
    file.tables.write_much();
  }

  // Ends the reading: the first stream, then those of further rows.
  Status finish(std::uint32_t number, const std::string& name, std::uint64_t tid) {
    texts_.flush();
    write_waiting();
    if (error_) return *error_;
    const std::uint64_t last_tick = calls_.finish();
    file_.finish(calls_.stream(), number, name, tid, last_tick);
    const std::string base = name.empty() ? fmt::to_string(tid) : name;
    for (std::size_t i = 0; i < further_.size() && file_.out.ok(); ++i) {
      const std::uint32_t stream = file_.next_stream();
      CallStream calls(file_, stream);
      SliceTexts texts(file_.part, [&](const auto& slice, const auto& text) {
        calls.nested().add(slice, text);
      });
      further_[i].each(spill_, [&](const PartSlice& slice) { texts.add(slice); });
      texts.flush();
      const std::uint64_t last = calls.finish();
      file_.finish(calls.stream(), stream, fmt::format("{} (overlap {})", base, i + 2),
                   file_.tids.new_id(), last);
    }
    return ok();
  }

 private:
  void take(const PartSlice& slice, const RecordText& text) {
    calls_.nested().add(slice, text);
    write_waiting();
  }
  void write_waiting() {
    for (const PartFlowPoint& point : waiting_) write(point);
    waiting_.clear();
  }
  void write(const PartFlowPoint& point) {
    using Place = PartFlowPoint::Place;
    const std::uint16_t aux = point.place == Place::start ? kFlowBegin
                              : point.place == Place::end ? kFlowEnd
                                                          : std::uint16_t{1};
    calls_.stream().valued(file_.tick(point.time_ns), kind::kFlow,
                           file_.tables.site(point.name, {}), aux, point.flow);
    file_.losses.count_written(kFlowPoints);
    file_.tables.write_much();
  }
  static constexpr LossKind kFlowPoints{"flow_points", "point of a flow", "points of flows"};

  StreamFile& file_;
  CallStream calls_;
  SliceTexts texts_;
  std::vector<PartFlowPoint> waiting_;  // for the call that begins next
  std::vector<KeptSlices> further_;     // rows of overlaps
  Spill spill_;
  std::optional<Error> error_;
};

class MarkVisitor final : public PartVisitor {
 public:
  MarkVisitor(StreamFile& file, PackedStream& to) : file_(file), to_(to) {}
  void slice(const PartSlice& /*slice*/) override {}
  void instant(const PartInstant& instant) override {
    ThreadVisitor::write_instant(file_, instant, to_);
  }
  bool goes_on() const override { return file_.out.ok(); }

 private:
  StreamFile& file_;
  PackedStream& to_;
};

}  // namespace

Status write_thread(StreamFile& file, const PartTrack& track, std::string name) {
  const std::uint32_t number = file.next_stream();
  const std::uint64_t tid = file.tids.id_of(track.tid);
  ThreadVisitor visitor(file, number);
  const Result<bool> read = file.part.read(track, visitor);
  if (!read) return read.error();
  if (const Status done = visitor.finish(number, name, tid); !done) return done;
  if (!*read && file.out.ok()) return cancelled_error();
  return ok();
}

Status write_marks(StreamFile& file, const PartTrack& track) {
  const std::uint32_t number = file.next_stream();
  PackedStream stream(file.out, number);
  MarkVisitor visitor(file, stream);
  const Result<bool> read = file.part.read(track, visitor);
  if (!read) return read.error();
  if (!*read && file.out.ok()) return cancelled_error();
  file.finish(stream, number, std::string(track.track_name), file.tids.new_id());
  return ok();
}

}  // namespace cinderscope::thread_stream
