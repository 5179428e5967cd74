#include "app/pack/unpack.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/convert/convert.h"
#include "ingest/base/path_text.h"
#include "ingest/input/archive.h"
#include "ingest/os/atomic_file.h"
#include "ingest/os/file.h"
#include "ingest/os/mapped_file.h"
#include "render/text/label.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

// Names in the archive lead nowhere else, but a link in a folder that was there might.
bool stays_below(const fs::path& path, const fs::path& folder) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error), top = fs::canonical(folder, error);
  return !error && std::ranges::mismatch(top, real).in1 == top.end();
}

Status write_entry(std::span<const std::byte> archive, const ZipEntry& entry, const fs::path& path,
                   PackControl& control) {
  Result<AtomicFile> file = AtomicFile::create(path);
  if (!file) return file.error();
  Diagnostics damage;
  std::uint64_t made = 0, used = 0;
  const auto is_bomb = [&] {
    return entry.sizes_known ? made > entry.bytes : is_unsaid_bomb(made, used);
  };
  unpack_zip_entry(
      archive, entry,
      [&](std::span<const std::byte> piece) {
        made += piece.size();
        control.done_bytes += piece.size();
        if (is_bomb()) return false;
        file->append(piece);
        return file->ok() && !control.cancelled;
      },
      damage, &used);
  if (control.cancelled) return Error{ErrorCode::cancelled, "Unpacking was cancelled.", {}};
  if (!file->ok()) return file->commit();  // says why
  const bool whole = !damage.has(diagnostic::kDamagedCompression) &&
                     !damage.has(diagnostic::kTruncatedCompression) && !is_bomb() &&
                     (!entry.sizes_known || made == entry.bytes);
  if (!whole) {
    return Error{ErrorCode::damaged,
                 fmt::format("\"{}\" is damaged and was left out.", drawable(entry.name)),
                 {}};
  }
  return file->commit();
}

// On the way to the entry's file, which may be a link itself.
bool has_link(const fs::path& folder, const std::string& name) {
  fs::path at = folder;
  for (const fs::path& part : path_of(name)) {
    at /= part;
    std::error_code none;
    if (fs::is_symlink(at, none)) return true;
  }
  return false;
}

}  // namespace

Result<Unpacked> unpack_pack(const std::string& pack, const std::string& folder, bool replace,
                             PackControl& control) {
  const auto archive = Archive::open(path_of(pack));
  if (!archive) return archive.error();
  std::error_code error;
  if (!replace && fs::exists(path_of(folder), error) && !fs::is_empty(path_of(folder), error)) {
    return refused(fmt::format("{} is there already, and is not empty.", drawable(folder)));
  }
  fs::create_directories(path_of(folder), error);
  if (error) {
    return refused(fmt::format("{} cannot be made: {}.", drawable(folder), error.message()));
  }
  UniqueFd file = open_to_read(path_of(pack), error);
  const auto status = file ? file_status(file, error) : std::nullopt;
  if (!status) return refused(fmt::format("{} cannot be read.", drawable(pack)));
  const MappedFile mapped(std::move(file), status->size_bytes);
  if (!mapped.ok()) return refused(fmt::format("{} cannot be read.", drawable(pack)));
  Unpacked unpacked{.files = 0, .problems = (*archive)->problems()};
  std::vector<ZipEntry> entries;
  std::uint64_t total = 0;
  for (const std::string& name : (*archive)->files_in("", true)) {
    if (Result<ZipEntry> entry = (*archive)->file(name)) {
      total += entry->bytes;
      entries.push_back(std::move(*entry));
    }
  }
  if (const Status room = expect_room(path_of(folder) / "x", total); !room) return room.error();
  control.total_bytes = total;
  for (const ZipEntry& entry : entries) {
    const fs::path parent = (path_of(folder) / path_of(entry.name)).parent_path();
    const bool leads_elsewhere = has_link(path_of(folder), entry.name);
    if (!leads_elsewhere) fs::create_directories(parent, error);
    if (leads_elsewhere || !stays_below(parent, path_of(folder))) {
      unpacked.problems.push_back(
          fmt::format("\"{}\" was left out: a link leads elsewhere.", drawable(entry.name)));
      continue;
    }
    const Status written =
        write_entry(mapped.bytes(), entry, path_of(folder) / path_of(entry.name), control);
    if (written) {
      ++unpacked.files;
    } else if (written.error().code == ErrorCode::damaged) {
      unpacked.problems.push_back(written.error().text);
    } else {
      return written.error();
    }
  }
  return unpacked;
}

}  // namespace cinderscope
