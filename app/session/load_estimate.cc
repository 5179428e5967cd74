#include "app/session/load_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ingest/format/load_context.h"

namespace cinderscope {

namespace {

constexpr std::size_t kSampleBytes = std::size_t{8} << 20;
// No format keeps more than this for a byte of input; most keep a tenth to a half of one.
constexpr std::uint64_t kMostKeptOfByte = 2;
// A load needs some of its memory only for a while.
constexpr double kPeakOverKept = 1.15;

}  // namespace

std::optional<std::uint64_t> estimated_bytes(const Format& format, const Input& input) {
  if (input.is_folder() || !input.complete() || !format.can_load_prefix()) return std::nullopt;
  const Result<Pin> sample = input.pin(0, kSampleBytes);
  if (!sample || sample->size() == 0) return std::nullopt;
  const std::span<const std::byte> head = sample->bytes();
  Result<std::unique_ptr<TraceSource>> source = format.open(
      Input::from_memory(std::string(input.name()), std::vector(head.begin(), head.end())));
  if (!source) return std::nullopt;
  LoadContext control({.jobs = 1});
  const Result<Timeline> timeline = read_timeline(**source, control);
  if (!timeline) return std::nullopt;
  const KeptBytes kept = kept_bytes(*timeline);
  // The same names come again and again.
  const auto growing = static_cast<double>(kept.total() - kept.names);
  const double whole = growing * static_cast<double>(input.size_bytes()) /
                       static_cast<double>(head.size()) * kPeakOverKept;
  return static_cast<std::uint64_t>(whole) + kept.names;
}

std::optional<Error> too_large(const Format& format, const Input& input, const LoadOptions& options,
                               std::uint64_t free_bytes) {
  if (options.beyond_memory || !options.keep.is_all()) return std::nullopt;
  if (!input.complete() || input.is_folder()) return std::nullopt;
  if (input.size_bytes() <= free_bytes / kMostKeptOfByte) return std::nullopt;
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
