#include "app/pack/pack.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/convert/convert.h"
#include "app/pack/cut_session.h"
#include "app/pack/cut_traces.h"
#include "app/pack/pack_plan.h"
#include "app/session/find_traces.h"
#include "app/session/merge_offset.h"
#include "app/session/open_trace.h"
#include "app/session_file/locate.h"
#include "app/session_file/session_path.h"
#include "app/store/state_files.h"
#include "ingest/base/parallel.h"
#include "ingest/base/path_text.h"
#include "ingest/input/stored_bytes.h"
#include "ingest/os/folder.h"
#include "ingest/part/output/zip_writer.h"
#include "ingest/part/output/zstd_frames.h"
#include "render/text/size_text.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kReadme =
    "A Cinderscope session: call traces, and what somebody wants to show in them.\n"
    "Open this file with Cinderscope: cinderscope NAME.cinderpack, or a double click.\n"
    "It contains the traces themselves, in the folder traces: names of a program's functions,\n"
    "and what else was recorded of it. Those that end in .zst are unpacked by unzstd.\n";

Error cancelled() {
  return {ErrorCode::cancelled, "Packing was cancelled.", {}};
}

// What tells a trace from others, from its bytes as they go by.
class IdentityOf {
 public:
  void add(std::span<const std::byte> bytes) {
    size_ += bytes.size();
    const std::size_t wanted = std::min(kEndBytes - head_.size(), bytes.size());
    head_.insert(head_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(wanted));
    bytes = bytes.last(std::min(bytes.size(), kEndBytes));
    tail_.insert(tail_.end(), bytes.begin(), bytes.end());
    if (tail_.size() > kEndBytes) {
      tail_.erase(tail_.begin(), tail_.end() - static_cast<std::ptrdiff_t>(kEndBytes));
    }
  }
  TraceIdentity identity() const {
    return {.size_bytes = size_, .head = sha256_hex(head_), .tail = sha256_hex(tail_)};
  }

 private:
  static constexpr std::size_t kEndBytes = 65536;
  std::uint64_t size_ = 0;
  std::vector<std::byte> head_, tail_;
};

FramesInput frames_of(const StoredBytes& bytes) {
  return {.bytes = bytes.size(),
          .read = [&bytes](std::uint64_t offset, std::span<std::byte> to, std::error_code& error) {
            return bytes.read(offset, to, error);
          }};
}

class PackWriter {
 public:
  PackWriter(PackPlan& plan, unsigned jobs, PackControl& control)
      : plan_(plan), jobs_(jobs), control_(control) {}

  Result<std::uint64_t> write(const fs::path& path) {
    Result<ZipWriter> zip = ZipWriter::create(path);
    if (!zip) return zip.error();
    std::uint64_t total = 0;
    for (const PackFile& file : plan_.files) total += file.bytes;
    control_.total_bytes = total;
    zip->reserve(std::string(kSessionInPack), longest_text());
    for (const PackFile& file : plan_.files) {
      if (const Status written = add(*zip, file); !written) return written.error();
    }
    zip->begin("README.txt", kReadme.size());
    zip->append(std::as_bytes(std::span(kReadme)));
    zip->end();
    if (control_.cancelled) return cancelled();
    if (!zip->fill(session_text(plan_.session))) {
      return Error{ErrorCode::refused, "The session has too many traces for a pack.", {}};
    }
    if (const Status done = zip->commit(); !done) return done.error();
    std::error_code unknown;
    const std::uintmax_t bytes = fs::file_size(path, unknown);
    return unknown ? 0 : static_cast<std::uint64_t>(bytes);
  }

 private:
  // Sizes and hashes of traces are known only behind them, where the session cannot be any more.
  std::size_t longest_text() const {
    SessionFile session = plan_.session;
    for (const PackFile& file : plan_.files) {
      if (file.trace == kNoTrace) continue;
      session.traces[file.trace].identity = {
          .size_bytes = file.compress ? most_packed_bytes(file.bytes) : file.bytes,
          .head = std::string(64, 'f'),
          .tail = std::string(64, 'f')};
    }
    return session_text(session).size();
  }

