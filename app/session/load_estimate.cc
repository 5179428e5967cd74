#include "app/session/load_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "ingest/base/path_text.h"
#include "ingest/format/load_context.h"
#include "ingest/input/unpack/decoders.h"
#include "ingest/os/file.h"
#include "ingest/os/folder.h"
#include "ingest/os/temporary_file.h"

namespace cinderscope {

namespace {

constexpr std::size_t kSampleBytes = std::size_t{8} << 20;
// No format keeps more than this for a byte of input; most keep a tenth to a half of one.
constexpr std::uint64_t kMostKeptOfByte = 2;
// A load needs some of its memory only for a while.
constexpr double kPeakOverKept = 1.15;
// No gzip file becomes more than so many times as long.
constexpr std::uint64_t kMostInflated = 1032;

namespace fs = std::filesystem;

struct FoundFile {
  fs::path path;
  std::uint64_t size_bytes = 0;
};

// The regular files in a folder and the folders in it, without links; the largest first.
std::vector<FoundFile> files_below(const fs::path& folder) {
  constexpr std::size_t kMostFiles = 100'000;
  std::vector<FoundFile> files;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                         error);
  while (!error && entry != fs::recursive_directory_iterator() && files.size() < kMostFiles) {
    std::error_code unknown;
    if (!entry->is_symlink(unknown) && entry->is_regular_file(unknown)) {
      const std::uint64_t size_bytes = entry->file_size(unknown);
      files.push_back({entry->path(), unknown ? 0 : size_bytes});
    }
    entry.increment(error);
  }
  std::ranges::stable_sort(files, std::greater(), &FoundFile::size_bytes);
  return files;
}

std::uint64_t bytes_of_all(const std::vector<FoundFile>& files) {
  std::uint64_t bytes = 0;
  for (const FoundFile& file : files) bytes += file.size_bytes;
  return bytes;
}

bool is_packed(const FoundFile& file) {
  std::array<std::byte, kPackingMagicBytes> start{};
  std::error_code error;
  const UniqueFd opened = open_to_read(file.path, error);
  return opened && read_at(opened, 0, start, error) > 0 && packing_of(start) != Packing::none;
}

// The first bytes of a trace as an input of their own.
struct Sample {
  Input input;
  double share = 1;  // of the whole
};

std::optional<Sample> sample_of_file(const Input& input) {
  if (!input.complete()) return std::nullopt;
  const Result<Pin> pin = input.pin(0, kSampleBytes);
  if (!pin || pin->size() == 0) return std::nullopt;
  const std::span<const std::byte> head = pin->bytes();
  return Sample{
      Input::from_memory(std::string(input.name()), std::vector(head.begin(), head.end())),
      static_cast<double>(head.size()) / static_cast<double>(input.size_bytes())};
}

// How long an input becomes that is being unpacked, by how far that has come.
double whole_bytes(const Input& input) {
  constexpr std::uint64_t kLeastInflated = 64u << 20, kStepBytes = 1u << 20,
                          kPieceBytes = 256u << 10;
  while (!input.complete() && input.stored_done_bytes() == 0 &&
         input.wait_for(0) < kLeastInflated) {
    static_cast<void>(input.wait_for(input.wait_for(0) + kStepBytes));
  }
  const auto there = static_cast<double>(input.wait_for(0));
  if (input.complete()) return there;
  // What was taken last is counted once all of it is unpacked.
  const std::uint64_t taken =
      std::min(input.stored_done_bytes() + kPieceBytes, input.stored_bytes());
  return there * static_cast<double>(input.stored_bytes()) / static_cast<double>(taken);
}

// Writes into `into` the beginnings of the folder's largest files, under their names.
std::optional<Sample> sample_of_folder(const Input& folder, const fs::path& into) {
  constexpr std::uint64_t kLeastOfFile = 4096;
  constexpr std::size_t kMostSampled = 64;
  std::vector<FoundFile> files = files_below(folder.path());
  const auto all_bytes = static_cast<double>(bytes_of_all(files));
  files.resize(std::min(files.size(), kMostSampled));
  const auto stored_bytes = static_cast<double>(bytes_of_all(files));
  if (stored_bytes == 0) return std::nullopt;
  double sampled = 0, whole = 0;
  for (const FoundFile& file : files) {
    const double part = static_cast<double>(file.size_bytes) / stored_bytes;
    const auto wanted = std::max(
        kLeastOfFile, static_cast<std::uint64_t>(part * static_cast<double>(kSampleBytes)));
    const Result<Input> input = Input::from_path(file.path);
    if (!input || input->is_folder()) continue;
    const Result<Pin> head = input->pin(0, wanted);
    if (!head) continue;
    const fs::path copy = into / file.path.lexically_relative(folder.path());
    std::error_code error;
    fs::create_directories(copy.parent_path(), error);
    std::ofstream out(copy, std::ios::binary);
    out.write(head->text().data(), static_cast<std::streamsize>(head->size()));
    if (!out.flush()) return std::nullopt;
    sampled += static_cast<double>(head->size());
    whole += whole_bytes(*input);
  }
  whole *= all_bytes / stored_bytes;
  Result<Input> input = Input::from_path(into);
  if (!input || sampled == 0) return std::nullopt;
  return Sample{std::move(*input), std::min(1.0, sampled / whole)};
}

}  // namespace

