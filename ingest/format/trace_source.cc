#include "ingest/format/trace_source.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ingest/base/path_text.h"

namespace cinderscope {

Result<LoadedChildren> TraceSource::load_children(const ChildQuery&, StringPool&, LoadContext&) {
  return LoadedChildren{};  // a source that leaves nothing on disk is never asked
}

RecordText TraceSource::read_record(RecordOffset, RecordOffset) const {
  return {};
}

void TraceSource::read_records(std::span<const RecordEnds> records,
                               std::span<RecordText> texts) const {
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto [record, end_record] = records[i];
    const bool is_none = record == kNoRecord && end_record == kNoRecord;
    texts[i] = is_none ? RecordText{} : read_record(record, end_record);
  }
}

void TraceSource::read_categories(std::span<const RecordEnds> records,
                                  std::span<std::string> categories) const {
  std::vector<RecordText> texts(records.size());
  read_records(records, texts);
  for (std::size_t i = 0; i < texts.size(); ++i) categories[i] = std::move(texts[i].category);
}

bool TraceSource::append_plain_args(RecordOffset, std::string&) const {
  return false;
}

namespace {

// What leaves so much out that nothing is to be shown.
std::optional<Error> refusal_in(const Diagnostics& diagnostics) {
  for (const auto& [kind, code] : {std::pair(diagnostic::kDiskShare, ErrorCode::too_large),
                                   std::pair(diagnostic::kAddressSpace, ErrorCode::no_memory),
                                   std::pair(diagnostic::kMemoryShare, ErrorCode::no_memory)}) {
    const auto found = diagnostics.by_code().find(kind.code);
    if (found == diagnostics.by_code().end()) continue;
    return Error{.code = code, .text = found->second.text, .expected = found->second.advice};
  }
  return std::nullopt;
}

}  // namespace

bool TraceSource::records_stay() const {
  const FileChange change = input().bytes_change();
  return change == FileChange::none || change == FileChange::grown;
}

RecordText TraceSource::describe(RecordOffset record, RecordOffset end_record) const {
  RecordText text;
  const RecordEnds ends{record, end_record};
  describe_all({&ends, 1}, {&text, 1});
  return text;
}

void TraceSource::describe_all(std::span<const RecordEnds> records,
                               std::span<RecordText> texts) const {
  read_records(records, texts);
  // Asked afterwards: the file may be written over while it is read.
  const bool stays = records_are_same();
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (!stays) {
      texts[i] = {};
      texts[i].outdated = true;
    }
    if (texts[i].outdated) met_other_file_ = true;
  }
}

void TraceSource::categories_of(std::span<const RecordEnds> records,
                                std::span<std::string> categories) const {
  read_categories(records, categories);
  if (!records_are_same()) std::ranges::fill(categories, std::string());
}

bool TraceSource::records_are_same() const {
  if (records_stay()) return true;
  met_other_file_ = true;
  return false;
}

std::vector<std::filesystem::path> TraceSource::files() const {
  if (input().path().empty()) return {};
  return {input().path()};
}

void TraceSource::note_files() {
  noted_files_.clear();
  for (const std::filesystem::path& path : files()) {
    if (path == input().path()) continue;
    if (const auto status = file_status(path)) noted_files_.push_back({path, *status});
  }
}

DiskChange TraceSource::change_on_disk() const {
  DiskChange change{input().change_on_disk(), utf8_of(input().path().filename())};
  if (input().is_folder()) change = {};
  for (const std::filesystem::path& path : files()) {
    if (path == input().path()) continue;
    const auto now = file_status(path);
    if (!now) continue;
    const auto then = std::ranges::find(noted_files_, path, &NotedFile::path);
    const FileChange what =
        then == noted_files_.end() ? FileChange::grown : change_between(then->status, *now);
    change = graver(std::move(change), {what, utf8_of(path.filename())});
  }
  return change ? change : DiskChange{};
}

Result<LoadedChildren> read_children(TraceSource& source, const ChildQuery& query,
                                     StringPool& names, LoadContext& context) {
  Result<LoadedChildren> children = source.load_children(query, names, context);
  if (source.records_stay()) return children;
  return Error{.code = ErrorCode::damaged, .text = "The file has changed since it was read."};
}

Result<Timeline> read_timeline(TraceSource& source, LoadContext& context) {
  source.note_files();
  TimelineBuilder builder;
  context.end_if([&source] { return source.input().refused(); });
  builder.stop_when(context.cancel_flag());
  builder.keep_only(context.keep());
  Status status = source.load(builder, context);
  if (status && builder.needs_replay()) {
    builder.begin_replay();
    context.begin_replay();
    status = source.load(builder, context);
  }
  if (context.short_of_memory()) {
    return Error{.code = ErrorCode::too_large,
                 .text = "This trace needs more memory than is free: loading was ended.",
                 .expected =
                     "Load a part of it (--keep-from TIME, --keep-to TIME, --keep-thread "
                     "ID), or all of it anyway (--beyond-memory)."};
  }
  context.end_if(nullptr);
  if (auto refused = refusal_in(source.input().damage())) return *refused;
  if (!status) return status.error();
  Timeline timeline = builder.finish(context.jobs());
  if (context.cancelled())
    return Error{.code = ErrorCode::cancelled, .text = "Loading was stopped."};
  Diagnostics damage = source.input().damage();
  if (source.grows()) damage.forget(diagnostic::kFileChangedOnDisk.code);  // as expected
  timeline.diagnostics.merge(damage);
  // Other files of the trace are unpacked as well.
  if (auto refused = refusal_in(timeline.diagnostics)) return *refused;
  source.note_read();
  // A folder and a source made of others have no bytes of their own: which of their threads would
  // go on is not known here.
  const bool one_file = !source.input().is_folder() && source.input().stored_bytes() > 0;
  if (one_file && timeline.diagnostics.ends_early() && !timeline.empty()) {
    timeline.gaps.push_back({.begin_ns = timeline.end_ns});
  }
  return timeline;
}

}  // namespace cinderscope