  Status add(ZipWriter& zip, const PackFile& file) {
    const Result<StoredBytes> bytes = StoredBytes::open(path_of(file.source));
    if (!bytes) return bytes.error();
    IdentityOf identity;
    const std::uint64_t before = control_.done_bytes;
    const auto take = [&](std::span<const std::byte> piece, std::uint64_t done) {
      zip.append(piece);
      identity.add(piece);
      control_.done_bytes = before + done;
      return !control_.cancelled && zip.ok();
    };
    zip.begin(file.name, file.compress ? most_packed_bytes(bytes->size()) : bytes->size());
    Status written = file.compress ? pack_in_frames(frames_of(*bytes), jobs_, take)
                                   : copy(*bytes, file.name, take);
    // A full disk is told by commit(), in its own words.
    if (!written && !control_.cancelled && !zip.ok()) written = zip.commit();
    if (!written) return control_.cancelled ? cancelled() : written.error();
    zip.end();
    if (file.trace != kNoTrace) plan_.session.traces[file.trace].identity = identity.identity();
    return ok();
  }

  template <class Take>
  static Status copy(const StoredBytes& bytes, const std::string& name, Take take) {
    constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
    std::vector<std::byte> piece(kPieceBytes);
    for (std::uint64_t at = 0; at < bytes.size();) {
      std::error_code error;
      const std::size_t size = bytes.read(at, piece, error);
      if (error || size == 0) {
        return Error{ErrorCode::cannot_read,
                     fmt::format("\"{}\" cannot be read: {}.", name,
                                 error ? error.message() : "it became shorter meanwhile"),
                     {}};
      }
      at += size;
      if (!take(std::span<const std::byte>(piece).first(size), at)) return cancelled();
    }
    return ok();
  }

  PackPlan& plan_;
  unsigned jobs_;
  PackControl& control_;
};

std::uint64_t estimated_bytes(const std::vector<PackFile>& files) {
  std::uint64_t sum = 0;
  for (const PackFile& file : files) {
    const auto bytes =
        file.compress ? StoredBytes::open(path_of(file.source)) : Result<StoredBytes>(refused({}));
    sum += bytes ? estimated_packed_bytes(frames_of(*bytes)) : file.bytes;
  }
  return sum;
}

Result<PackPlan> plan_of(const PackRequest& request, const fs::path& scratch,
                         PackControl& control) {
  PackPlan plan{.session = request.input.session, .files = {}, .notes = {}, .traces = 0};
  forget_old_paths(plan.session);
  WholeTraces whole(request, plan);
  CutTraces cut(request, plan, scratch, control);
  for (std::size_t i = 0; i < plan.session.traces.size(); ++i) {
    if (control.cancelled) return cancelled();
    if (request.input.paths[i].empty()) {
      plan.notes.push_back(fmt::format("{} was not found.", plan.session.traces[i].path));
      plan.session.traces[i].path.clear();
      continue;
    }
    if (!request.cuts()) {
      whole.add(i);
    } else if (const Status added = cut.add(i); !added) {
      return added.error();
    }
  }
  if (plan.traces == 0) {
    return refused(plan.notes.empty() ? "There are no traces to be packed." : plan.notes.front());
  }
  if (request.cuts()) {
    const std::string left_out = cut_session(plan.session, cut.ranges()).sentence();
    if (!left_out.empty()) plan.notes.push_back(left_out);
  }
  if (request.anonymous) make_anonymous(plan.session);
  return plan;
}

Error of_file(const std::string& file, Error error) {
  error.text = message_of(file, error);
  return error;
}

// Indices of traces change; those of files follow.
void drop_missing(PackPlan& plan) {
  std::vector<std::size_t> place;
  std::size_t next = 0;
  for (const SessionTrace& trace : plan.session.traces) {
    place.push_back(next);
    if (!trace.path.empty()) ++next;
  }
  for (PackFile& file : plan.files) {
    if (file.trace != kNoTrace) file.trace = place[file.trace];
  }
  drop_traces_without_path(plan.session);
}

}  // namespace

