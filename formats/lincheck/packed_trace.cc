#include "formats/lincheck/packed_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "formats/lincheck/java_reader.h"
#include "ingest/base/utf8.h"
#include "ingest/input/zip_reader.h"

namespace cinderscope::lincheck {
namespace {

constexpr std::string_view kZipMagic = "PK\x03\x04";
constexpr std::size_t kNameSizeAt = 26, kNameAt = 30;
constexpr std::string_view kDataName = "trace.trace", kIndexName = "trace.idx",
                           kInfoName = "info.txt", kDiffName = ".diff",
                           kThreadMapName = "diff.threadmap", kEventMapName = "diff.idmap";
constexpr std::array kNames = {kInfoName,
                               kDataName,
                               kIndexName,
                               kDiffName,
                               std::string_view("info.left.txt"),
                               std::string_view("info.right.txt"),
                               kThreadMapName,
                               kEventMapName};
constexpr std::size_t kMostTextBytes = std::size_t{1} << 20;

const ZipEntry* entry_named(const std::vector<ZipEntry>& entries, std::string_view name) {
  const auto found = std::ranges::find(entries, name, &ZipEntry::name);
  return found == entries.end() ? nullptr : &*found;
}

Result<std::unique_ptr<GrowingFile>> unpacked(std::span<const std::byte> archive,
                                              const ZipEntry& entry, double disk_share,
                                              const std::function<bool(std::uint64_t)>& tick,
                                              Diagnostics& damage) {
  Result<std::unique_ptr<GrowingFile>> file = GrowingFile::create(disk_share);
  if (!file) return file.error();
  std::uint64_t done_bytes = 0;
  unpack_zip_entry(
      archive, entry,
      [&](std::span<const std::byte> piece) {
        const bool written = (*file)->append(piece);
        done_bytes += piece.size();
        return written && tick(done_bytes);
      },
      damage);
  (*file)->close();
  damage.merge((*file)->trouble());
  return file;
}

std::vector<std::pair<std::string, std::string>> facts_of(std::string_view info) {
  static constexpr std::array<std::string_view, 4> kKeys = {"Class", "Method", "Start time",
                                                            "End time"};
  std::vector<std::pair<std::string, std::string>> facts;
  while (!info.empty()) {
    const std::string_view line = info.substr(0, info.find('\n'));
    info.remove_prefix(std::min(info.size(), line.size() + 1));
    if (line.starts_with("Properties:") || line.starts_with("Environment:")) break;
    for (const std::string_view key : kKeys) {
      if (!line.starts_with(key) || !line.substr(key.size()).starts_with(": ")) continue;
      facts.emplace_back(key, line.substr(key.size() + 2));
    }
  }
  return facts;
}

std::string unpacked_text(std::span<const std::byte> archive, const ZipEntry& entry,
                          Diagnostics& damage) {
  std::string text;
  unpack_zip_entry(
      archive, entry,
      [&](std::span<const std::byte> piece) {
        text += text_of_bytes(piece);
        return text.size() < kMostTextBytes;
      },
      damage);
  return text;
}

std::vector<PackedTrace::DiffThread> diff_threads_of(std::string_view map) {
  std::vector<PackedTrace::DiffThread> threads;
  JavaReader in(std::as_bytes(std::span(map)));
  for (std::int32_t left = in.i32(); left > 0 && !in.cut(); --left) {
    const PackedTrace::DiffThread thread{in.i32(), in.i32(), in.i32()};
    if (!in.cut()) threads.push_back(thread);
  }
  return threads;
}

}  // namespace

DiffEvent diff_event(std::span<const std::byte> events, std::int32_t event) {
  constexpr std::uint64_t kEntryBytes = 8;
  if (event < 0) return {};
  JavaReader in(events, static_cast<std::uint64_t>(event) * kEntryBytes);
  const DiffEvent found{in.i32(), in.i32()};
  return in.cut() ? DiffEvent{} : found;
}

bool is_packed_trace(const Input& input) {
  const std::span<const std::byte> bytes = input.head();
  const std::string_view head = text_of_bytes(bytes);
  if (!head.starts_with(kZipMagic) || head.size() < kNameAt) return false;
  std::uint16_t size = 0;
  std::memcpy(&size, head.data() + kNameSizeAt, sizeof size);
  return std::ranges::find(kNames, head.substr(kNameAt, size)) != kNames.end();
}

Result<PackedTrace> unpack_trace(const Input& input,
                                 const std::function<bool(std::uint64_t)>& tick) {
  PackedTrace trace;
  const Result<Pin> all = input.pin_all();
  if (!all) return all.error();
  const std::span<const std::byte> archive = all->bytes();
  const std::vector<ZipEntry> entries = zip_entries(archive, trace.damage);
  const ZipEntry* data = entry_named(entries, kDataName);
  if (data == nullptr) {
    return Error{ErrorCode::damaged,
                 fmt::format("The archive holds no \"{}\", which a packed trace has.", kDataName),
                 "Was the copy cut short, or is it another archive?"};
  }
  if (const ZipEntry* info = entry_named(entries, kInfoName)) {
    trace.facts = facts_of(unpacked_text(archive, *info, trace.damage));
  }
  if (const ZipEntry* map = entry_named(entries, kThreadMapName)) {
    trace.diff_threads = diff_threads_of(unpacked_text(archive, *map, trace.damage));
  }
  trace.is_diff = entry_named(entries, kDiffName) != nullptr;
  auto file = unpacked(archive, *data, input.disk_share(), tick, trace.damage);
  if (!file) return file.error();
  trace.data = std::move(*file);
  if (const ZipEntry* index = entry_named(entries, kIndexName)) {
    auto index_file = unpacked(
        archive, *index, input.disk_share(), [](std::uint64_t) { return true; }, trace.damage);
    if (!index_file) return index_file.error();
    trace.index = std::move(*index_file);
  }
  if (const ZipEntry* map = entry_named(entries, kEventMapName)) {
    auto events = unpacked(
        archive, *map, input.disk_share(), [](std::uint64_t) { return true; }, trace.damage);
    if (!events) return events.error();
    trace.diff_events = std::move(*events);
  }
  return trace;
}

}  // namespace cinderscope::lincheck
