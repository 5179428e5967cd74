// Threads and marks: a thread in pieces where it can be cut, else as it is read.
#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "formats/thread_stream/write/call_stream.h"
#include "formats/thread_stream/write/recorded_stream.h"
#include "ingest/part/ordered_pieces.h"
#include "ingest/part/output/spill.h"

namespace cinderscope::thread_stream {
namespace {

constexpr std::size_t kMostKept = 100'000;  // slices of a row in memory
constexpr std::uint64_t kPieceSlices = 16384;
constexpr std::size_t kPieceBatch = 512;           // slices whose records are read together
constexpr std::size_t kMostPieceBytes = 1u << 20;  // then it waits for its turn

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

// A stream that is written as it is told.
struct OpenStream {
  explicit OpenStream(StreamFile& file)
      : number(file.next_stream()),
        stream(file.out, number),
        sink(file.tables, stream, file.losses) {}
  OpenStream(const OpenStream&) = delete;
  OpenStream& operator=(const OpenStream&) = delete;

  std::uint32_t number;
  PackedStream stream;
  DirectSink sink;
};

class ThreadVisitor final : public PartVisitor {
 public:
  ThreadVisitor(StreamFile& file, OpenStream& stream)
      : file_(file),
        stream_(stream),
        calls_(file, stream.sink, file.losses, file.part.context().jobs()) {}

  void slice(const PartSlice& slice) override {
    if (slice.overlap_row == 0) return calls_.slice(slice);
    if (further_.size() < slice.overlap_row) further_.resize(slice.overlap_row);
    if (const Status kept = further_[slice.overlap_row - 1].add(slice, spill_); !kept) {
      error_ = kept.error();
    }
  }
  void instant(const PartInstant& instant) override { calls_.instant(instant); }
  void flow_point(const PartFlowPoint& point) override { calls_.flow_point(point); }
  bool goes_on() const override { return file_.out.ok() && !error_; }

  // Ends the reading: the first stream, then those of further rows.
  Status finish(const std::string& name, std::uint64_t tid) {
    calls_.flush();
    calls_.write_waiting();
    if (error_) return *error_;
    const std::uint64_t last_tick = calls_.calls().finish();
    file_.finish(stream_.stream, stream_.number, name, tid, last_tick);
    const std::string base = name.empty() ? fmt::to_string(tid) : name;
    for (std::size_t i = 0; i < further_.size() && file_.out.ok(); ++i) {
      OpenStream stream(file_);
      CallOrder calls(file_, stream.sink, file_.losses, file_.part.context().jobs());
      further_[i].each(spill_, [&](const PartSlice& slice) { calls.slice(slice); });
      calls.flush();
      const std::uint64_t last = calls.calls().finish();
      file_.finish(stream.stream, stream.number, fmt::format("{} (overlap {})", base, i + 2),
                   file_.tids.new_id(), last);
    }
    return ok();
  }

 private:
  StreamFile& file_;
  OpenStream& stream_;
  CallOrder calls_;
  std::vector<KeptSlices> further_;  // rows of overlaps
  Spill spill_;
  std::optional<Error> error_;
};

class MarkVisitor final : public PartVisitor {
 public:
  MarkVisitor(StreamFile& file, OpenStream& to) : file_(file), calls_(file, to.sink, file.losses) {}
  void slice(const PartSlice& /*slice*/) override {}
  void instant(const PartInstant& instant) override { calls_.instant(instant); }
  bool goes_on() const override { return file_.out.ok(); }

 private:
  StreamFile& file_;
  CallStream calls_;
};

struct ThreadPiece {
  RecordedStream stream;
  LossReport losses;
  std::vector<PartFlowPoint> left_over;  // for the call that begins next
  std::uint64_t last_tick = 0;           // of the last piece: to which calls are open
  Result<bool> read = true;              // as PartReader::read() says

  void clear() {
    stream.clear();
    losses = {};
    left_over.clear();
    last_tick = 0;
    read = true;
  }
};

// On any thread.
class PieceVisitor final : public PartVisitor {
 public:
  PieceVisitor(StreamFile& file, ThreadPiece& made, const std::function<bool()>& pass_on)
      : file_(file),
        made_(made),
        pass_on_(pass_on),
        calls_(file, made.stream, made.losses, 1, kPieceBatch) {}