Result<Packed> pack(const PackRequest& request, PackControl& control) {
  std::vector<std::string> inputs;
  for (const std::string& path : request.input.paths) {
    if (!path.empty()) inputs.push_back(path);
  }
  if (!request.input.text_path.empty()) {
    const fs::path text = path_of(request.input.text_path);
    inputs.push_back(utf8_of(text));
    if (text.filename() == path_of(kSessionInPack)) inputs.push_back(utf8_of(text.parent_path()));
  }
  if (const Status may = check_output(path_of(request.out), request.force, inputs); !may) {
    return may.error();
  }
  const ScratchFolder scratch;
  if (request.cuts() && scratch.path().empty()) {
    return refused("There is no place for temporary files.");
  }
  Result<PackPlan> plan = plan_of(request, scratch.path(), control);
  if (!plan) return plan.error();
  drop_missing(*plan);
  // What a trace needs beside it is read, too; pieces that were cut are files of our own.
  if (!request.cuts()) {
    for (const PackFile& file : plan->files) inputs.push_back(file.source);
    if (const Status may = check_output(path_of(request.out), request.force, inputs); !may) {
      return may.error();
    }
  }
  Packed packed{.path = request.out, .traces = plan->traces, .notes = plan->notes};
  for (const PackFile& file : plan->files) packed.plain_bytes += file.bytes;
  if (request.strict && !packed.notes.empty()) {
    packed.refused = true;
    return packed;
  }
  constexpr std::size_t kMostEntries = 65'000;  // of an archive that all readers take
  if (plan->files.size() > kMostEntries) {
    return refused(fmt::format("These are {} files; a pack has at most {}.", plan->files.size(),
                               kMostEntries));
  }
  if (const Status room = expect_room(path_of(request.out), estimated_bytes(plan->files)); !room) {
    return room.error();
  }
  const unsigned jobs = request.load.jobs > 0 ? request.load.jobs : std::min(core_count(), 4u);
  const Result<std::uint64_t> written =
      PackWriter(*plan, jobs, control).write(path_of(request.out));
  if (!written) return written.error();
  packed.bytes = *written;
  return packed;
}

std::string packed_text(const Packed& packed) {
  return fmt::format("Packed {} {} in {}, {}.", packed.traces,
                     packed.traces == 1 ? "trace" : "traces",
                     utf8_of(path_of(packed.path).filename()), size_text(packed.bytes));
}

Result<PackInput> pack_input(const std::vector<std::string>& files,
                             const std::vector<std::string>& look_in,
                             std::vector<std::string>& notes) {
  PackInput input;
  for (const std::string& file : files) {
    if (file == "-") return refused("Standard input cannot be packed; save it to a file first.");
    const std::string path = absolute_path(file);
    if (input.session.traces.empty() && is_session_file(path)) {
      const Result<ReadSession> read = read_session(path);
      if (!read) return of_file(file, read.error());
      input.session = read->file;
      input.text_path = read->text_path;
      const auto located = locate_traces(
          {.session_path = read->text_path, .traces = read->file.traces, .look_in = look_in});
      for (std::size_t i = 0; i < located.size(); ++i) {
        const bool there = !located[i].path.empty() && located[i].location != Location::another;
        input.paths.push_back(there ? located[i].path : std::string());
        if (located[i].location == Location::packed) {
          notes.push_back(
              fmt::format("{} is taken from {}; whether it is the same recording was not checked.",
                          read->file.traces[i].path, utf8_of(path_of(located[i].path).filename())));
        }
      }
      continue;
    }
    std::string left_out;
    const Result<std::vector<std::string>> traces = traces_of(path, &left_out);
    if (!traces) return of_file(file, traces.error());
    if (!left_out.empty()) notes.push_back(left_out);
    for (const std::string& each : *traces) {
      SessionTrace trace;
      std::size_t number = input.session.traces.size();
      do {
        trace.id = fmt::format("t{}", ++number);
      } while (input.session.trace(trace.id) != nullptr);
      trace.path = each;
      SessionTab tab;
      tab.traces.push_back({.trace = trace.id});
      input.session.traces.push_back(std::move(trace));
      input.session.tabs.push_back(std::move(tab));
      input.paths.push_back(each);
    }
  }
  return input;
}

std::uint64_t estimated_pack_bytes(const PackInput& input, bool compress) {
  const PackRequest request{.input = input, .out = {}, .compress = compress};
  PackControl control;
  const Result<PackPlan> plan = plan_of(request, {}, control);
  return plan ? estimated_bytes(plan->files) : 0;
}

}  // namespace cinderscope