bool may_need(const Input& input, std::uint64_t bytes) {
  const std::uint64_t most_bytes = bytes / kMostKeptOfByte;
  if (!input.is_folder()) return input.complete() && input.size_bytes() > most_bytes;
  const std::vector<FoundFile> files = files_below(input.path());
  if (bytes_of_all(files) <= most_bytes / kMostInflated) return false;
  std::uint64_t unpacked_bytes = 0;
  for (const FoundFile& file : files) {
    unpacked_bytes += file.size_bytes * (is_packed(file) ? kMostInflated : 1);
    if (unpacked_bytes > most_bytes) return true;
  }
  return false;
}

std::optional<std::uint64_t> estimated_bytes(const Format& format, const Input& input) {
  if (!format.can_load_prefix()) return std::nullopt;
  std::optional<ScratchFolder> scratch;
  if (input.is_folder()) scratch.emplace();
  std::optional<Sample> sample =
      scratch ? sample_of_folder(input, scratch->path()) : sample_of_file(input);
  if (!sample) return std::nullopt;
  const double share = sample->share;
  Result<std::unique_ptr<TraceSource>> source = format.open(std::move(sample->input));
  if (!source) return std::nullopt;
  LoadContext control({.jobs = 1});
  const Result<Timeline> timeline = read_timeline(**source, control);
  if (!timeline) return std::nullopt;
  const KeptBytes kept = kept_bytes(*timeline);
  // The same names come again and again.
  const auto growing = static_cast<double>(kept.total() - kept.names + (*source)->size().own_bytes);
  const double whole = growing / share * kPeakOverKept;
  return static_cast<std::uint64_t>(whole) + kept.names;
}

std::optional<Error> too_large(const Format& format, const Input& input, const LoadOptions& options,
                               std::uint64_t free_bytes) {
  // Columns that go to disk need no memory.
  if (options.beyond_memory || options.memory_limit_bytes > 0) return std::nullopt;
  if (!options.keep.is_all()) return std::nullopt;
  if (!may_need(input, free_bytes)) return std::nullopt;
  const std::optional<std::uint64_t> needed = estimated_bytes(format, input);
  if (!needed || *needed <= free_bytes) return std::nullopt;
  const auto gb = [](std::uint64_t of) { return static_cast<double>(of) / 1e9; };
  return Error{
      .code = ErrorCode::too_large,
      .text = fmt::format("This trace needs about {:.1f} GB of memory; {:.1f} GB are free.",
                          gb(*needed), gb(free_bytes)),
      .expected = fmt::format(
          "Load all of it with its columns on disk (--memory-limit SIZE; about {:.1f} GB in {}), a "
          "part of it (--keep-from TIME, --keep-to TIME, --keep-thread ID), or all of it anyway "
          "(--beyond-memory).",
          gb(*needed), utf8_of(TemporaryFile::folder()))};
}

}  // namespace cinderscope
