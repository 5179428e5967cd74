#include "formats/thread_stream/thread_stream_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "formats/thread_stream/kept/kept_recording.h"
#include "formats/thread_stream/record_data.h"
#include "formats/thread_stream/record_text.h"
#include "formats/thread_stream/symbols/code_calls.h"
#include "formats/thread_stream/symbols/symbol_worker.h"
#include "formats/thread_stream/symbols/write_symbols.h"
#include "formats/thread_stream/trace_load.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/base/path_text.h"
#include "ingest/model/move_slices.h"

namespace cinderscope::thread_stream {
namespace {

std::optional<std::int64_t> wall_offset_ns(const Tables& tables) {
  for (const ClockSample& sample : tables.clock) {
    if (sample.wall_ns == 0) continue;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(sample.wall_ns) -
                                     static_cast<std::uint64_t>(sample.monotonic_ns));
  }
  return std::nullopt;
}

}  // namespace

ThreadStreamSource::ThreadStreamSource(Input input, const FileHeader& header)
    : input_(std::move(input)) {
  recording_.header = header;
}

std::shared_ptr<const Names> ThreadStreamSource::names() const {
  const std::lock_guard lock(mutex_);
  return names_;
}

Status ThreadStreamSource::load(TimelineBuilder& out, LoadContext& context) {
  const FileHeader header = recording_.header;
  recording_ = {};
  recording_.header = header;
  if (!input_.path().empty()) status_ = file_status(input_.path());
  wanted_names_ = context.names();
  std::shared_ptr<Names> names;
  Status status = load_trace(input_, recording_, names, growing_, out, context);
  input_.let_go(UINT64_MAX);  // not before: chunks are read thread by thread
  const std::lock_guard lock(mutex_);
  names_ = std::move(names);
  return status;
}

void ThreadStreamSource::save(FieldWriter& out) const {
  out.add_text(wanted_names_.mapping_path);
  save_recording(recording_, out);
  save_called(names()->called, out);
}

bool ThreadStreamSource::restore(FieldReader& in, const std::shared_ptr<const StringPool>& names) {
  wanted_names_.mapping_path = in.take_text();
  if (!restore_recording(in, input_, recording_)) return false;
  // What is odd about tables is counted already.
  OddityCounts known;
  const auto go_on = [](std::uint64_t) { return true; };
  if (!read_tables(input_, recording_.walked, recording_.tables, known, go_on)) return false;
  Result<std::optional<NamesFile>> file = read_names_file(input_, recording_.tables, wanted_names_);
  if (!file) return false;
  const auto now = std::make_shared<Names>(recording_, std::move(*file));
  now->pool = names;
  if (!restore_called(in, names->size(), now->called)) return false;
  now->count_unnamed();
  if (!input_.path().empty()) status_ = file_status(input_.path());
  const std::lock_guard lock(mutex_);
  names_ = now;
  return in.done();
}

std::unique_ptr<TraceSource> ThreadStreamSource::read_on() {
  if (!growing_ || !status_) return nullptr;
  const auto now = file_status(input_.path());
  const bool same = now && now->device == status_->device && now->inode == status_->inode &&
                    now->size_bytes >= status_->size_bytes;
  if (!same) return nullptr;
  Result<Input> input = Input::from_path(input_.path(), input_.disk_share());
  if (!input || !has_magic(input->head())) return nullptr;
  const Result<FileHeader> header = read_file_header(input->head());
  if (!header || header->pid != recording_.header.pid) return nullptr;
  auto next = std::make_unique<ThreadStreamSource>(std::move(*input), *header);
  next->growing_ = std::move(growing_);
  return next;
}

RecordText ThreadStreamSource::read_record(RecordOffset record, RecordOffset end_record) const {
  RecordText text;
  const RecordEnds ends{record, end_record};
  read_records({&ends, 1}, {&text, 1});
  return text;
}

