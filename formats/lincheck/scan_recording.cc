#include "formats/lincheck/scan_recording.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "formats/lincheck/index/index_file.h"
#include "formats/lincheck/index/index_reader.h"
#include "formats/lincheck/scan.h"

namespace cinderscope::lincheck {
namespace {

// How well a layout fits what was read with it.
struct ReadSoFar {
  bool is_whole = false;   // to the end mark
  bool in_blocks = false;  // only the end mark is missing, as after a crash
  std::uint64_t end = 0;   // where reading ended
  auto operator<=>(const ReadSoFar&) const = default;
};

ReadSoFar read_so_far(const TraceMap& map) {
  const bool sound = !map.diagnostics.has(diagnostic::kDataDamaged) &&
                     !map.diagnostics.has(diagnostic::kTruncatedBlock);
  return {sound && !map.diagnostics.has(diagnostic::kNoEndMark), sound, map.end};
}

constexpr std::string_view kInstead = "What it should say was worked out from the data.";

void report_missing_index(const std::string& name, TraceMap& map) {
  map.diagnostics.count(diagnostic::kIndexRebuilt, kNoOffset,
                        fmt::format("There is no index file {}. {}", name, kInstead));
}

void report_bad_index(const IndexComparison::Problem& problem, TraceMap& map) {
  const auto offset = static_cast<std::int64_t>(problem.at);
  if (problem.is_cut) {
    map.diagnostics.count(diagnostic::kIndexRebuilt, offset,
                          fmt::format("The index file is not complete, as after a crash: {}. {}",
                                      problem.what, kInstead));
  } else {
    map.diagnostics.count(
        diagnostic::kIndexDamaged, offset,
        fmt::format("The index file is wrong and was left aside: {}. {}", problem.what, kInstead));
  }
}

Result<ScannedRecording> scan_with(const Layout& layout, const RecordingFiles& files,
                                   const LoadContext& context,
                                   const std::function<bool(std::uint64_t)>& tick,
                                   bool rebuild_index) {
  ScannedRecording out;
  out.layout = layout;
  const Bytes bytes = [&files](std::uint64_t wanted) { return files.data(wanted); };
  ScanOptions options{.window_bytes = context.window_bytes(), .tick = tick};
  std::optional<IndexComparison> comparison;
  if (const auto index = files.index_bytes()) {
    comparison.emplace(*index, layout);
    // Dumps of these versions cannot be told by their data.
    constexpr std::int64_t kFirstWithThreadNames = 10;
    if (layout.version < kFirstWithThreadNames && index->size() >= kHeaderBytes + kCellBytes) {
      const IndexCell first = read_cell(index->data() + kHeaderBytes);
      options.dump_mode = layout.kind_of_byte[first.kind] != Kind::block_start;
    }
  }
  bool kept = true;
  if (rebuild_index) {
    Result<std::unique_ptr<GrowingFile>> file = GrowingFile::create(files.input().disk_share());
    if (!file) return file.error();
    out.rebuilt_index = std::move(*file);
    kept = out.rebuilt_index->append(index_header(layout.version));
  }
  if (comparison || rebuild_index) {
    options.cells = [&](std::span<const std::byte> cells) {
      if (comparison) comparison->add(cells);
      if (rebuild_index && kept) kept = out.rebuilt_index->append(cells);
    };
  }
  out.map = scan(bytes, layout, options);
  if (rebuild_index) out.rebuilt_index->close();
  if (!kept) {
    const Diagnostic& why = out.rebuilt_index->trouble().by_code().begin()->second;
    return Error{ErrorCode::cannot_read, why.text, why.advice};
  }
  if (context.cancelled()) return Error{ErrorCode::cancelled, "Loading was cancelled.", {}};
  TraceMap& map = out.map;
  if (files.packed() != nullptr) map.is_diff |= files.packed()->is_diff;
  const bool is_damaged =
      map.diagnostics.has(diagnostic::kTruncated) || map.diagnostics.has(diagnostic::kDataDamaged);
  if (is_damaged) return out;
  if (!comparison) {
    out.index_is_bad = files.index_is_wanted();
    if (out.index_is_bad) report_missing_index(files.index_name(), map);
  } else if (const auto problem = comparison->finish()) {
    out.index_is_bad = true;
    report_bad_index(*problem, map);
  }
  return out;
}

}  // namespace

Result<ScannedRecording> scan_recording(const RecordingFiles& files, std::int64_t version,
                                        const LoadContext& context,
                                        const std::function<bool(std::uint64_t)>& tick,
                                        bool rebuild_index) {
  Result<ScannedRecording> usual =
      scan_with(layout_of(version), files, context, tick, rebuild_index);
  if (!usual || !has_alternative(version)) return usual;
  const ReadSoFar so_far = read_so_far(usual->map);
  if (so_far.is_whole) return usual;
  Result<ScannedRecording> other =
      scan_with(layout_of(version, true), files, context, tick, rebuild_index);
  return !other || so_far < read_so_far(other->map) ? std::move(other) : std::move(usual);
}

}  // namespace cinderscope::lincheck
