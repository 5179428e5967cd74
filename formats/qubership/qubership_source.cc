#include "formats/qubership/qubership_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "formats/qubership/recording_load.h"
#include "formats/qubership/stored_value.h"
#include "formats/qubership/text/record_text.h"
#include "formats/qubership/text/statement_totals.h"
#include "formats/qubership/text/wire_text.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/base/path_text.h"

namespace cinderscope::qubership {
namespace {

Error cancelled() {
  return {ErrorCode::cancelled, "Loading was cancelled.", {}};
}

// Waits for all of the input, which may be inflated meanwhile; false once it is to stop.
bool wait_for_all(const Input& input, const GoOn& go_on) {
  constexpr std::uint64_t kStepBytes = 4u << 20;
  while (!input.complete()) {
    if (!go_on()) return false;
    static_cast<void>(input.wait_for(input.wait_for(0) + kStepBytes));
  }
  return go_on();
}

std::uint64_t stored_size(const Input& folder, const std::string& file) {
  std::error_code unknown;
  const auto size_bytes = std::filesystem::file_size(folder.path() / path_of(file), unknown);
  return unknown ? 0 : size_bytes;
}

bool same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code unknown;
  return std::filesystem::equivalent(a, b, unknown) && !unknown;
}

ProcessId make_process(TimelineBuilder& out, std::string_view pid, std::string_view name) {
  const ProcessId process = out.process(pid.empty() ? "-" : pid);
  out.process_facts(process).name = out.intern(name);
  return process;
}

ProcessId make_process(TimelineBuilder& out, const SessionFacts& facts) {
  const bool split = !facts.start_ms().empty();
  const ProcessId process = make_process(out, split ? facts.start_ms() : facts.pod, facts.server());
  out.process_facts(process).labels =
      out.intern(fmt::format("service {}, namespace {}", facts.service, facts.name_space));
  return process;
}

// Some of its files was written to a short while ago.
bool is_written(const FoundFiles& found) {
  constexpr std::chrono::minutes kShortWhile{10};
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::ranges::any_of(found.files, [&](const FoundFile& file) {
    const auto status = file_status(found.folders[file.folder].path() / path_of(file.file));
    return status && now - std::chrono::nanoseconds(status->modified_ns) < kShortWhile;
  });
}

// Of a recording that was collected here.
std::optional<SessionFacts> collected_facts(const Input& folder) {
  const Result<Input> file = folder.companion(kFactsFile);
  if (!file || file->is_folder()) return std::nullopt;
  const Result<Pin> text = file->pin(0, kMostFactsBytes);
  if (!text) return std::nullopt;
  return facts_of_text(text->text());
}

}  // namespace

std::unique_ptr<TraceSource> QubershipSource::read_on() {
  if (!growing_) return nullptr;
  Result<Input> folder = Input::from_path(input_.path(), input_.disk_share());
  if (!folder || !folder->is_folder()) return nullptr;
  auto next = std::make_unique<QubershipSource>(std::move(*folder));
  next->growing_ = std::move(growing_);
  next->session_ = session_;
  return next;
}

bool QubershipSource::load_further(const FoundFiles& found, TimelineBuilder& out,
                                   LoadContext& context) {
  const GoOn go_on = [&] { return context.tick(out, 0); };
  context.no_more_snapshots();  // it is there at once
  if (!growing_->read_on(found, go_on)) growing_.reset();
  return growing_ != nullptr;
}

Status QubershipSource::show_growing(TimelineBuilder& out, LoadContext& context) {
  stored_bytes_ = growing_->packed_bytes();
  Result<Timeline> timeline = growing_->timeline(recording_, context);
  if (!timeline) return timeline.error();
  out.adopt(std::move(*timeline));
  return ok();
}

