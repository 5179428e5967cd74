#include "app/session/prepared_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <system_error>
#include <utility>

#include "app/store/settings.h"
#include "ingest/base/fields.h"
#include "ingest/base/path_text.h"
#include "ingest/base/self_trace.h"
#include "ingest/format/capabilities.h"
#include "ingest/format/format.h"
#include "ingest/format/trace_source.h"
#include "ingest/os/atomic_file.h"
#include "ingest/os/folder.h"
#include "ingest/prepared/copy_reader.h"
#include "ingest/prepared/trace_key.h"
#include "render/text/size_text.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

// The trace's files, and what reads them; none if copies of such traces are not made.
struct CopiedTrace {
  fs::path path;
  std::vector<fs::path> files;
  TraceReader reader;
  LoadedState* state = nullptr;
};
std::optional<CopiedTrace> copied_trace(const OpenedSource& opened, const LoadOptions& options) {
  if (opened.format == nullptr || opened.merged != nullptr) return {};
  TraceSource& source = *opened.source;
  LoadedState* state = source.loaded_state();
  const Input& input = source.input();
  // The bytes are needed for details, and what is received cannot be had again.
  const bool is_file = state != nullptr && !input.path().empty() && input.may_come_to_hand();
  if (!is_file) return {};
  CopiedTrace trace{.path = input.path(), .files = source.files(), .state = state};
  FieldWriter names;
  names.add(options.names.colours_by_package);
  if (!options.names.mapping_path.empty()) {
    trace.files.emplace_back(path_of(options.names.mapping_path));
    std::error_code unknown;
    names.add_text(utf8_of(fs::absolute(path_of(options.names.mapping_path), unknown)));
  }
  trace.reader = {.format = opened.format->name(),
                  .version = state->reader_version(),
                  .options = std::string(names.bytes())};
  return trace;
}

std::optional<std::string> key_of(const CopiedTrace& trace, const TraceSource& source) {
  std::optional<std::string> key = trace_key(trace.files, trace.reader);
  // The key is of what lies at the paths, which has to be what was opened.
  if (key && source.change_on_disk()) return {};
  return key;
}

bool loads_all(const LoadOptions& options) {
  return options.keep.is_all() && !options.for_writing && options.weight.empty() &&
         !options.dropped_frames;
}

void note_use(const fs::path& file) {
  std::error_code ignored;  // it then counts as older than it is
  fs::last_write_time(file, fs::file_time_type::clock::now(), ignored);
}

void remove_file(const fs::path& file) {
  std::error_code ignored;
  fs::remove(file, ignored);
}

// What lies above the columns is enough for a first picture, long before they were looked at.
void show_unchecked(const Timeline& timeline, LoadContext& context) {
  constexpr std::uint64_t kSoonCheckedSlices = 2'000'000;
  const bool at_once = context.options().snapshots.first_after_ms == 0;
  const bool is_soon_checked = timeline.slice_count < kSoonCheckedSlices && !at_once;
  if (is_soon_checked || !context.shows_snapshots()) return;
  Timeline picture = timeline;
  picture.complete = false;
  picture.columns_checked = false;
  context.hand_out(std::move(picture));
}

// Nothing: there is none, or it does not fit.
std::optional<LoadedTimeline> taken_copy(const OpenedSource& opened, LoadContext& context) {
  const std::optional<CopiedTrace> trace = copied_trace(opened, context.options());
  if (!trace) return {};
  const SelfTraceMark mark("take a prepared copy");
  const fs::path file = path_of(context.options().prepared_folder) /
                        path_of(prepared_file_name(trace->path, trace->reader));
  std::error_code none;
  if (!fs::is_regular_file(file, none)) return {};
  const std::optional<std::string> key = key_of(*trace, *opened.source);
  if (!key) return {};
  Result<PreparedCopy> copy = open_prepared_copy(file, *key, context.jobs());
  Status sound = copy ? ok() : Status(copy.error());
  std::shared_ptr<const PrecomputedTotals> totals;
  if (sound) {
    show_unchecked(copy->timeline, context);
    auto checked = check_columns(*copy, context.jobs(), context.cancel_flag());
    if (checked) totals = std::move(*checked);
    if (!checked) sound = checked.error();
  }
  if (sound) {
    FieldReader state(copy->state);
    if (!opened.source->input().restore_places(state) ||
        !trace->state->restore(state, copy->timeline.strings) || !state.done()) {
      sound = Error{.code = ErrorCode::damaged, .text = "The prepared copy is damaged."};
    }
  }
  if (!sound) {
    const ErrorCode why = sound.error().code;
    if (why == ErrorCode::damaged || why == ErrorCode::refused) remove_file(file);
    return {};
  }
  note_use(file);
  return LoadedTimeline{std::move(copy->timeline), true, std::move(totals)};
}

std::vector<fs::directory_entry> files_in(const fs::path& folder) {
  std::vector<fs::directory_entry> files;
  std::error_code error;
  for (fs::directory_iterator each(folder, error); !error && each != fs::directory_iterator();
       each.increment(error)) {
    std::error_code unknown;
    if (each->is_regular_file(unknown)) files.push_back(*each);
  }
  return files;
}

