// Writes traces as .spall version 3: nanoseconds from the begin of what is written.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#include "formats/spall/spall_wire.h"
#include "formats/spall/write/owner_ids.h"
#include "formats/spall/write/piece_writer.h"
#include "formats/spall/write/thread_writer.h"
#include "ingest/part/kinds_lost.h"
#include "ingest/part/ordered_pieces.h"
#include "ingest/part/trace_writer.h"

namespace cinderscope {
namespace spall {
namespace {

constexpr LossKind kAxis{"axis", "axis", "axes", "events count as nanoseconds"};
constexpr std::uint64_t kPieceSlices = 16384;
constexpr std::uint32_t kOverlapTid = std::uint32_t{1} << 31;

bool is_written(const PartTrack& track) {
  return track.kind == TrackKind::thread || track.kind == TrackKind::samples;
}

// Ends the reading with the first slice, which is the earliest.
class FirstSlice final : public PartVisitor {
 public:
  void slice(const PartSlice& slice) override {
    if (!found_) time_ = slice.begin_ns;
    found_ = true;
  }
  bool goes_on() const override { return !found_; }
  std::optional<std::int64_t> time() const { return found_ ? std::optional(time_) : std::nullopt; }

 private:
  bool found_ = false;
  std::int64_t time_ = 0;
};

void count_losses(PartReader& part, LossReport& losses) {
  count_all_but_slices(part, losses);
  if (part.axis() == TimeAxis::events) losses.count(kAxis);
}

// A name that also says the id, where the format cannot.
std::string owner_name(std::string_view name, std::string_view id) {
  if (OwnerIds::is_id(id) || id.empty() || id == "-") return std::string(name);
  return name.empty() ? std::string(id) : fmt::format("{} ({})", name, id);
}

class SpallFile {
 public:
  SpallFile(PartReader& part, OutputFile& file, LossReport& losses)
      : part_(part), losses_(losses), out_{.part = part, .file = file, .losses = losses} {}

  Status write() {
    if (Status found = find_first_time(); !found) return found;
    write_header();
    note_ids();
    list_pieces();
    const unsigned jobs = part_.reads_apart() ? part_.context().jobs() : 1;
    OrderedPieces<PieceRecords> pieces(
        pieces_.size(), jobs,
        [this](std::size_t i, PieceRecords& made, const std::function<bool()>& pass_on) {
          if (!pieces_[i].can_be_apart) return;  // it is written in its turn
          PieceWriter(part_, out_.clock, made, pass_on).write(pieces_[i]);
        },
        [this](std::size_t i, PieceRecords& made, bool whole) {
          status_ = take(pieces_[i], made, whole);
          return status_ && out_.file.ok();
        });
    pieces.run();
    return status_;
  }

 private:
  Status find_first_time() {
    std::optional<std::int64_t> first;
    for (const PartTrack& track : part_.tracks()) {
      if (!is_written(track)) continue;
      FirstSlice visitor;
      const Result<bool> read = part_.read(track, visitor);
      if (!read) return read.error();
      if (visitor.time()) first = std::min(first.value_or(*visitor.time()), *visitor.time());
    }
    out_.clock.first_time = first.value_or(0);
    if (out_.clock.first_time != 0) losses_.count(loss::kClock);
    return ok();
  }

  void write_header() {
    constexpr std::uint64_t kVersion = 3;
    constexpr double kNsPerTick = 1;
    char header[kHeaderBytes] = {};
    std::memcpy(header, &kManualMagic, sizeof kManualMagic);
    std::memcpy(header + kVersionAt, &kVersion, sizeof kVersion);
    std::memcpy(header + kUnitAt, &kNsPerTick, sizeof kNsPerTick);
    out_.file.append({header, sizeof header});
  }

  void note_ids() {
    for (const PartProcess& process : part_.processes()) pids_.note(process.pid);
    for (const PartTrack& track : part_.tracks()) {
      if (track.kind == TrackKind::thread) tids_[track.process].note(track.tid);
    }
  }

