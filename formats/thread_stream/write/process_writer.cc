#include "formats/thread_stream/write/process_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "formats/thread_stream/write/bytes.h"
#include "ingest/input/crc32.h"

namespace cinderscope::thread_stream {
namespace {

// Of traces that begin before 0.
constexpr std::int64_t kEarliest = -(std::int64_t{1} << 62);

std::string file_header(std::uint64_t pid) {
  std::string out(kMagic);
  append_value(out, std::uint16_t{1});
  append_value(out, std::uint16_t{0});
  append_value(out, static_cast<std::uint16_t>(kHeaderBytes));
  append_value(out, std::uint8_t{0});
  append_value(out, kExactRatio);
  append_value(out, static_cast<std::uint32_t>(kPlaceBytes));
  append_value(out, std::uint32_t{0});
  append_value(out, pid);
  append_value(out, std::uint64_t{1});  // a nanosecond a tick
  append_value(out, std::uint64_t{1});
  out.resize(kCheckedBytes);
  append_value(out, crc32_of(std::as_bytes(std::span(out))));
  return out;
}

std::int64_t earliest(const PartReader& part) {
  const PartOptions& options = part.options();
  const std::int64_t begin = part.timeline().begin_ns;
  return (options.edges == RangeEdges::whole ? begin : std::max(options.from, begin)) -
         part.shift_ns();
}

bool is_empty(const PartTrack& track) {
  return !track.has_slices && !track.has_instants;
}

}  // namespace

StreamFile::StreamFile(PartReader& of, OutputFile& file, LossReport& report)
    : part(of),
      out(file),
      losses(report),
      tables(file, report),
      base(earliest(of) < 0 ? kEarliest : 0) {}

void StreamFile::finish(PackedStream& stream, std::uint32_t number, std::string name,
                        std::uint64_t tid, std::uint64_t last_tick) {
  stream.finish();
  tables.thread({.stream = number,
                 .name = std::move(name),
                 .tid = tid,
                 .first_tick = stream.first_tick(),
                 .last_tick = std::max(stream.last_tick(), last_tick),
                 .records = stream.records()});
  tables.write_much();
}

std::string thread_name(const PartTrack& track) {
  if (thread_number(track.tid) || track.tid.empty() || track.tid == "-") {
    return std::string(track.name);
  }
  return track.name.empty() ? std::string(track.tid)
                            : fmt::format("{} ({})", track.name, track.tid);
}

Error cancelled_error() {
  return {ErrorCode::cancelled, "Writing was cancelled.", {}, kNoOffset};
}

void write_no_process(PartReader& part, OutputFile& out, LossReport& losses) {
  StreamFile file(part, out, losses);
  out.append(file_header(0));
  file.tables.finish();
}

Status write_process(PartReader& part, std::size_t process, OutputFile& out, LossReport& losses) {
  StreamFile file(part, out, losses);
  const PartProcess& of = part.processes()[process];
  const auto pid = thread_number(of.pid);
  const bool has_id = of.pid.empty() || of.pid == "-" || pid;
  out.append(file_header(pid.value_or(has_id ? 0 : std::uint64_t{1} << 32)));
  std::string name(of.name);
  if (!has_id) name += fmt::format("{}({})", name.empty() ? "" : " ", of.pid);
  if (!name.empty()) file.tables.fact("name", name);
  if (part.axis() == TimeAxis::events) file.tables.fact("axis", "events");
  if (file.base != 0) file.tables.clock(file.base);

  std::vector<const PartTrack*> threads, marks;
  for (const PartTrack& track : part.tracks()) {
    if (track.process != process) continue;
    if (track.kind == TrackKind::thread) {
      threads.push_back(&track);
      file.tids.note(track.tid);
    }
    if (track.kind == TrackKind::marks) marks.push_back(&track);
  }
  // What belongs to no thread needs one all the same; written again it is found to be empty.
  const PartTrack* shared = nullptr;
  if (marks.empty() && !threads.empty() && is_empty(*threads.back())) {
    shared = threads.back();
    threads.pop_back();
  }
  if (Status done = write_threads(file, threads); !done) return done;
  for (const PartTrack* track : marks) {
    if (Status done = write_marks(file, *track); !done) return done;
  }
  if (Status done = write_shared(file, process, shared); !done) return done;
  file.tables.finish();
  return ok();
}

}  // namespace cinderscope::thread_stream