  void write(const PartPiece& piece) {
    // What waits for a call stands behind the first one of the next piece.
    bool is_first = !piece.is_first();
    calls_.before_waiting([&] {
      if (std::exchange(is_first, false)) made_.stream.left_over();
    });
    made_.read = file_.part.read(piece, *this);
    calls_.flush();
    if (!made_.read || !*made_.read) return;
    if (piece.is_last()) {
      calls_.write_waiting();
      made_.last_tick = calls_.calls().finish();
    } else {
      // The next piece begins with a slice of that time.
      calls_.calls().nested().close_before(piece.to_ns - file_.part.shift_ns());
      made_.left_over = std::move(calls_.waiting());
    }
  }

  void open(const PartSlice& slice) override { calls_.calls().nested().reopen(slice); }
  void slice(const PartSlice& slice) override { calls_.slice(slice), look(); }
  void instant(const PartInstant& instant) override { calls_.instant(instant), look(); }
  void flow_point(const PartFlowPoint& point) override { calls_.flow_point(point), look(); }
  bool goes_on() const override { return going_; }

 private:
  void look() {
    if (made_.stream.bytes() >= kMostPieceBytes && going_) going_ = pass_on_();
  }

  StreamFile& file_;
  ThreadPiece& made_;
  const std::function<bool()>& pass_on_;
  CallOrder calls_;
  bool going_ = true;
};

// Uses the pieces of threads in their order.
class ThreadsWriter {
 public:
  explicit ThreadsWriter(StreamFile& file) : file_(file) {}

  Status write(std::span<const PartTrack* const> threads) {
    const bool apart = file_.part.reads_apart();
    std::vector<PartPiece> pieces;
    for (const PartTrack* track : threads) {
      std::vector<PartPiece> of_track(1);
      of_track.front().track = track;
      if (apart) of_track = file_.part.pieces_of(*track, kPieceSlices);
      pieces.insert(pieces.end(), of_track.begin(), of_track.end());
    }
    Status status = ok();
    OrderedPieces<ThreadPiece>(
        pieces.size(), apart ? file_.part.context().jobs() : 1,
        [&](std::size_t i, ThreadPiece& made, const std::function<bool()>& pass_on) {
          if (!pieces[i].can_be_apart) return;  // it is written in its turn
          PieceVisitor(file_, made, pass_on).write(pieces[i]);
        },
        [&](std::size_t i, ThreadPiece& made, bool whole) {
          status = pieces[i].can_be_apart ? take(pieces[i], made, whole)
                                          : write_thread(*pieces[i].track);
          return status && file_.out.ok();
        })
        .run();
    return status;
  }

 private:
  Status take(const PartPiece& piece, ThreadPiece& made, bool whole) {
    const PartTrack& track = *piece.track;
    if (piece.is_first() && !stream_) {
      stream_.emplace(file_);
      tid_ = file_.tids.id_of(track.tid);
    }
    made.stream.write(stream_->sink, [this] {
      CallStream calls(file_, stream_->sink, file_.losses);
      for (const PartFlowPoint& point : left_over_) calls.flow_point(point);
      left_over_.clear();
    });
    made.stream.clear_steps();
    if (!whole) return ok();
    if (!made.read) return made.read.error();
    if (!*made.read && file_.out.ok()) return cancelled_error();
    file_.losses.add(made.losses);
    left_over_.insert(left_over_.end(), made.left_over.begin(), made.left_over.end());
    if (piece.is_last()) {
      file_.finish(stream_->stream, stream_->number, thread_name(track), tid_, made.last_tick);
      stream_.reset();
    }
    return ok();
  }

  Status write_thread(const PartTrack& track) {
    OpenStream stream(file_);
    const std::uint64_t tid = file_.tids.id_of(track.tid);
    ThreadVisitor visitor(file_, stream);
    const Result<bool> read = file_.part.read(track, visitor);
    if (!read) return read.error();
    if (Status done = visitor.finish(thread_name(track), tid); !done) return done;
    if (!*read && file_.out.ok()) return cancelled_error();
    return ok();
  }

  StreamFile& file_;
  std::optional<OpenStream> stream_;  // of the thread whose pieces are being taken
  std::uint64_t tid_ = 0;
  std::vector<PartFlowPoint> left_over_;
};

}  // namespace

Status write_threads(StreamFile& file, std::span<const PartTrack* const> threads) {
  return ThreadsWriter(file).write(threads);
}

Status write_marks(StreamFile& file, const PartTrack& track) {
  OpenStream stream(file);
  MarkVisitor visitor(file, stream);
  const Result<bool> read = file.part.read(track, visitor);
  if (!read) return read.error();
  if (!*read && file.out.ok()) return cancelled_error();
  file.finish(stream.stream, stream.number, std::string(track.track_name), file.tids.new_id());
  return ok();
}

}  // namespace cinderscope::thread_stream
