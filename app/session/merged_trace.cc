#include "app/session/merged_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "ingest/base/saturating.h"
#include "ingest/model/merge_timelines.h"
#include "ingest/model/move_slices.h"
#include "render/text/file_name.h"
#include "render/text/report_text.h"

namespace cinderscope {
namespace {

std::string sentence_of(const Error& error) {
  return error.expected.empty() ? error.text : error.text + " " + error.expected;
}

Error cancelled_error() {
  return {.code = ErrorCode::cancelled, .text = "Loading was stopped."};
}

}  // namespace

MergedSource::MergedSource(std::vector<MergeFile> files, PathOpener open)
    : files_(std::move(files)), open_(std::move(open)), input_(Input::from_memory("", {})) {
  std::vector<std::string> paths;
  for (const MergeFile& file : files_) paths.push_back(file.path);
  const std::vector<std::string> short_names = short_file_names(paths);
  std::set<std::string> labels;
  for (const MergeFile& file : files_) {
    const std::string name = shown_file_name(file.path);
    std::string label = name;
    for (int copy = 2; !labels.insert(label).second; ++copy) {
      label = fmt::format("{} ({})", name, copy);
    }
    merged_.push_back(
        {.label = std::move(label), .name = short_names[merged_.size()], .offset = file.offset});
  }
  sources_.resize(files_.size());
}

std::optional<Error> MergedSource::open_all(LoadContext& context) {
  std::optional<Error> first_error;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    Result<OpenedSource> opened = open_(files_[i].path, context);
    if (context.cancelled()) return cancelled_error();
    if (!opened) {
      merged_[i].problem = sentence_of(opened.error());
      if (!first_error) first_error = opened.error();
      continue;
    }
    sources_[i].source = opened->source;
    const std::lock_guard lock(mutex_);
    stoppable_.push_back(opened->source);
    if (stopped_) opened->source->stop();
  }
  const bool any =
      std::ranges::any_of(sources_, [](const Source& s) { return s.source != nullptr; });
  return any ? std::nullopt : first_error;
}

std::optional<Error> MergedSource::read_all(LoadContext& context,
                                            std::vector<Timeline>& timelines) {
  std::uint64_t after = 0, before = 0;
  for (const Source& source : sources_) {
    if (source.source) after += source.source->input().stored_bytes();
  }
  const std::vector<SymbolOptions> names = names_of_each(context.names());
  std::optional<Error> first_error;
  bool any = false;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    Source& source = sources_[i];
    if (!source.source) continue;
    context.use_names(names[i]);
    const std::uint64_t stored = source.source->input().stored_bytes();
    after -= std::min(after, stored);
    context.begin_input(before, stored, after);
    Result<Timeline> timeline = read_timeline(*source.source, context);
    if (context.cancelled()) return cancelled_error();
    if (!timeline) {
      merged_[i].problem = sentence_of(timeline.error());
      if (!first_error) first_error = timeline.error();
      source.source = nullptr;
      continue;
    }
    before += source.source->size().inflated_bytes;
    if (any && timeline->axis != axis_) {
      merged_[i].problem = axis_ == TimeAxis::nanoseconds
                               ? "It has no clock, only an order of events, and cannot share a "
                                 "timeline with files that have one."
                               : "It has a clock, and cannot share a timeline with files that have "
                                 "only an order of events.";
      source.source = nullptr;
      continue;
    }
    axis_ = timeline->axis;
    timelines[i] = std::move(*timeline);
    if (!any && merged_[i].offset == MergeOffset{}) {
      Timeline snapshot = timelines[i];  // shares its chunks
      snapshot.complete = false;
      context.hand_out(std::move(snapshot));
    }
    context.no_more_snapshots();  // a snapshot of one file would replace that of another
    any = true;
  }
  return any ? std::nullopt : first_error;
}

void MergedSource::align(const std::vector<Timeline>& timelines) {
  std::optional<std::int64_t> start_ns;  // of the first file, shifted
  RecordOffset first_record = 0;
  std::size_t first_track = 0;
  unsigned number = 0;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    Source& source = sources_[i];
    MergedFile& merged = merged_[i];
    if (!source.source) continue;
    const Timeline& timeline = timelines[i];
    source.number = ++number;
    source.first_track = first_track;
    source.track_count = timeline.tracks.size();
    first_track += source.track_count;
    source.first_record = first_record;
    source.record_end = source.source->record_end();
    first_record =
        first_record > kNoRecord - source.record_end ? kNoRecord : first_record + source.record_end;
    merged.empty = timeline.empty();
    merged.threads_apart = timeline.threads_apart;
    if (merged.offset.how == Alignment::by_offset) merged.shift_ns = merged.offset.ns;
    if (merged.offset.how == Alignment::starts && start_ns && !merged.empty) {
      merged.shift_ns = saturating_difference(*start_ns, timeline.begin_ns);
    }
    source.shift_ns = merged.shift_ns;
    if (merged.empty) continue;
    merged.begin_ns = moved_time(timeline.begin_ns, merged.shift_ns);
    merged.end_ns = moved_time(timeline.end_ns, merged.shift_ns);
    if (!start_ns) start_ns = merged.begin_ns;
  }
}

