#include "formats/lincheck/lincheck_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "formats/lincheck/eager_load.h"
#include "formats/lincheck/index/index_file.h"
#include "formats/lincheck/index/index_reader.h"
#include "formats/lincheck/java_reader.h"
#include "formats/lincheck/survey.h"
#include "formats/lincheck/text/diff_names.h"
#include "formats/lincheck/text/record_text.h"
#include "formats/lincheck/text/tree_text.h"
#include "formats/lincheck/thread_walk.h"
#include "ingest/os/atomic_file.h"

namespace cinderscope::lincheck {
namespace {

Error cancelled() {
  return {ErrorCode::cancelled, "Loading was cancelled.", {}};
}

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

}  // namespace

Result<std::int64_t> version_of(std::span<const std::byte> head) {
  JavaReader in(head);
  const auto magic = static_cast<std::uint64_t>(in.i64());
  const std::int64_t version = in.i64();
  if (in.cut()) {
    return Error{ErrorCode::damaged, "The trace ends within its header.",
                 "A Lincheck trace begins with 16 bytes; was the recording or the copy cut?",
                 static_cast<std::int64_t>(head.size())};
  }
  if (magic != kMagic) {
    return Error{ErrorCode::damaged, "The data do not begin as a Lincheck trace does.", {}, 0};
  }
  if (version < kOldestVersion || version > kNewestVersion) {
    return Error{ErrorCode::damaged, fmt::format("This Lincheck trace is of version {}.", version),
                 fmt::format("Versions {} to {} can be read.", kOldestVersion, kNewestVersion),
                 sizeof kMagic};
  }
  return version;
}

LincheckSource::LincheckSource(Input input) : input_(std::move(input)) {}

std::span<const std::byte> LincheckSource::data(std::uint64_t wanted) const {
  if (packed_) return packed_->data->wait_for(wanted);
  const std::lock_guard lock(pin_mutex_);
  if (pin_.size() >= wanted) return pin_.bytes();
  // All that is there: objects that calls name may lie anywhere in the file.
  const std::uint64_t there = input_.wait_for(wanted);
  if (there == pin_.size()) return pin_.bytes();
  if (Result<Pin> pin = input_.pin(0, there)) pin_ = std::move(*pin);
  return pin_.bytes();
}

std::optional<std::span<const std::byte>> LincheckSource::index_bytes() const {
  if (packed_ && packed_->index) return packed_->index->wait_for(UINT64_MAX);
  if (!index_) return std::nullopt;
  const std::lock_guard lock(pin_mutex_);
  if (index_pin_.size() == 0) {
    Result<Pin> pin = index_->pin_all();
    if (!pin) return std::nullopt;
    index_pin_ = std::move(*pin);
  }
  return index_pin_.bytes();
}

Status LincheckSource::open_data(LoadContext& context,
                                 const std::function<bool(std::uint64_t)>& tick) {
  if (mapped_out_) return ok();
  if (is_packed_trace(input_)) {
    Result<PackedTrace> unpacked = unpack_trace(input_, tick);
    if (!unpacked) return unpacked.error();
    if (context.cancelled()) return cancelled();
    packed_.emplace(std::move(*unpacked));
    index_wanted_ = true;
    index_name_ = "trace.idx";
  } else {
    find_index();
  }
  const Result<std::int64_t> version = version_of(data(kHeaderBytes));
  if (!version) return version.error();
  layout_ = layout_of(*version);
  return ok();
}

void LincheckSource::find_index() {
  if (input_.path().empty()) return;
  index_wanted_ = true;
  index_name_ = std::string(input_.name()) + ".idx";
  // A packed copy may lie beside the index of the plain file.
  for (const std::string_view ending : {"", ".gz", ".zst", ".lz4"}) {
    if (!input_.name().ends_with(ending)) continue;
    const std::string_view stem = input_.name().substr(0, input_.name().size() - ending.size());
    Result<Input> found = input_.companion(std::string(stem) + ".idx");
    if (!found || found->is_folder()) continue;
    index_.emplace(std::move(*found));
    return;
  }
}

Status LincheckSource::scan_with_layout(LoadContext& context,
                                        const std::function<bool(std::uint64_t)>& tick,
                                        bool keep_cells, TraceMap& map) {
  const Bytes bytes = [this](std::uint64_t wanted) { return data(wanted); };
  ScanOptions options{.window_bytes = context.window_bytes(), .tick = tick};
  std::optional<IndexComparison> comparison;
  if (const auto index = index_bytes()) {
    comparison.emplace(*index, layout_);
    // Dumps of these versions cannot be told by their data.
    constexpr std::int64_t kFirstWithThreadNames = 10;
    if (layout_.version < kFirstWithThreadNames && index->size() >= kHeaderBytes + kCellBytes) {
      const IndexCell first = read_cell(index->data() + kHeaderBytes);
      options.dump_mode = layout_.kind_of_byte[first.kind] != Kind::block_start;
    }
  }
  bool kept = true;
  if (keep_cells) {
    Result<std::unique_ptr<GrowingFile>> file = GrowingFile::create(input_.disk_share());
    if (!file) return file.error();
    rebuilt_index_ = std::move(*file);
    kept = rebuilt_index_->append(index_header(layout_.version));
  }
  if (comparison || keep_cells) {
    options.cells = [&](std::span<const std::byte> cells) {
      if (comparison) comparison->add(cells);
      if (keep_cells && kept) kept = rebuilt_index_->append(cells);
    };
  }
  map = scan(bytes, layout_, options);
  if (keep_cells) rebuilt_index_->close();
  if (!kept) {
    const Diagnostic& why = rebuilt_index_->trouble().by_code().begin()->second;
    return Error{ErrorCode::cannot_read, why.text, std::string(why.advice)};
  }
  if (context.cancelled()) return cancelled();
  if (packed_) map.is_diff |= packed_->is_diff;
  const bool is_damaged =
      map.diagnostics.has(diagnostic::kTruncated) || map.diagnostics.has(diagnostic::kDataDamaged);
  if (is_damaged) return ok();
  if (!comparison) {
    if (index_wanted_) report_index(std::nullopt, true, kNoOffset, map);
  } else if (const auto problem = comparison->finish()) {
    report_index(problem->what, problem->is_cut, static_cast<std::int64_t>(problem->at), map);
  }
  return ok();
}

void LincheckSource::report_index(const std::optional<std::string>& problem, bool is_cut,
                                  std::int64_t offset, TraceMap& map) {
  index_is_bad_ = true;
  constexpr std::string_view kInstead = "What it should say was worked out from the data.";
  if (!problem) {
    map.diagnostics.count(diagnostic::kIndexRebuilt, kNoOffset,
                          fmt::format("There is no index file {}. {}", index_name_, kInstead));
  } else if (is_cut) {
    map.diagnostics.count(diagnostic::kIndexRebuilt, offset,
                          fmt::format("The index file is not complete, as after a crash: {}. {}",
                                      *problem, kInstead));
  } else {
    map.diagnostics.count(
        diagnostic::kIndexDamaged, offset,
        fmt::format("The index file is wrong and was left aside: {}. {}", *problem, kInstead));
  }
}

Status LincheckSource::map_out(LoadContext& context,
                               const std::function<bool(std::uint64_t)>& tick) {
  if (mapped_out_) return ok();
  // How long a stream is shows at its end.
  const bool complete = packed_ || input_.complete();
  context.set_total_bytes(complete ? 2 * data(UINT64_MAX).size() : 0);
  const Status scanned = scan_data(context, tick, false, map_);
  if (!scanned) return scanned.error();
  mapped_out_ = true;
  lookup_ = std::make_unique<Lookup>(data(UINT64_MAX), layout_, map_);
  return ok();
}

Status LincheckSource::scan_data(LoadContext& context,
                                 const std::function<bool(std::uint64_t)>& tick, bool keep_cells,
                                 TraceMap& map) {
  const Status usual_scan = scan_with_layout(context, tick, keep_cells, map);
  if (!usual_scan || !has_alternative(layout_.version)) return usual_scan;
  const ReadSoFar usual = read_so_far(map);
  if (usual.is_whole) return usual_scan;
  // Two versions were written in two layouts without a mark: the one that can be read is meant.
  const Layout usual_layout = layout_;
  layout_ = layout_of(layout_.version, true);
  index_is_bad_ = false;
  const Status other_scan = scan_with_layout(context, tick, keep_cells, map);
  if (!other_scan || usual < read_so_far(map)) return other_scan;
  layout_ = usual_layout;
  index_is_bad_ = false;
  return scan_with_layout(context, tick, keep_cells, map);
}

bool LincheckSource::is_large(const LoadContext& context) const {
  const bool complete = packed_ || input_.complete();
  return complete && data(UINT64_MAX).size() > context.lazy_above_bytes();
}

Status LincheckSource::map_out_by_index(LoadContext& context,
                                        const std::function<bool(std::uint64_t)>& tick,
                                        bool outline_allowed) {
  constexpr std::uint64_t kLargeIndexWindows = 8;
  const std::span<const std::byte> bytes = data(UINT64_MAX);
  std::vector<ThreadCells> cells;
  std::optional<IndexedTrace> indexed;
  is_outline_ = false;
  // Which of two layouts it is shows only when everything is read.
  if (const auto index = index_bytes(); index && !has_alternative(layout_.version)) {
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
    const Status scanned = scan_data(context, tick, true, map_);
    if (!scanned) return scanned.error();
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

Status LincheckSource::load_outer(TimelineBuilder& out, LoadContext& context,
                                  const std::function<bool(std::uint64_t)>& tick) {
  for (const bool outline_allowed : {true, false}) {
    const Status mapped = map_out_by_index(context, tick, outline_allowed);
    if (!mapped) return mapped.error();
    context.set_total_bytes(2 * data(UINT64_MAX).size());
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
  all_objects_->lookup = std::make_unique<Lookup>(data(UINT64_MAX), layout_, all_objects_->map);
  container_count_ = 0;
  for (const ThreadCells& of_thread : cells) container_count_ += of_thread.count();
  lazy_->take_all(*all_objects_->lookup, std::move(cells));
  all_lookup_ = all_objects_->lookup.get();
  rest_is_read_ = true;
}

bool LincheckSource::read_rest(unsigned jobs) const {
  const std::lock_guard lock(rest_mutex_);
  if (!is_outline_ || rest_is_read_) return true;
  const auto index = index_bytes();
  std::optional<IndexedTrace> indexed;
  if (index) indexed = read_index(*index, data(UINT64_MAX), layout_, jobs);
  if (indexed) take_rest(std::move(indexed->map), std::move(indexed->cells));
  return rest_is_read_;
}

Status LincheckSource::rebuild_rest(LoadContext& context) {
  const std::lock_guard lock(rest_mutex_);
  TraceMap map;
  const auto tick = [&](std::uint64_t) { return !context.cancelled(); };
  const Status scanned = scan_data(context, tick, true, map);
  if (!scanned) return scanned.error();
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
  if (packed_ && packed_->is_diff) return true;
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
  const std::uint64_t size_bytes = data(UINT64_MAX).size();
  context.set_total_bytes(2 * size_bytes);
  out.diagnostics().merge(map_.diagnostics);
  note_facts(out);
  return load_all(*lookup_, out, context, size_bytes) ? ok() : cancelled();
}

// Facts for the load report, and what the colours of a diff mean.
void LincheckSource::note_facts(TimelineBuilder& out) const {
  if (map_.is_diff) out.set_legend(diff_legend());
  if (!packed_) return;
  out.diagnostics().merge(packed_->damage);
  for (const auto& [key, value] : packed_->facts) out.note(key, value);
  const auto side = [](std::int32_t thread) {
    return thread < 0 ? std::string("none") : fmt::to_string(thread);
  };
  for (const PackedTrace::DiffThread& thread : packed_->diff_threads) {
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

std::shared_ptr<const NameIndex> LincheckSource::read(unsigned jobs,
                                                      const std::atomic<bool>& cancelled,
                                                      const SurveyProgress& progress) const {
  if (lazy_ == nullptr || !read_rest(jobs)) return nullptr;
  return survey_trace(lazy_->names(), jobs, survey_window_bytes_, cancelled, progress);
}

RecordText LincheckSource::read_record(RecordOffset record, RecordOffset end_record) const {
  const Lookup* known = lookup();
  if (known == nullptr) return {};
  std::span<const std::byte> diff_events;
  if (packed_ && packed_->diff_events) diff_events = packed_->diff_events->wait_for(UINT64_MAX);
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
  if (packed_ || input_.path().empty()) {
    return Error{ErrorCode::cannot_read, "There is no data file that an index could lie beside.",
                 packed_ ? "A packed trace holds its own index; unpack it first." : ""};
  }
  Result<AtomicFile> file = AtomicFile::create(input_.path().parent_path() / index_name_);
  if (!file) return file.error();
  file->append(index_header(layout_.version));
  const Bytes bytes = [this](std::uint64_t wanted) { return data(wanted); };
  scan(bytes, layout_,
       {.window_bytes = context.window_bytes(),
        .cells = [&](std::span<const std::byte> cells) { file->append(cells); },
        .dump_mode = map_.dump_mode,
        .tick = [&](std::uint64_t) { return !context.cancelled() && file->ok(); }});
  if (context.cancelled()) return cancelled();
  file->append(index_footer(layout_));
  const Status written = file->commit();
  if (!written) return written.error();
  return file->path().string();
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