// Packed records follow from those before them, so that a batch goes through its chunks once, and
// so do records that are asked for one by one; threads that ask at the same time do not wait.
void ThreadStreamSource::read_records(std::span<const RecordEnds> records,
                                      std::span<RecordText> texts) const {
  const std::shared_ptr<const Names> now = names();
  const std::unique_lock lock(last_mutex_, std::try_to_lock);
  LastRecords of_batch;
  LastRecords& last = lock && !live() ? last_ : of_batch;  // of a live one chunks change
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto [record, end_record] = records[i];
    texts[i] = {};
    if (record == kNoRecord && end_record == kNoRecord) continue;
    bool outdated = false;
    const auto begin =
        read_record_data(input_, recording_, record, live() ? &outdated : nullptr, last.begin);
    if (outdated) texts[i].outdated = true;
    if (outdated || !now || !begin) continue;
    const auto end = end_record == kNoRecord
                         ? std::nullopt
                         : read_record_data(input_, recording_, end_record, nullptr, last.end);
    texts[i] = record_text(*begin, end ? &*end : nullptr, recording_.tables, now->code);
  }
}

// The recorder appends, or takes a chunk anew, which its header then shows.
bool ThreadStreamSource::records_stay() const {
  return TraceSource::records_stay() ||
         (live() && input_.bytes_change() == FileChange::overwritten);
}

DiskChange ThreadStreamSource::change_on_disk() const {
  DiskChange change = TraceSource::change_on_disk();
  if (!live() || !status_) return change;
  const bool written_into = change.what == FileChange::overwritten;
  const auto now = change ? std::nullopt : file_status(input_.path());
  if (written_into || (now && now->modified_ns != status_->modified_ns)) {
    return {FileChange::grown, utf8_of(input_.path().filename())};
  }
  return change;
}

std::vector<std::filesystem::path> ThreadStreamSource::files() const {
  std::vector<std::filesystem::path> paths = TraceSource::files();
  if (paths.empty()) return paths;
  for (const std::string& name : names_beside(input_)) {
    const Result<Input> beside = input_.companion(name);
    if (!beside) continue;
    paths.push_back(beside->path());
    break;
  }
  return paths;
}

TraceSource::Size ThreadStreamSource::size() const {
  Size size = TraceSource::size();
  size.own_bytes = recording_.walked.chunks.capacity() * sizeof(Chunk) +
                   recording_.tables.kept_bytes() +
                   recording_.links.capacity() * sizeof(ChunkLink) +
                   recording_.clock_steps.capacity() * sizeof(ClockStep);
  const std::shared_ptr<const Names> now = names();
  if (!now) return size;
  size.own_bytes += now->called.capacity() * sizeof(CalledCode);
  if (now->file) size.own_bytes += now->file->tables.kept_bytes();
  return size;
}

std::vector<std::pair<std::string, std::string>> ThreadStreamSource::details() const {
  const std::shared_ptr<const Names> now = names();
  const StreamCounts& counts = recording_.counts;
  const Tables& tables = recording_.tables;
  const auto offset = wall_offset_ns(tables);
  const auto number = [](std::uint64_t value) { return fmt::to_string(value); };
  return {{"version", json_quoted(fmt::format("1.{}", recording_.header.minor))},
          {"chunks", number(recording_.walked.accepted)},
          {"streams", number(recording_.used_streams)},
          {"records", number(counts.records)},
          {"lost", number(counts.lost)},
          {"gaps", number(counts.gaps)},
          {"args", number(counts.args)},
          {"stacks", number(counts.stacks)},
          {"frames", number(counts.frames)},
          {"clock_steps", number(counts.clock_steps)},
          {"sites", number(tables.sites.count())},
          {"strings", number(tables.string_count())},
          {"modules", number(tables.modules.count())},
          {"symbols", number(now ? now->code.symbol_count() : tables.symbols.size())},
          {"methods", number(now ? now->code.method_count() : tables.methods.size())},
          {"unnamed_addresses", number(now ? now->unnamed_addresses : 0)},
          {"unnamed_methods", number(now ? now->unnamed_methods : 0)},
          {"finished", tables.finished ? "true" : "false"},
          {"wall_offset_ns", offset ? fmt::to_string(*offset) : "null"},
          {"names_file", now && now->file ? json_quoted(now->file->path) : "null"}};
}

bool ThreadStreamSource::can_read() const {
  return can_read_symbols();
}

bool ThreadStreamSource::wanted() const {
  const std::shared_ptr<const Names> now = names();
  return now && recording_.has_module_files && !now->code.has_symbols() &&
         (now->unnamed_addresses > 0 || recording_.counts.stacks > 0);
}