Status QubershipSource::load(TimelineBuilder& out, LoadContext& context) {
  if (growing_) {
    if (load_further(find_files(input_), out, context)) return show_growing(out, context);
    if (context.cancelled()) return cancelled();
  }
  Result<StreamStore> store = StreamStore::create(input_.disk_share());
  if (!store) return store.error();
  recording_.emplace(std::move(*store));
  FoundFiles found = find_files(input_);
  if (!found.empty()) return load_files(std::move(found), out, context);
  return is_session(input_.head()) ? load_session(out, context) : load_single(out, context);
}

Status QubershipSource::load_session(TimelineBuilder& out, LoadContext& context) {
  const GoOn go_on = [&] { return context.tick(out, input_.stored_done_bytes()); };
  if (!wait_for_all(input_, go_on)) return cancelled();
  stored_bytes_ = input_.stored_bytes();
  const Result<Pin> bytes = input_.pin_all();
  if (!bytes) return bytes.error();
  Result<SessionFacts> session =
      read_session(bytes->bytes(), recording_->store, out.diagnostics(), go_on);
  if (!session) return session.error();
  session_ = std::move(*session);

  const ProcessId process = make_process(out, *session_);
  RecordingLoad load(*recording_, out, process);
  for (const StreamFile& file : recording_->store.files()) {
    if (!load.take(file, AtEnd::nothing, go_on)) return cancelled();
  }
  load.finish();
  return ok();
}

Status QubershipSource::load_files(FoundFiles found, TimelineBuilder& out, LoadContext& context) {
  std::uint64_t done_bytes = 0;
  stored_bytes_ = 0;
  for (const FoundFile& file : found.files) {
    stored_bytes_ += stored_size(found.folders[file.folder], file.file);
  }
  context.set_total_bytes(stored_bytes_);
  Diagnostics* problems = nullptr;
  const auto open = [&](std::size_t i) -> std::optional<Input> {
    if (i >= found.files.size()) return std::nullopt;
    const FoundFile& file = found.files[i];
    const Input& folder = found.folders[file.folder];
    Result<Input> input = folder.companion(file.file);
    if (input) return std::move(*input);
    // A file that nothing was written to yet is none that fails.
    if (stored_size(folder, file.file) > 0) {
      problems->count(diagnostic::kUnreadableFile, kNoOffset,
                      fmt::format("{}: {}", file.name, input.error().text));
    }
    return std::nullopt;
  };

  const FolderFacts facts = folder_facts(input_);
  if (input_.is_folder()) session_ = collected_facts(input_);
  if (context.options().reads_on && input_.is_folder() && is_written(found)) {
    growing_ = GrowingRecording::create(found, input_.disk_share(), context.keep());
  }
  TimelineBuilder& builder = growing_ ? growing_->builder() : out;
  const ProcessId process = session_ ? make_process(builder, *session_)
                                     : make_process(builder, facts.start_ms, facts.server);
  RecordingLoad load(*recording_, builder, process);
  if (growing_) growing_->begin(process);
  problems = &builder.diagnostics();
  std::optional<Input> next = open(0);
  for (std::size_t i = 0; i < found.files.size(); ++i) {
    const std::optional<Input> input = std::move(next);
    next = open(i + 1);  // is inflated while this one is read
    if (!input || input->is_folder()) continue;
    const FoundFile& file = found.files[i];
    const GoOn go_on = [&] {
      return context.tick(builder, done_bytes + input->stored_done_bytes());
    };
    if (!wait_for_all(*input, go_on)) return cancelled();
    const Result<Pin> bytes = input->pin_all();
    if (!bytes) return bytes.error();
    if (growing_) {
      if (!growing_->take(found, file, bytes->bytes(), input->stored_bytes(), input->damage(),
                          go_on)) {
        return cancelled();
      }
      done_bytes += input->stored_bytes();
      continue;
    }
    recording_->store.add(file.stream, file.index, file.name, bytes->bytes(), BlockForm::by_content,
                          out.diagnostics());
    // What is wrong with the input itself is told with it.
    const bool own =
        same_file(found.folders[file.folder].path() / path_of(file.file), input_.path());
    const Diagnostics damage = own ? Diagnostics() : input->damage();
    out.diagnostics().merge(damage, file.name);
    if (!load.take(recording_->store.current(), AtEnd::nothing, go_on)) return cancelled();
    done_bytes += input->stored_bytes();
  }
  if (growing_) {
    Status shown = show_growing(out, context);
    // What could not be opened is tried again by opening all.
    if (builder.diagnostics().has(diagnostic::kUnreadableFile)) growing_.reset();
    return shown;
  }
  load.finish();
  return ok();
}

