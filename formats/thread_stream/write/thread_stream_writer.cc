// Writes traces as thread streams: a file for each process, packed.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "formats/thread_stream/write/process_writer.h"
#include "ingest/base/path_text.h"
#include "ingest/part/cut_text.h"
#include "ingest/part/kinds_lost.h"
#include "ingest/part/trace_writer.h"

namespace cinderscope {
namespace thread_stream {
namespace {

constexpr std::size_t kMostFileNameBytes = 100;

void count_losses(const PartReader& part, LossReport& losses) {
  for (const PartTrack& track : part.tracks()) {
    if (track.kind == TrackKind::samples) part.count_lost(loss::kSamples, track, losses);
    if (track.kind == TrackKind::async) part.count_lost(loss::kSteps, track, losses);
    if (track.kind == TrackKind::lifetimes) part.count_lost(loss::kLifetimes, track, losses);
    if (track.kind == TrackKind::thread && track.sort_index != 0) losses.count(loss::kOrder);
  }
  for (const PartProcess& process : part.processes()) {
    if (process.sort_index != 0) losses.count(loss::kOrder);
    if (!process.labels.empty()) losses.count(loss::kLabels);
  }
  losses.count(loss::kFlowEnds, part.flows_cut());
}

// "game-7.tsd"
std::string file_name(const PartProcess& process) {
  std::string name = cut_text(process.name.empty() ? "process" : process.name, kMostFileNameBytes);
  name += fmt::format("-{}", cut_text(process.pid, kMostFileNameBytes));
  std::ranges::replace_if(
      name,
      [](char c) {
        return static_cast<unsigned char>(c) <= ' ' ||
               std::string_view("/\\:*?\"<>|").find(c) != std::string_view::npos;
      },
      '_');
  if (name.starts_with('.')) name.front() = '_';
  return name;
}

class ThreadStreamWriter final : public TraceWriter {
 public:
  std::string_view name() const override { return "tsd"; }
  std::string_view description() const override { return "thread stream"; }
  std::string_view ending() const override { return ".tsd"; }
  bool can_pack() const override { return true; }

  Status write(PartReader& part, Output& out, LossReport& losses) const override {
    count_losses(part, losses);
    const std::size_t count = part.processes().size();
    const bool is_folder = !out.is_stdout() && out.path().extension() != ".tsd" &&
                           !utf8_of(out.path().filename()).ends_with(".tsd.gz") &&
                           !utf8_of(out.path().filename()).ends_with(".tsd.zst");
    if (count > 1 && !is_folder) {
      return refused(fmt::format(
          "A thread stream holds one process, and these are {}: name a folder to write to.",
          count));
    }
    if (!is_folder) {
      const Result<OutputFile*> file = out.file();
      if (!file) return file.error();
      if (count > 0) return write_process(part, 0, **file, losses);
      write_no_process(part, **file, losses);
      return ok();
    }
    std::set<std::string> names;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string base = file_name(part.processes()[i]);
      std::string name = base;
      for (int n = 2; !names.insert(name).second; ++n) name = fmt::format("{}-{}", base, n);
      const Result<OutputFile*> file = out.file_in_folder(name + ".tsd");
      if (!file) return file.error();
      if (Status done = write_process(part, i, **file, losses); !done) return done;
    }
    return ok();
  }
  void foresee(PartReader& part, LossReport& losses) const override { count_losses(part, losses); }
};

}  // namespace
}  // namespace thread_stream

const TraceWriter& thread_stream_writer() {
  static const thread_stream::ThreadStreamWriter writer;
  return writer;
}

}  // namespace cinderscope
