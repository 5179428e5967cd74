#include "app/session/load_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ingest/format/load_context.h"
#include "ingest/os/folder.h"

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

std::uint64_t size_of(const fs::path& file) {
  std::error_code unknown;
  const std::uint64_t size_bytes = fs::file_size(file, unknown);
  return unknown ? 0 : size_bytes;
}

// The regular files in a folder and the folders in it, without links.
std::vector<fs::path> files_below(const fs::path& folder) {
  constexpr std::size_t kMostFiles = 10'000;
  std::vector<fs::path> files;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                         error);
  while (!error && entry != fs::recursive_directory_iterator() && files.size() < kMostFiles) {
    std::error_code unknown;
    if (!entry->is_symlink(unknown) && entry->is_regular_file(unknown)) {
      files.push_back(entry->path());
    }
    entry.increment(error);
  }
  return files;
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

// Writes into `into` the beginnings of all files of the folder, under their names.
std::optional<Sample> sample_of_folder(const Input& folder, const fs::path& into) {
  constexpr std::uint64_t kLeastOfFile = 4096;
  const std::vector<fs::path> files = files_below(folder.path());
  std::uint64_t stored_bytes = 0;
  for (const fs::path& file : files) stored_bytes += size_of(file);
  double sampled = 0, whole = 0;
  for (const fs::path& file : files) {
    const double part = static_cast<double>(size_of(file)) /
                        static_cast<double>(std::max<std::uint64_t>(stored_bytes, 1));
    const auto wanted = std::max(
        kLeastOfFile, static_cast<std::uint64_t>(part * static_cast<double>(kSampleBytes)));
    const Result<Input> input = Input::from_path(file);
    if (!input || input->is_folder()) continue;
    const Result<Pin> head = input->pin(0, wanted);
    if (!head) continue;
    const fs::path copy = into / file.lexically_relative(folder.path());
    std::error_code error;
    fs::create_directories(copy.parent_path(), error);
    std::ofstream out(copy, std::ios::binary);
    out.write(head->text().data(), static_cast<std::streamsize>(head->size()));
    if (!out.flush()) return std::nullopt;
    sampled += static_cast<double>(head->size());
    whole += whole_bytes(*input);
  }
  Result<Input> input = Input::from_path(into);
  if (!input || sampled == 0) return std::nullopt;
  return Sample{std::move(*input), std::min(1.0, sampled / std::max(whole, 1.0))};
}

// Whether it may take more than that for all that its size tells.
bool may_need(const Input& input, std::uint64_t bytes) {
  if (!input.is_folder()) return input.complete() && input.size_bytes() > bytes / kMostKeptOfByte;
  std::uint64_t stored_bytes = 0;
  for (const fs::path& file : files_below(input.path())) stored_bytes += size_of(file);
  return stored_bytes > bytes / kMostKeptOfByte / kMostInflated;
}

}  // namespace

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
  if (options.beyond_memory || !options.keep.is_all()) return std::nullopt;
  if (!may_need(input, free_bytes)) return std::nullopt;
  const std::optional<std::uint64_t> needed = estimated_bytes(format, input);
  if (!needed || *needed <= free_bytes) return std::nullopt;
  const auto gb = [](std::uint64_t of) { return static_cast<double>(of) / 1e9; };
  return Error{
      .code = ErrorCode::too_large,
      .text = fmt::format("This trace needs about {:.1f} GB of memory; {:.1f} GB are free.",
                          gb(*needed), gb(free_bytes)),
      .expected =
          "Load a part of it (--keep-from TIME, --keep-to TIME, --keep-thread ID), or "
          "all of it anyway (--beyond-memory)."};
}

}  // namespace cinderscope