Status QubershipSource::load_single(TimelineBuilder& out, LoadContext& context) {
  const GoOn go_on = [&] { return context.tick(out, input_.stored_done_bytes()); };
  const auto loose = loose_name(input_.name());
  if (!loose) {
    return Error{ErrorCode::damaged, "The folder holds no stream of a Qubership recording.",
                 "Expected a dump folder with trace, calls, dictionary and the like."};
  }
  if (!wait_for_all(input_, go_on)) return cancelled();
  stored_bytes_ = input_.stored_bytes();
  const Result<Pin> bytes = input_.pin_all();
  if (!bytes) return bytes.error();
  recording_->store.add(loose->stream, loose->index, std::string(input_.name()), bytes->bytes(),
                        BlockForm::by_content, out.diagnostics());
  RecordingLoad load(*recording_, out, make_process(out, {}, std::string(input_.name())));
  if (!load.take(recording_->store.current(), AtEnd::nothing, go_on)) return cancelled();
  load.finish();
  return ok();
}

std::vector<std::filesystem::path> QubershipSource::files() const {
  const FoundFiles found = find_files(input_);
  if (found.empty()) return TraceSource::files();
  std::vector<std::filesystem::path> paths;
  paths.reserve(found.files.size());
  for (const FoundFile& file : found.files) {
    paths.push_back(found.folders[file.folder].path() / path_of(file.file));
  }
  return paths;
}

RecordText QubershipSource::read_record(RecordOffset record, RecordOffset end_record) const {
  return recording_ ? record_text(*recording_, record, end_record) : RecordText{};
}

TraceSource::Size QubershipSource::size() const {
  if (!recording_) return {.stored_bytes = stored_bytes_};
  const std::uint64_t growing_bytes = growing_ ? growing_->kept_bytes() : 0;
  return {stored_bytes_, recording_->store.size_bytes(), kept_bytes(*recording_) + growing_bytes};
}

const Statements* QubershipSource::statements() const {
  return recording_ && recording_->sql ? this : nullptr;
}

const CallFacts* QubershipSource::call_facts() const {
  return recording_ ? this : nullptr;
}

std::span<const CallFacts::Column> QubershipSource::columns() const {
  return kCallFacts;
}

std::vector<std::int64_t> QubershipSource::facts_of(RecordOffset record) const {
  return recording_ ? call_facts_of(*recording_, record) : std::vector<std::int64_t>();
}

std::vector<StatementTotal> QubershipSource::totals(const std::atomic<bool>& cancelled) const {
  return statement_totals(*recording_, cancelled);
}

std::vector<std::pair<std::string, std::string>> QubershipSource::details() const {
  std::vector<std::pair<std::string, std::string>> facts;
  if (!recording_) return facts;
  const auto number = [&](std::string_view key, std::uint64_t value) {
    facts.emplace_back(key, fmt::to_string(value));
  };
  const RecordingCounts& counts = recording_->counts;
  number("dictionary", recording_->dictionary.size());
  number("calls", counts.calls);
  number("trees", counts.trees);
  number("tags", counts.tags);
  number("sql_values", count_values(recording_->store, Stream::sql));
  number("xml_values", count_values(recording_->store, Stream::xml));
  number("pauses", counts.pauses);
  number("pause_ms", counts.pause_ms);
  if (session_) {
    facts.emplace_back("pod", json_quoted(session_->pod));
    facts.emplace_back("service", json_quoted(session_->service));
    facts.emplace_back("namespace", json_quoted(session_->name_space));
    number("protocol", session_->server_version);
  }
  return facts;
}

}  // namespace cinderscope::qubership