Result<SymbolReport> ThreadStreamSource::write(const SymbolRequest& request,
                                               LoadContext& context) const {
  return write_symbols(input_, recording_.header, request, ask_symbol_worker, context);
}

// Of calls whose functions had one name and now have several.
std::function<StringId(RecordOffset, StringId)> ThreadStreamSource::names_by_record(
    const Names& before, const StringPool& shown, const std::vector<std::uint8_t>& split,
    const std::map<std::pair<std::uint64_t, std::uint64_t>, StringId>& by_code) const {
  std::set<std::pair<std::uint64_t, std::uint64_t>> wanted;
  for (const CalledCode& code : before.called) {
    const auto old = shown.find(before.pool->text(code.name));
    if (old && split[index(*old)] != 0) wanted.insert({code.key, code.detail});
  }
  std::vector<std::pair<RecordOffset, StringId>> names;
  const std::atomic<bool> never{false};
  for_each_code_call(
      input_, recording_.walked.chunks, before.code,
      [&](std::uint64_t place, std::uint64_t key, std::uint64_t detail) {
        if (wanted.contains({key, detail})) names.emplace_back(place, by_code.at({key, detail}));
      },
      never);
  std::ranges::sort(names);
  return [names = std::make_shared<const decltype(names)>(std::move(names))](RecordOffset record,
                                                                             StringId usual) {
    const auto found =
        std::ranges::lower_bound(*names, record, {}, [](const auto& entry) { return entry.first; });
    return found != names->end() && found->first == record ? found->second : usual;
  };
}

// Names of sites stay; functions and methods are looked up anew.
Result<std::vector<RenamedTracks>> ThreadStreamSource::load(
    const StringPool& shown, const SymbolOptions& wanted,
    const std::shared_ptr<StringPool>& pool) const {
  Result<std::optional<NamesFile>> file = read_names_file(input_, recording_.tables, wanted);
  if (!file) return file.error();
  const std::shared_ptr<const Names> before = names();
  const auto now = std::make_shared<Names>(recording_, std::move(*file));
  now->pool = pool;
  LoadedSymbols out;
  out.by_old.reserve(shown.size());
  for (std::uint32_t i = 0; i < shown.size(); ++i) {
    out.by_old.push_back(taken_over(shown, StringId{i}, *pool));
  }
  out.split.resize(shown.size());
  std::vector<std::uint8_t> renamed_names(shown.size());
  std::map<std::pair<std::uint64_t, std::uint64_t>, StringId> by_code;
  for (const CalledCode& code : before->called) {
    const bool managed = code.key >= managed_key(0, 0);
    const std::uint64_t what = code.key & ((std::uint64_t{1} << 48) - 1);
    const CallName name = managed ? now->code.managed(static_cast<std::uint32_t>(what >> 32),
                                                      static_cast<std::uint32_t>(what),
                                                      static_cast<std::uint32_t>(code.detail))
                                  : now->code.address(what, static_cast<std::size_t>(code.detail));
    const StringId id = pool->intern(name.text);
    by_code[{code.key, code.detail}] = id;
    const auto old = shown.find(before->pool->text(code.name));
    if (old) {
      StringId& first = out.by_old[index(*old)];
      const bool is_first = std::exchange(renamed_names[index(*old)], std::uint8_t{1}) == 0;
      if (!is_first && first != id) out.split[index(*old)] = 1;
      if (is_first) first = id;
    }
    now->called.push_back({code.key, code.detail, id, name.known});
  }
  const bool splits = std::ranges::any_of(out.split, [](std::uint8_t one) { return one != 0; });
  if (splits) out.name_of_record = names_by_record(*before, shown, out.split, by_code);
  now->count_unnamed();
  // What is forgotten of the names so far is told anew of the trace itself.
  OddityCounts odd = recording_.odd;
  for (std::size_t i = 0; i < static_cast<std::size_t>(Oddity::kinds); ++i) {
    out.their_kinds.push_back(&kind_of(static_cast<Oddity>(i)));
  }
  odd.report(out.diagnostics);
  if (now->file) now->file->odd.report(out.diagnostics, false);
  out.take_effect = [this, now](std::uint64_t) {
    const std::lock_guard lock(mutex_);
    names_ = now;
  };
  std::vector<RenamedTracks> renamed(1);
  renamed.front().names = std::move(out);
  return renamed;
}

}  // namespace cinderscope::thread_stream
