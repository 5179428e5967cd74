#include "render/text/track_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "ingest/model/measure/sample_runs.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

constexpr std::size_t kMostNameBytes = 400;  // of a name

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return count_text(count) + " " + std::string(count == 1 ? one : many);
}

// Texts of a file may be of any length.
std::string cut(std::string_view text) {
  return std::string(text.substr(0, kMostNameBytes));
}

void add_line(std::string& text, std::string_view line) {
  if (line.empty()) return;
  text += '\n';
  text += line;
}

std::string process_line(const Timeline& timeline, ProcessId process) {
  const Process& facts = timeline.processes[index(process)];
  std::string line = "Process";
  if (facts.name != kEmptyString) line += " " + cut(timeline.text(facts.name));
  const std::string_view pid = process_id_text(timeline, process);
  if (!pid.empty()) line += " " + cut(pid);
  return line == "Process" ? std::string() : line;
}

// Its whole path, so that files of equal names can be told apart, too.
std::string file_line(const Timeline& timeline, ProcessId process) {
  const TimelineFile* file = file_of(timeline, process);
  return file == nullptr ? std::string() : "File " + cut(file->path);
}

std::string_view word_for_slices(const Timeline& timeline, TrackKind kind, bool one) {
  // A run of samples is no call.
  const bool runs =
      kind == TrackKind::samples || (kind == TrackKind::thread && counts_runs(timeline));
  if (runs) return one ? "run" : "runs";
  if (kind == TrackKind::async) return one ? "async slice" : "async slices";
  if (kind == TrackKind::lifetimes) return one ? "lifetime" : "lifetimes";
  return one ? "call" : "calls";
}

}  // namespace

std::string track_text(const Timeline& timeline, const Track& track, const TrackRow& row,
                       float busy) {
  std::string text = cut(track_label(timeline, track));
  add_line(text, process_line(timeline, track.process));
  add_line(text, file_line(timeline, track.process));
  if (const std::string_view id = track_id_text(timeline, track); !id.empty()) {
    add_line(text, "Thread " + cut(id));
  }
  if (track.kind == TrackKind::counter) {
    add_line(text, counted(track.series.size(), "series", "series"));
    return text;
  }
  if (track.slice_count > 0) {
    const double percent = static_cast<double>(busy) * 100;
    add_line(text, busy > 0 && percent < 0.1 ? "Busy less than 0.1 % of the view"
                                             : fmt::format("Busy {:.1f} % of the view", percent));
    const std::string rows = counted(track.row_count, "row", "rows");
    add_line(text, counted(track.slice_count, word_for_slices(timeline, track.kind, true),
                           word_for_slices(timeline, track.kind, false)) +
                       " in " + rows);
  }
  if (const std::uint64_t instants = instant_count(track); instants > 0) {
    add_line(text, counted(instants, "instant", "instants"));
  }
  if (row.hidden_rows > 0) {
    add_line(text, counted(row.hidden_rows, "row is", "rows are") + " hidden by the depth limit");
  }
  return text;
}

std::string head_text(const Timeline& timeline, const TrackList& tracks, const TrackRow& row) {
  const TrackGroup& group = tracks.groups()[row.group];
  std::string text = cut(group_label(timeline, group));
  if (group.is_process && index(group.process) < timeline.processes.size()) {
    const Process& process = timeline.processes[index(group.process)];
    // An id that stands in for the name is not repeated.
    if (process.name != kEmptyString) add_line(text, process_line(timeline, group.process));
    add_line(text, cut(timeline.text(process.labels)));
    add_line(text, file_line(timeline, group.process));
  }
  const TrackList::GroupTotals& totals = tracks.totals_of(row.group);
  std::string line = counted(totals.shown + totals.hidden, "thread", "threads");
  if (totals.hidden > 0) line += fmt::format(", {} hidden", count_text(totals.hidden));
  add_line(text, line);
  if (totals.calls > 0)
    add_line(text, counted(totals.calls, word_for_slices(timeline, TrackKind::thread, true),
                           word_for_slices(timeline, TrackKind::thread, false)));
  return text;
}

}  // namespace cinderscope