// What a writer left behind that was killed. Call with the folder's lock, so that none writes now.
void remove_unfinished(const fs::path& folder) {
  const std::string ending = std::string(kPreparedEnding) + std::string(kPartEnding);
  for (const fs::directory_entry& each : files_in(folder)) {
    if (utf8_of(each.path().filename()).find(ending) != std::string::npos) {
      remove_file(each.path());
    }
  }
}

// Removes older copies until there is room for a new one.
Status make_room(const fs::path& folder, std::uint64_t wanted_bytes, const CopyLimits& limits) {
  std::vector<KnownCopy> copies = known_copies(utf8_of(folder));
  std::uint64_t used_bytes = 0;
  for (const KnownCopy& copy : copies) used_bytes += copy.bytes;
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  std::uint64_t most_bytes = limits.most_bytes;
  if (wanted_bytes > most_bytes) {
    return refused(
        fmt::format("A prepared copy would take {}, more than all copies may take together: {}, "
                    "see the setting prepared-size.",
                    size_text(wanted_bytes), size_text(most_bytes)));
  }
  if (!error) {
    const auto free = static_cast<double>(space.available) + static_cast<double>(used_bytes);
    most_bytes = std::min(most_bytes, static_cast<std::uint64_t>(free * limits.share_of_free));
  }
  if (wanted_bytes > most_bytes) {
    return refused(
        fmt::format("A prepared copy would take {}, more than copies may take of this disk: {}, "
                    "{:.0f} % of what is free, see the setting prepared-share.",
                    size_text(wanted_bytes), size_text(most_bytes), 100 * limits.share_of_free));
  }
  while (used_bytes + wanted_bytes > most_bytes && !copies.empty()) {
    used_bytes -= copies.back().bytes;
    remove_file(copies.back().file);
    copies.pop_back();
  }
  return ok();
}

}  // namespace

Result<LoadedTimeline> load_timeline(const OpenedSource& opened, LoadContext& context) {
  if (!context.options().prepared_folder.empty() && loads_all(context.options())) {
    opened.source->note_files();
    if (std::optional<LoadedTimeline> copy = taken_copy(opened, context)) {
      opened.source->note_read();
      return std::move(*copy);
    }
  }
  Result<Timeline> timeline = read_timeline(*opened.source, context);
  if (!timeline) return timeline.error();
  return LoadedTimeline{std::move(*timeline), false};
}

// Whether a file is still written may show only once it was read.
bool can_have_copy(const OpenedSource& opened, const LoadOptions& options) {
  return loads_all(options) && !opened.source->grows() && opened.source->input().is_at_hand() &&
         copied_trace(opened, options).has_value();
}

CopyLimits copy_limits(const Settings& settings) {
  return {.most_bytes = settings.prepared_most_mb * 1'000'000,
          .share_of_free = settings.prepared_percent / 100.0};
}

Status write_copy(const OpenedSource& opened, const Timeline& timeline, const LoadOptions& options,
                  CopyProgress& progress, const CopyLimits& limits) {
  const std::optional<CopiedTrace> trace = copied_trace(opened, options);
  const std::string& folder = options.prepared_folder;
  if (folder.empty() || !trace || !loads_all(options) || opened.source->grows() ||
      !can_be_prepared(timeline)) {
    return refused("No prepared copy can be made of this trace.");
  }
  const Input& input = opened.source->input();
  const std::optional<std::string> key = key_of(*trace, *opened.source);
  if (!input.is_at_hand()) return refused("The packed trace cannot be unpacked piece by piece.");
  if (!key || !opened.source->records_are_same()) {
    return refused("The file has changed since it was read.");
  }
  const FolderLock lock(path_of(folder));
  remove_unfinished(path_of(folder));
  const fs::path file = path_of(folder) / path_of(prepared_file_name(trace->path, trace->reader));
  if (const auto facts = prepared_copy_facts(file); facts && facts->key == *key) return ok();
  if (Status room = make_room(path_of(folder), prepared_bytes(timeline), limits); !room) {
    return room;
  }
  FieldWriter state;
  input.save_places(state);
  trace->state->save(state);
  std::error_code unknown;
  return write_prepared_copy(file, timeline,
                             {.key = *key,
                              .path = utf8_of(fs::absolute(trace->path, unknown)),
                              .state = std::string(state.bytes())},
                             progress);
}

std::vector<KnownCopy> known_copies(const std::string& folder) {
  std::vector<KnownCopy> copies;
  for (const fs::directory_entry& each : files_in(path_of(folder))) {
    if (each.path().extension() != path_of(kPreparedEnding)) continue;
    std::error_code error;
    const auto facts = prepared_copy_facts(each.path());
    copies.push_back({.file = each.path(),
                      .trace = facts ? facts->path : std::string(),
                      .bytes = each.file_size(error),
                      .used = each.last_write_time(error)});
  }
  std::ranges::sort(copies, std::greater<>(), &KnownCopy::used);
  return copies;
}

Status check_copy(const KnownCopy& copy, unsigned jobs) {
  const auto facts = prepared_copy_facts(copy.file);
  if (!facts) return facts.error();
  const Result<PreparedCopy> opened = open_prepared_copy(copy.file, facts->key, jobs);
  if (!opened) return opened.error();
  const std::atomic<bool> cancelled{false};
  const auto checked = check_columns(*opened, jobs, cancelled);
  return checked ? ok() : Status(checked.error());
}

bool remove_copy(const KnownCopy& copy) {
  std::error_code error;
  return fs::remove(copy.file, error);
}

}  // namespace cinderscope
