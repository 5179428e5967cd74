#include "formats/spall/spall_file.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <tuple>

#include "formats/spall/flat_record.h"

namespace cinderscope::spall {
namespace {

constexpr double kNsPerUs = 1000;

Error cut_header(std::size_t size_bytes) {
  return {ErrorCode::damaged,
          fmt::format("The file ends within its header, after {} bytes.", size_bytes),
          "A .spall file begins with a header of 24 to 34 bytes; was the recording or the copy cut "
          "short?",
          static_cast<std::int64_t>(size_bytes)};
}

bool reads_better(const FlatTrial& a, const FlatTrial& b) {
  return std::tuple(a.whole, !a.failed, a.walked_bytes) >
         std::tuple(b.whole, !b.failed, b.walked_bytes);
}

// Section 1: all layouts say version 0. The likely one comes first; if it does not account for
// every byte, another that gets farther is taken.
const FlatLayout& version_0_layout(const Input& input, Diagnostics& diagnostics) {
  using Candidates = std::array<const FlatLayout*, 5>;
  const std::span<const std::byte> head = input.head();
  bool like_c = head.size() > kHeaderBytes && head[kHeaderBytes] >= std::byte{1} &&
                head[kHeaderBytes] <= std::byte{7};
  if (like_c) like_c = load_value<std::uint64_t>(head.data() + kShortHeaderBytes) == 0;
  const Candidates candidates = like_c ? Candidates{&kV0C, &kV0A, &kV0B, &kV0A0, &kV0ACache}
                                       : Candidates{&kV0A, &kV0ACache, &kV0A0, &kV0C, &kV0B};
  const FlatLayout* best = candidates.front();
  FlatTrial best_trial = try_flat_layout(*best, input);
  const FlatLayout* equal = nullptr;
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    const FlatTrial trial = try_flat_layout(*candidates[i], input);
    if (reads_better(trial, best_trial)) {
      best = candidates[i];
      best_trial = trial;
      equal = nullptr;
    } else if (trial.whole && best_trial.whole) {
      equal = candidates[i];
    }
  }
  if (equal != nullptr) {
    diagnostics.count(
        diagnostic::kAmbiguousLayout, kShortHeaderBytes,
        fmt::format("The file reads as layout {} of version 0, and just as well as {}; "
                    "the first was taken.",
                    best->name, equal->name));
  }
  return *best;
}

std::optional<Error> read_auto_header(const Input& input, SpallFile& file) {
  const std::span<const std::byte> head = input.head();
  if (head.size() < kAutoHeaderBytes) return cut_header(head.size());
  file.buffers = &kAuto;
  file.known_address = load_value<std::uint64_t>(head.data() + kKnownAddressAt);
  file.header_bytes = kAutoHeaderBytes + load_value<std::uint16_t>(head.data() + kPathBytesAt);
  const Result<Pin> header = input.pin(0, file.header_bytes);
  if (!header) return header.error();
  if (header->size() < file.header_bytes) return cut_header(header->size());
  file.program_path = header->text().substr(kAutoHeaderBytes);
  return std::nullopt;
}

std::optional<Error> read_manual_header(const Input& input, std::uint64_t version,
                                        SpallFile& file) {
  const std::size_t size_bytes = input.head().size();
  if (version == 0) {
    file.flat = &version_0_layout(input, file.diagnostics);
    file.header_bytes = file.flat->header_bytes;
    return std::nullopt;
  }
  if (size_bytes < kHeaderBytes) return cut_header(size_bytes);
  file.header_bytes = kHeaderBytes;
  if (version == 1) file.flat = &kV1;
  if (version == 2) file.buffers = &kV2;
  if (version == 3) file.buffers = &kV3;
  return std::nullopt;
}

void read_unit(double written, SpallFile& file) {
  const double ns_per_unit = file.flat != nullptr ? kNsPerUs : 1;
  file.unit = written;
  file.ns_per_tick = written * ns_per_unit;
  if (file.ns_per_tick > 0 && std::isfinite(file.ns_per_tick)) return;
  file.diagnostics.count(
      diagnostic::kBadUnit, static_cast<std::int64_t>(kUnitAt),
      fmt::format("The header's unit of time is {}, which cannot be; a tick was taken as 1 {}.",
                  written, file.flat != nullptr ? "microsecond" : "nanosecond"));
  file.unit = 1;
  file.ns_per_tick = ns_per_unit;
}

}  // namespace

Result<SpallFile> read_header(const Input& input) {
  const std::span<const std::byte> head = input.head();
  if (head.size() < kShortHeaderBytes) return cut_header(head.size());
  const auto magic = load_value<std::uint64_t>(head.data());
  const auto version = load_value<std::uint64_t>(head.data() + kVersionAt);
  const bool automatic = magic == kAutoMagic;
  if (automatic ? version != 1 : version > 3) {
    return Error{
        ErrorCode::damaged,
        fmt::format("The {} stream has version {}, which is not known here.",
                    automatic ? "auto-tracing" : ".spall", version),
        automatic ? "Known is version 1 of auto-tracing streams." : "Known are versions 0 to 3.",
        static_cast<std::int64_t>(kVersionAt)};
  }
  SpallFile file;
  const std::optional<Error> error =
      automatic ? read_auto_header(input, file) : read_manual_header(input, version, file);
  if (error) return *error;
  read_unit(load_value<double>(head.data() + kUnitAt), file);
  return file;
}

}  // namespace cinderscope::spall
