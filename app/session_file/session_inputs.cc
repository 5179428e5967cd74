#include "app/session_file/session_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/session_file/locate.h"
#include "app/session_file/session_path.h"
#include "app/store/state_files.h"
#include "ingest/base/path_text.h"
#include "ingest/search/typed_thread.h"

namespace cinderscope {
namespace {

Error is_missing(const SessionTrace& trace) {
  return refused(fmt::format("{}, a trace of the session, is not there.", trace.path));
}

}  // namespace

ComparedPart part_of(const std::optional<SavedScope>& scope) {
  ComparedPart part;
  if (!scope) return part;
  if (scope->range) {
    if (auto from = typed_time(fmt::to_string(scope->range->begin_ns))) part.from = *from;
    if (auto to = typed_time(fmt::to_string(scope->range->end_ns))) part.to = *to;
  }
  for (const TrackName& name : scope->threads) {
    const std::string text =
        name.kind == TrackKind::thread ? fmt::format("{}/{}", name.pid, name.tid) : name.name;
    if (auto thread = typed_thread(text)) part.threads.push_back(std::move(*thread));
  }
  part.slices = slices_of_word(scope->slices);
  return part;
}

Result<SessionInputs> session_inputs(const std::string& path) {
  const std::string absolute = absolute_path(path);
  Result<ReadSession> read = read_session(absolute);
  if (!read) return read.error();
  SessionInputs inputs{.file = std::move(read->file), .paths = {}};
  for (const LocatedTrace& located :
       locate_traces({.session_path = read->text_path, .traces = inputs.file.traces})) {
    const bool there =
        located.location != Location::missing && located.location != Location::another;
    inputs.paths.push_back(there ? located.path : std::string());
  }
  return inputs;
}

const SessionTab* SessionInputs::tab() const {
  if (file.tabs.empty()) return nullptr;
  return &file.tabs[std::min(file.active, file.tabs.size() - 1)];
}

Result<std::vector<MergeFile>> SessionInputs::files_of(const SessionTab& tab) const {
  std::vector<MergeFile> files;
  for (const TabTrace& of : tab.traces) {
    const SessionTrace* trace = file.trace(of.trace);
    if (trace == nullptr) continue;
    const std::string& path = paths[static_cast<std::size_t>(trace - file.traces.data())];
    if (path.empty()) return is_missing(*trace);
    files.push_back({path, merge_offset_from(of.offset).value_or(MergeOffset{})});
  }
  if (files.empty()) return refused("The session shows no trace.");
  return files;
}

Result<SidesToCompare> SessionInputs::sides_of(const SessionTab& tab) const {
  SidesToCompare sides;
  for (const Side side : {side_a, side_b}) {
    for (const TabTrace& of : side == side_a ? tab.comparison.a : tab.comparison.b) {
      const SessionTrace* trace = file.trace(of.trace);
      if (trace == nullptr || of.left_out) continue;
      const std::string& path = paths[static_cast<std::size_t>(trace - file.traces.data())];
      if (path.empty()) return is_missing(*trace);
      if (sides.texts[side].paths.empty()) sides.texts[side].part = part_of(of.scope);
      sides.texts[side].paths.push_back(path);
      sides.left_out[side].push_back(of.left_out_runs);
    }
    if (sides.texts[side].paths.empty()) return refused("The session's comparison has one side.");
  }
  if (!tab.comparison.names.empty()) {
    if (const Result<NameRules> rules = parse_name_rules(tab.comparison.names)) {
      sides.rules.states = rules->states;
    }
  }
  for (const auto& [expression, text] : tab.comparison.renames) {
    sides.rules.renames.push_back({expression, text});
  }
  if (!Renamer::of(sides.rules.renames)) sides.rules.renames.clear();
  return sides;
}

Result<std::vector<MergeFile>> SessionInputs::all_files() const {
  // With the places that a timeline of all of them has.
  for (const SessionTab& each : file.tabs) {
    if (each.kind == TabKind::merged && each.traces.size() == file.traces.size()) {
      return files_of(each);
    }
  }
  std::vector<MergeFile> files;
  for (std::size_t i = 0; i < file.traces.size(); ++i) {
    if (paths[i].empty()) return is_missing(file.traces[i]);
    files.push_back({paths[i], {}});
  }
  if (files.empty()) return refused("The session has no traces.");
  return files;
}

void SessionInputs::use_load_options(const SessionTab& tab, const std::string& session_path,
                                     LoadOptions& load) const {
  if (tab.kind != TabKind::trace || tab.traces.empty()) return;
  const SessionTrace* trace = file.trace(tab.traces.front().trace);
  if (trace == nullptr) return;
  if (load.weight.empty()) load.weight = tab.flame_graph.own_weight();
  if (load.keep.is_all()) load.keep = trace->keep;
  if (load.names.mapping_path.empty() && !trace->ids.empty()) {
    const std::filesystem::path folder =
        path_of(session_text_path(absolute_path(session_path))).parent_path();
    load.names.mapping_path = utf8_of(folder / path_of(trace->ids));
  }
}

}  // namespace cinderscope
