#include "formats/qubership/collector/collected_dump.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "formats/qubership/found_files.h"
#include "ingest/base/ascii.h"
#include "ingest/base/number_text.h"
#include "ingest/base/path_text.h"
#include "ingest/base/time_zone.h"

namespace cinderscope::qubership {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMemberBytes = 64 << 10;  // of content, unless it has to be written sooner
constexpr std::uint64_t kReservedBytes = kMemberBytes + kMemberBytes / 16;  // packed, at worst
constexpr std::size_t kMostNameBytes = 128;
// An agent that lost its collector begins anew under its old name: the next free start. One that
// does so all the time gets the time at which it came.
constexpr int kNearStarts = 16, kMostStarts = 1'000;

Error cannot_write(const fs::path& path, std::string_view why) {
  return {ErrorCode::cannot_read,
          fmt::format("\"{}\" cannot be written: {}.", cinderscope::utf8_of(path), why),
          {}};
}

Result<std::vector<std::byte>> packed(std::span<const std::byte> bytes) {
  constexpr int kLevel = 6, kGzip = 15 + 16, kMemory = 8;
  const Error no_memory{ErrorCode::no_memory, "There is no memory to pack what was received.", {}};
  z_stream stream{};
  if (deflateInit2(&stream, kLevel, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
    return no_memory;
  }
  std::vector<std::byte> out(deflateBound(&stream, static_cast<uLong>(bytes.size())));
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const bool whole = deflate(&stream, Z_FINISH) == Z_STREAM_END;
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (!whole) return no_memory;
  return out;
}

std::string file_name(std::uint32_t index) {
  return fmt::format("{:06}.gz", index);
}

// "2026/11/21", as the clock on the wall says where this runs.
std::string date_path(std::int64_t unix_ms) {
  const std::tm local = wall_time(unix_ms / 1000).value_or(WallTime{}).fields;
  return fmt::format("{:04}/{:02}/{:02}", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday);
}

std::int64_t start_of(const SessionFacts& facts, std::int64_t now_ms) {
  const std::int64_t start_ms = parse_number<std::int64_t>(facts.start_ms()).value_or(0);
  return start_ms >= kEarliestMs && start_ms <= kLatestMs ? start_ms : now_ms;
}

}  // namespace

std::string safe_file_name(std::string_view name) {
  std::string safe(name.substr(0, kMostNameBytes));
  for (std::size_t i = 0; i < safe.size(); ++i) {
    const char c = safe[i];
    const bool inner = (c == '-' || c == '.') && i > 0;  // a name is no option and not hidden
    const bool plain = is_letter_or_digit(c) || c == '_' || inner;
    if (!plain) safe[i] = '_';
  }
  return safe.empty() ? "unknown" : safe;
}

CollectedDump::CollectedDump(fs::path top, SessionFacts facts, std::int64_t now_ms)
    : top_(std::move(top)),
      facts_(std::move(facts)),
      start_ms_(start_of(facts_, now_ms)),
      now_ms_(now_ms) {}

Result<CollectedDump::StreamNumber> CollectedDump::open(std::string_view name, std::uint32_t index,
                                                        bool again) {
  const auto old = std::ranges::find(files_, name, &File::stream);
  const auto number = static_cast<StreamNumber>(old - files_.begin());
  if (old == files_.end()) {
    files_.emplace_back().stream = name;
  } else if (Status written = write_out(*old); !written) {
    return written.error();
  }
  File& file = files_[number];
  file.index = index;
  file.lengths = {};
  const auto stream = stream_named(name);
  file.blocked = stream && has_blocks(*stream);
  std::set<std::uint32_t>& indices = seen_[file.stream];
  if (indices.insert(index).second) return number;
  if (!again) {
    return Error{ErrorCode::damaged, fmt::format("{} {} was opened twice", name, index), {}};
  }
  if (!folder_.empty()) {
    const Result<FolderBelow> folder = folder_of(file);
    if (!folder) return folder.error();
    folder->remove(file_name(index));
  }
  return number;
}

Status CollectedDump::append(StreamNumber stream, std::span<const std::byte> bytes) {
  File& file = files_[stream];
  // What waits was acknowledged: it goes to the disk, where there is space set aside for it, before
  // anything that may find none.
  const bool is_much = file.waiting.size() + bytes.size() > kMemberBytes;
  if (is_much) {
    if (Status written = write_out(file); !written) return written;
  } else if (file.waiting.empty() && !bytes.empty()) {
    if (Status reserved = reserve(file); !reserved) return reserved;
  }
  const std::size_t before = file.waiting.size();
  const auto keep = [&](std::span<const std::byte> part) {
    file.waiting.insert(file.waiting.end(), part.begin(), part.end());
  };
  bool sound = true;
  if (file.blocked) {
    sound = file.lengths.take(bytes, keep);
  } else {
    keep(bytes);
  }
  waiting_bytes_ += file.waiting.size() - before;
  if (!sound) {
    return Error{ErrorCode::damaged,
                 fmt::format("a block of {} cannot be as long as it says", file.stream),
                 {}};
  }
  return file.waiting.size() >= kMemberBytes ? write_out(file) : ok();
}

Status CollectedDump::write_out() {
  for (File& file : files_) {
    if (Status written = write_out(file); !written) return written;
  }
  return ok();
}

Result<FolderBelow> CollectedDump::folder_of(const File& file) {
  if (folder_.empty()) {
    if (Status made = make_folder(); !made) return made.error();
  }
  std::error_code error;
  FolderBelow folder(top_, inner_ / path_of(file.stream), error);
  if (error) return cannot_write(folder_ / path_of(file.stream), error.message());
  return folder;
}

Status CollectedDump::make_folder() {
  const fs::path day = path_of(safe_file_name(facts_.server())) / path_of(date_path(start_ms_));
  std::error_code error;
  fs::create_directories(top_, error);
  const FolderBelow days(top_, day, error);
  for (int i = 0; i < kMostStarts && !error; ++i) {
    const std::string start = fmt::to_string(i < kNearStarts ? start_ms_ + i : now_ms_ + i);
    if (!days.make(start, error)) continue;
    inner_ = day / path_of(start);
    folder_ = top_ / inner_;
    const FolderBelow folder(top_, inner_, error);
    const std::string text = facts_text(facts_);
    if (!error) folder.append(std::string(kFactsFile), std::as_bytes(std::span(text)), error);
    if (error) return cannot_write(folder_ / path_of(kFactsFile), error.message());
    return ok();
  }
  return cannot_write(top_ / day, error ? error.message() : "too many recordings of one start");
}

Status CollectedDump::reserve(const File& file) {
  const Result<FolderBelow> folder = folder_of(file);
  if (!folder) return folder.error();
  const std::string name = file_name(file.index);
  std::error_code error;
  folder->reserve(name, kReservedBytes, error);
  if (error) return cannot_write(folder_ / path_of(file.stream) / path_of(name), error.message());
  return ok();
}

Status CollectedDump::write_out(File& file) {
  if (file.waiting.empty()) return ok();
  const Result<FolderBelow> folder = folder_of(file);
  if (!folder) return folder.error();
  const Result<std::vector<std::byte>> member = packed(file.waiting);
  if (!member) return member.error();
  const std::string name = file_name(file.index);
  std::error_code error;
  folder->append(name, *member, error);  // half a member would hide those that follow it
  if (error) return cannot_write(folder_ / path_of(file.stream) / path_of(name), error.message());
  written_bytes_ += member->size();
  waiting_bytes_ -= file.waiting.size();
  file.waiting.clear();
  return ok();
}

}  // namespace cinderscope::qubership