Status MergedSource::load(TimelineBuilder& out, LoadContext& context) {
  context.never_read_on();  // files that share a timeline are opened anew
  if (std::optional<Error> error = open_all(context)) return *error;
  const bool first_stays = sources_.front().source && merged_.front().offset == MergeOffset{};
  if (!first_stays) context.no_more_snapshots();
  std::vector<Timeline> timelines(files_.size());
  if (std::optional<Error> error = read_all(context, timelines)) return *error;
  align(timelines);
  std::vector<TimelinePart> merging;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const Source& source = sources_[i];
    if (!source.source) continue;
    merged_[i].headline = read_sentence(timelines[i], ReadState::whole);
    merging.push_back({.timeline = std::move(timelines[i]),
                       .label = merged_[i].label,
                       .file = {.name = merged_[i].name, .path = files_[i].path},
                       .shift_ns = source.shift_ns,
                       .first_record = source.first_record,
                       .record_end = source.record_end,
                       .source = static_cast<std::uint32_t>(i)});
  }
  Timeline merged = merge_timelines(std::move(merging), context.jobs(), &context.cancel_flag());
  if (context.cancelled()) return cancelled_error();
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (merged_[i].problem.empty()) continue;
    // Each file has a code of its own, the first one too: "left_out" alone is of slices.
    const std::string code = fmt::format("{} ({})", diagnostic::kFileLeftOut.code, i + 1);
    merged.diagnostics.count(
        {code, diagnostic::kFileLeftOut.severity}, kNoOffset,
        fmt::format("{} was left out: {}", merged_[i].label, merged_[i].problem));
  }
  out.adopt(std::move(merged));
  return ok();
}

const MergedSource::Source* MergedSource::source_of(RecordOffset record) const {
  for (const Source& source : sources_) {
    if (source.source && record >= source.first_record &&
        record - source.first_record < source.record_end) {
      return &source;
    }
  }
  return nullptr;
}

RecordText MergedSource::read_record(RecordOffset record, RecordOffset end_record) const {
  const Source* source = source_of(record);
  if (source == nullptr) return {};
  const bool has_end = end_record != kNoRecord && source_of(end_record) == source;
  return source->source->describe(record - source->first_record,
                                  has_end ? end_record - source->first_record : kNoRecord);
}

// Those of one source that follow each other together.
void MergedSource::read_records(std::span<const RecordEnds> records,
                                std::span<RecordText> texts) const {
  std::vector<RecordEnds> own;
  for (std::size_t first = 0; first < records.size();) {
    const Source* source = source_of(records[first].record);
    std::size_t end = first;
    own.clear();
    for (; end < records.size() && source_of(records[end].record) == source; ++end) {
      const auto [record, end_record] = records[end];
      const bool has_end =
          source != nullptr && end_record != kNoRecord && source_of(end_record) == source;
      if (source != nullptr) {
        own.push_back({record - source->first_record,
                       has_end ? end_record - source->first_record : kNoRecord});
      }
      texts[end] = {};
    }
    if (source != nullptr) source->source->describe_all(own, texts.subspan(first, end - first));
    first = end;
  }
}

bool MergedSource::grows() const {
  return std::ranges::all_of(
      sources_, [](const Source& source) { return !source.source || source.source->grows(); });
}

DiskChange MergedSource::change_on_disk() const {
  DiskChange change;
  for (const Source& source : sources_) {
    if (source.source) change = graver(std::move(change), source.source->change_on_disk());
  }
  return change;
}

Result<LoadedChildren> MergedSource::load_children(const ChildQuery& query, StringPool& names,
                                                   LoadContext& context) {
  if (query.source >= sources_.size() || !sources_[query.source].source) return LoadedChildren{};
  const Source& source = sources_[query.source];
  Result<LoadedChildren> children = read_children(*source.source,
                                                  {.source_key = query.source_key,
                                                   .first = query.first,
                                                   .count = query.count,
                                                   .only_count = query.only_count},
                                                  names, context);
  if (!children) return children;
  std::vector<SliceRow*> rows;
  for (SliceRow& row : children->rows) rows.push_back(&row);
  for (SliceRow& row : children->nested_instants) rows.push_back(&row);
  move_slices(rows,
              {.shift_ns = source.shift_ns,
               .first_record = source.first_record,
               .record_end = source.record_end},
              names, 1);
  for (DeferredChildren& deferred : children->deferred) deferred.source = query.source;
  return children;
}

RecordOffset MergedSource::record_end() const {
  RecordOffset end = 0;
  for (const Source& source : sources_)
    end = std::max(end, source.first_record + source.record_end);
  return end;
}

void MergedSource::stop() const {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  for (const auto& source : stoppable_) source->stop();
}

TraceSource::Size MergedSource::size() const {
  Size sum;
  for (const Source& source : sources_) {
    if (!source.source) continue;
    const Size size = source.source->size();
    sum.stored_bytes += size.stored_bytes;
    sum.inflated_bytes += size.inflated_bytes;
    sum.own_bytes += size.own_bytes;
  }
  return sum;
}

}  // namespace cinderscope
