// Writes traces as .spall version 3: nanoseconds from the begin of what is written.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#include "formats/spall/spall_wire.h"
#include "formats/spall/write/owner_ids.h"
#include "formats/spall/write/thread_writer.h"
#include "ingest/part/kinds_lost.h"
#include "ingest/part/trace_writer.h"

namespace cinderscope {
namespace spall {
namespace {

constexpr LossKind kAxis{"axis", "axis", "axes", "events count as nanoseconds"};
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
    if (const Status found = find_first_time(); !found) return found;
    write_header();
    note_ids();
    for (std::size_t process = 0; process < part_.processes().size(); ++process) {
      // Empty threads first: a short buffer at the end of a file stops other viewers.
      for (const bool empty : {true, false}) {
        for (const PartTrack& track : part_.tracks()) {
          if (track.process != process || !is_written(track) || track.has_slices == empty) continue;
          if (const Status written = write_track(track); !written) return written;
        }
      }
    }
    return ok();
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

  Status write_track(const PartTrack& track) {
    const PartProcess& process = part_.processes()[track.process];
    OwnerIds& tids = tids_[track.process];
    SpallThread thread{.pid = pids_.id_of(process.pid)};
    if (named_.insert(track.process).second) {
      thread.process_name = fitting_name(owner_name(process.name, process.pid), losses_);
    }
    std::string name;
    if (track.kind == TrackKind::thread) {
      thread.tid = tids.id_of(track.tid);
      name = owner_name(track.name, track.tid);
    } else {
      thread.tid = tids.free_id(1);
      name = track.has_thread ? owner_name(track.name.empty() ? track.tid : track.name, {}) : "";
      name += (name.empty() ? "" : " ") + std::string(track.track_name);
    }
    thread.name = fitting_name(name, losses_);
    const std::uint32_t tid = thread.tid;
    return ThreadWriter(out_, std::move(thread),
                        [&tids, tid](std::uint32_t row) {
                          return tids.free_id(tid + kOverlapTid + (row - 2));
                        })
        .write(track);
  }

  PartReader& part_;
  LossReport& losses_;
  SpallOutput out_;
  OwnerIds pids_;
  std::map<std::size_t, OwnerIds> tids_;  // by process
  std::set<std::size_t> named_;           // processes whose name was told
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
