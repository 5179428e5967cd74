#include "formats/lincheck/lincheck_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "formats/lincheck/eager_load.h"
#include "formats/lincheck/index/index_file.h"
#include "formats/lincheck/index/index_reader.h"
#include "formats/lincheck/scan.h"
#include "formats/lincheck/survey.h"
#include "formats/lincheck/text/diff_names.h"
#include "formats/lincheck/text/record_text.h"
#include "formats/lincheck/text/tree_text.h"
#include "formats/lincheck/thread_walk.h"
#include "ingest/base/path_text.h"
#include "ingest/os/atomic_file.h"

namespace cinderscope::lincheck {
namespace {

Error cancelled() {
  return {ErrorCode::cancelled, "Loading was cancelled.", {}};
}

}  // namespace

LincheckSource::LincheckSource(Input input) : files_(std::move(input)) {}

Status LincheckSource::open_data(LoadContext& context, const Tick& tick) {
  if (mapped_out_) return ok();
  const Status opened = files_.open(tick);
  if (!opened) return opened.error();
  if (context.cancelled()) return cancelled();
  const Result<std::int64_t> version = version_of(files_.data(kHeaderBytes));
  if (!version) return version.error();
  layout_ = layout_of(*version);
  return ok();
}

Result<ScannedRecording> LincheckSource::scanned(const LoadContext& context, const Tick& tick,
                                                 bool rebuild_index) {
  Result<ScannedRecording> made =
      scan_recording(files_, layout_.version, context, tick, rebuild_index);
  if (!made) return made;
  layout_ = made->layout;
  index_is_bad_ = made->index_is_bad;
  return made;
}

Status LincheckSource::map_out(LoadContext& context, const Tick& tick) {
  if (mapped_out_) return ok();
  // How long a stream is shows at its end.
  const bool complete = files_.complete();
  context.set_total_bytes(complete ? 2 * files_.data(UINT64_MAX).size() : 0);
  Result<ScannedRecording> made = scanned(context, tick, false);
  if (!made) return made.error();
  map_ = std::move(made->map);
  mapped_out_ = true;
  lookup_ = std::make_unique<Lookup>(files_.data(UINT64_MAX), layout_, map_);
  return ok();
}

bool LincheckSource::is_large(const LoadContext& context) const {
  const bool complete = files_.complete();
  return complete && files_.data(UINT64_MAX).size() > context.lazy_above_bytes();
}

Status LincheckSource::map_out_by_index(LoadContext& context, const Tick& tick,
                                        bool outline_allowed) {
  constexpr std::uint64_t kLargeIndexWindows = 8;
  const std::span<const std::byte> bytes = files_.data(UINT64_MAX);
  std::vector<ThreadCells> cells;
  std::optional<IndexedTrace> indexed;
  is_outline_ = false;
  // Which of two layouts it is shows only when everything is read.
  if (const auto index = files_.index_bytes(); index && !has_alternative(layout_.version)) {
    if (outline_allowed && index->size() > kLargeIndexWindows * context.window_bytes()) {
      indexed = read_outline(*index, bytes, layout_);
      is_outline_ = indexed.has_value();
    }
    if (!indexed) indexed = read_index(*index, bytes, layout_, context.jobs());
  }
  if (indexed) {
    map_ = std::move(indexed->map);
    cells = std::move(indexed->cells);
  } else {
    Result<ScannedRecording> made = scanned(context, tick, true);
    if (!made) return made.error();
    map_ = std::move(made->map);
    rebuilt_index_ = std::move(made->rebuilt_index);
    cells = cells_of_rebuilt(rebuilt_index_->wait_for(UINT64_MAX), map_, layout_, context.jobs());
  }
  mapped_out_ = true;
  lookup_ = std::make_unique<Lookup>(bytes, layout_, map_);
  map_.is_diff = map_.is_diff || begins_as_diff();
  container_count_ = 0;
  for (const ThreadCells& of_thread : cells) container_count_ += of_thread.count();
  // Some hundredths of a second to read.
  survey_window_bytes_ = 2 * context.window_bytes();
  // Shorter containers are cheaper to read with the one around them than to ask for.
  constexpr std::uint64_t kWholeShare = 64;
  lazy_ =
      std::make_unique<LazyLoad>(*lookup_, std::move(cells), context.window_bytes() / kWholeShare);
  return ok();
}

Status LincheckSource::load_outer(TimelineBuilder& out, LoadContext& context, const Tick& tick) {
  for (const bool outline_allowed : {true, false}) {
    const Status mapped = map_out_by_index(context, tick, outline_allowed);
    if (!mapped) return mapped.error();
    context.set_total_bytes(2 * files_.data(UINT64_MAX).size());
    switch (lazy_->load_outer(out, context, is_outline_)) {
      case LazyLoad::Outer::cancelled:
        return cancelled();
      case LazyLoad::Outer::needs_all:
        continue;
      case LazyLoad::Outer::loaded:
        break;
    }
    break;
  }
  out.diagnostics().merge(map_.diagnostics);
  note_facts(out);
  return ok();
}

const Lookup* LincheckSource::lookup() const {
  const Lookup* all = all_lookup_;
  return all != nullptr ? all : lookup_.get();
}

void LincheckSource::take_rest(TraceMap map, std::vector<ThreadCells> cells) const {
  all_objects_ = std::make_unique<AllObjects>();
  all_objects_->map = std::move(map);
  all_objects_->map.is_diff = map_.is_diff;
  all_objects_->lookup =
      std::make_unique<Lookup>(files_.data(UINT64_MAX), layout_, all_objects_->map);
  container_count_ = 0;
  for (const ThreadCells& of_thread : cells) container_count_ += of_thread.count();
  lazy_->take_all(*all_objects_->lookup, std::move(cells));
  all_lookup_ = all_objects_->lookup.get();
  rest_is_read_ = true;
}

bool LincheckSource::read_rest(unsigned jobs) const {
  const std::lock_guard lock(rest_mutex_);
  if (!is_outline_ || rest_is_read_) return true;
  const auto index = files_.index_bytes();
  std::optional<IndexedTrace> indexed;
  if (index) indexed = read_index(*index, files_.data(UINT64_MAX), layout_, jobs);
  if (indexed) take_rest(std::move(indexed->map), std::move(indexed->cells));
  return rest_is_read_;
}

Status LincheckSource::rebuild_rest(LoadContext& context) {
  const std::lock_guard lock(rest_mutex_);
  const auto tick = [&](std::uint64_t) { return !context.cancelled(); };
  Result<ScannedRecording> made = scanned(context, tick, true);
  if (!made) return made.error();
  TraceMap map = std::move(made->map);
  rebuilt_index_ = std::move(made->rebuilt_index);
  std::vector<ThreadCells> cells =
      cells_of_rebuilt(rebuilt_index_->wait_for(UINT64_MAX), map, layout_, context.jobs());
  // What was shown by the outline stays, and its threads have to be where they were.
  const auto same = [](const ThreadStream& a, const ThreadStream& b) { return a.id == b.id; };
  if (!std::ranges::equal(map.threads, map_.threads, same)) cells.clear();
  take_rest(std::move(map), std::move(cells));
  return ok();
}

// An index says nothing of it. The call around two different roots has no status.
bool LincheckSource::begins_as_diff() const {
  if (files_.packed() != nullptr && files_.packed()->is_diff) return true;
  constexpr int kLookedAt = 16;
  for (std::uint32_t thread = 0; thread < map_.threads.size(); ++thread) {
    ThreadWalk walk(lookup_->data(), layout_, map_, thread);
    WalkStep step;
    for (int i = 0; i < kLookedAt && walk.next(step); ++i) {
      if (!step.is_footer && step.head.diff_status >= 0) return true;
    }
  }
  return false;
}

Status LincheckSource::load(TimelineBuilder& out, LoadContext& context) {
  const auto tick = [&](std::uint64_t done_bytes) { return context.tick(out, done_bytes); };
  out.use_axis(TimeAxis::events);
  const Status opened = open_data(context, tick);
  if (!opened) return opened.error();
  Status mapped = ok();
  if (!is_large(context)) mapped = map_out(context, tick);
  if (!mapped) return mapped.error();
  // How large a stream is shows only once it was read.
  if (is_large(context)) return load_outer(out, context, tick);
  const std::uint64_t size_bytes = files_.data(UINT64_MAX).size();
  context.set_total_bytes(2 * size_bytes);
  out.diagnostics().merge(map_.diagnostics);
  note_facts(out);
  return load_all(*lookup_, out, context, size_bytes) ? ok() : cancelled();
}

// Facts for the load report, and what the colours of a diff mean.
void LincheckSource::note_facts(TimelineBuilder& out) const {
  if (map_.is_diff) out.set_legend(diff_legend());
  const PackedTrace* packed = files_.packed();
  if (packed == nullptr) return;
  out.diagnostics().merge(packed->damage);
  for (const auto& [key, value] : packed->facts) out.note(key, value);
  const auto side = [](std::int32_t thread) {
    return thread < 0 ? std::string("none") : fmt::to_string(thread);
  };
  for (const PackedTrace::DiffThread& thread : packed->diff_threads) {
    out.note(fmt::format("Thread {}", thread.thread),
             fmt::format("of the left recording {}, of the right one {}", side(thread.left),
                         side(thread.right)));
  }
}

Result<LoadedChildren> LincheckSource::load_children(const ChildQuery& query, StringPool& names,
                                                     LoadContext& context) {
  if (lazy_ == nullptr) return LoadedChildren{};
  if (read_rest(context.jobs())) return lazy_->load_children(query, names, context);
  const Status rebuilt = rebuild_rest(context);
  if (!rebuilt) return rebuilt.error();
  Result<LoadedChildren> children = lazy_->load_children(query, names, context);
  if (!children) children = LoadedChildren{};  // the load report says why, once
  children->diagnostics.merge(all_objects_->map.diagnostics);
  return children;
}

std::shared_ptr<const NameIndex> LincheckSource::read(const std::shared_ptr<StringPool>& names,
                                                      unsigned jobs,
                                                      const std::atomic<bool>& cancelled,
                                                      const SurveyProgress& progress) const {
  if (lazy_ == nullptr || !read_rest(jobs)) return nullptr;
  return survey_trace(*lookup(), names, jobs, survey_window_bytes_, cancelled, progress);
}

RecordText LincheckSource::read_record(RecordOffset record, RecordOffset end_record) const {
  const Lookup* known = lookup();
  if (known == nullptr) return {};
  std::span<const std::byte> diff_events;
  const PackedTrace* packed = files_.packed();
  if (packed != nullptr && packed->diff_events) {
    diff_events = packed->diff_events->wait_for(UINT64_MAX);
  }
  return record_text(record, end_record, *known, diff_events);
}

Status LincheckSource::print(const TreeRequest& request, const TreeSink& write,
                             LoadContext& context) {
  const auto tick = [&](std::uint64_t) { return !context.cancelled(); };
  const Status opened = open_data(context, tick);
  if (!opened) return opened.error();
  const Status mapped = map_out(context, tick);
  if (!mapped) return mapped.error();
  if (!read_rest(context.jobs())) {
    const Status rebuilt = rebuild_rest(context);
    if (!rebuilt) return rebuilt.error();
  }
  print_tree(*lookup(), request, write, context);
  return ok();
}

Result<std::string> LincheckSource::write_index(LoadContext& context) {
  const auto tick = [&](std::uint64_t) { return !context.cancelled(); };
  const Status opened = open_data(context, tick);
  if (!opened) return opened.error();
  const Status mapped = map_out(context, tick);
  if (!mapped) return mapped.error();
  if (!files_.can_write_index()) {
    return Error{
        ErrorCode::cannot_read, "There is no data file that an index could lie beside.",
        files_.packed() != nullptr ? "A packed trace holds its own index; unpack it first." : ""};
  }
  Result<AtomicFile> file =
      AtomicFile::create(input().path().parent_path() / path_of(files_.index_name()));
  if (!file) return file.error();
  file->append(index_header(layout_.version));
  const Bytes bytes = [this](std::uint64_t wanted) { return files_.data(wanted); };
  scan(bytes, layout_,
       {.window_bytes = context.window_bytes(),
        .cells = [&](std::span<const std::byte> cells) { file->append(cells); },
        .dump_mode = map_.dump_mode,
        .tick = [&](std::uint64_t) { return !context.cancelled() && file->ok(); }});
  if (context.cancelled()) return cancelled();
  file->append(index_footer(layout_));
  const Status written = file->commit();
  if (!written) return written.error();
  return utf8_of(file->path());
}

std::vector<std::pair<std::string, std::string>> LincheckSource::details() const {
  std::vector<std::pair<std::string, std::string>> facts = {
      {"version", fmt::to_string(layout_.version)},
      {"mode", map_.dump_mode ? "\"dump\"" : "\"stream\""},
      {"blocks", fmt::to_string(map_.blocks.size())},
      {"lazy", lazy_ ? "true" : "false"},
  };
  if (lazy_) {
    read_rest(1);
    const std::lock_guard lock(rest_mutex_);
    facts.emplace_back("containers", fmt::to_string(container_count_));
  }
  if (!map_.has_counts) return facts;
  const PointCounts& counts = map_.counts;
  facts.emplace_back("diff", map_.is_diff ? "true" : "false");
  facts.emplace_back("calls", fmt::to_string(counts.calls));
  facts.emplace_back("loops", fmt::to_string(counts.loops));
  facts.emplace_back("iterations", fmt::to_string(counts.iterations));
  facts.emplace_back("snapshots", fmt::to_string(counts.snapshots));
  facts.emplace_back("leaf_points", fmt::to_string(counts.leaves));
  return facts;
}

}  // namespace cinderscope::lincheck
