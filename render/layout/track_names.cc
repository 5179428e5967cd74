// What processes, threads, groups and tracks are called, and how commands name them.
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "ingest/base/ascii.h"
#include "render/base/actions.h"
#include "render/layout/track_list.h"

namespace cinderscope {

namespace {

// A writer's way to say that there is none.
bool is_none(std::string_view id) {
  return id.empty() || id == "-";
}

// "Process 7", but "Traces" where a writer gave a name for an id.
std::string label_of_id(std::string_view kind, std::string_view id) {
  const bool is_number = id[0] == '-' || is_digit(id[0]);
  return is_number ? fmt::format("{} {}", kind, id) : std::string(id);
}

}  // namespace

std::string group_label(const Timeline& timeline, const TrackGroup& group) {
  return group.is_process ? process_label(timeline, group.process) : group.name;
}

std::string head_argument(const TrackGroup& group, std::string_view before) {
  if (group.is_process) return fmt::format("{}process {}", before, index(group.process));
  return quoted_argument(fmt::format("{}group {}", before, group.name));
}

std::string track_argument(TrackId track) {
  return fmt::format("track {}", index(track));
}

const TimelineFile* file_of(const Timeline& timeline, ProcessId process) {
  if (index(process) >= timeline.processes.size()) return nullptr;
  const std::uint32_t file = timeline.processes[index(process)].file;
  return file < timeline.files.size() ? &timeline.files[file] : nullptr;
}

std::string process_label(const Timeline& timeline, ProcessId process) {
  const std::string name = process_name(timeline, process);
  const TimelineFile* file = file_of(timeline, process);
  return file == nullptr ? name : fmt::format("{} ({})", name, file->name);
}

std::string process_name(const Timeline& timeline, ProcessId process) {
  if (index(process) >= timeline.processes.size()) return {};
  const Process& owner = timeline.processes[index(process)];
  if (owner.name != kEmptyString) return std::string(timeline.text(owner.name));
  const std::string_view pid = timeline.text(owner.pid);
  return is_none(pid) ? "(no process)" : label_of_id("Process", pid);
}

std::string_view process_id_text(const Timeline& timeline, ProcessId process) {
  if (index(process) >= timeline.processes.size()) return {};
  const std::string_view pid = timeline.text(timeline.processes[index(process)].pid);
  return is_none(pid) ? std::string_view() : pid;
}

std::string track_label(const Timeline& timeline, const Track& track) {
  const Thread* thread = thread_of(timeline, track);
  if (track.kind == TrackKind::thread && thread != nullptr) {
    if (thread->name != kEmptyString) return std::string(timeline.text(thread->name));
    const std::string_view tid = timeline.text(thread->tid);
    return is_none(tid) ? "(no thread)" : label_of_id("Thread", tid);
  }
  return std::string(display_name(timeline, track.name));
}

std::string_view track_id_text(const Timeline& timeline, const Track& track) {
  const Thread* thread = thread_of(timeline, track);
  if (track.kind != TrackKind::thread || thread == nullptr) return {};
  if (thread->name == kEmptyString) return {};
  return timeline.text(thread->tid);
}

}  // namespace cinderscope