  // In the order in which they are written.
  void list_pieces() {
    const bool apart = part_.reads_apart();
    for (std::size_t process = 0; process < part_.processes().size(); ++process) {
      // Empty threads first: a short buffer at the end of a file stops other viewers.
      for (const bool empty : {true, false}) {
        for (const PartTrack& track : part_.tracks()) {
          if (track.process != process || !is_written(track) || track.has_slices == empty) continue;
          std::vector<PartPiece> pieces;
          if (apart) pieces = part_.pieces_of(track, kPieceSlices);
          if (!apart) pieces.emplace_back().track = &track;
          pieces_.insert(pieces_.end(), pieces.begin(), pieces.end());
        }
      }
    }
  }

  // A piece in its turn, or some of it.
  Status take(const PartPiece& piece, PieceRecords& made, bool whole) {
    if (!piece.can_be_apart) {
      const PartTrack& track = *piece.track;
      SpallThread thread = thread_of(track);
      OwnerIds& tids = tids_[track.process];
      const std::uint32_t tid = thread.tid;
      return ThreadWriter(out_, std::move(thread),
                          [&tids, tid](std::uint32_t row) {
                            return tids.free_id(tid + kOverlapTid + (row - 2));
                          })
          .write(track);
    }
    if (piece.is_first() && !open_) open_.emplace(buffers_of(thread_of(*piece.track), out_.file));
    open_->add(made.bytes.view(), made.ends);
    made.clear_bytes();
    if (!whole) return ok();
    if (!made.read) return made.read.error();
    if (!*made.read && out_.file.ok()) {
      return Error{ErrorCode::cancelled, "Writing was cancelled.", {}, kNoOffset};
    }
    losses_.add(made.losses);
    count_cut_names(out_, made.cut_names);
    if (piece.is_last()) {
      open_->finish(out_.file, out_.spill);
      open_.reset();
    }
    return ok();
  }

  SpallThread thread_of(const PartTrack& track) {
    const PartProcess& process = part_.processes()[track.process];
    OwnerIds& tids = tids_[track.process];
    SpallThread thread{.pid = pids_.id_of(track.process, process.pid)};
    if (named_.insert(track.process).second) {
      thread.process_name = fitting_name(owner_name(process.name, process.pid), losses_);
    }
    std::string name;
    if (track.kind == TrackKind::thread) {
      const std::ptrdiff_t number = &track - part_.tracks().data();
      thread.tid = tids.id_of(static_cast<std::size_t>(number), track.tid);
      name = owner_name(track.name, track.tid);
    } else {
      thread.tid = tids.free_id(1);
      name = track.has_thread ? owner_name(track.name.empty() ? track.tid : track.name, {}) : "";
      name += (name.empty() ? "" : " ") + std::string(track.track_name);
    }
    thread.name = fitting_name(name, losses_);
    return thread;
  }

  PartReader& part_;
  LossReport& losses_;
  SpallOutput out_;
  OwnerIds pids_;
  std::map<std::size_t, OwnerIds> tids_;  // by process
  std::set<std::size_t> named_;           // processes whose name was told
  std::vector<PartPiece> pieces_;
  std::optional<ThreadBuffers> open_;  // of the thread whose pieces are being taken
  Status status_ = ok();
};

class SpallWriter final : public TraceWriter {
 public:
  std::string_view name() const override { return "spall"; }
  std::string_view description() const override { return "spall"; }
  std::string_view ending() const override { return ".spall"; }
  bool can_pack() const override { return true; }

  Status write(PartReader& part, Output& out, LossReport& losses) const override {
    const Result<OutputFile*> file = out.file();
    if (!file) return file.error();
    count_losses(part, losses);
    return SpallFile(part, **file, losses).write();
  }
  void foresee(PartReader& part, LossReport& losses) const override { count_losses(part, losses); }
};

}  // namespace
}  // namespace spall

const TraceWriter& spall_writer() {
  static const spall::SpallWriter writer;
  return writer;
}

}  // namespace cinderscope
