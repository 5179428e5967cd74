#include "ingest/input/archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

#include "ingest/base/path_text.h"
#include "ingest/base/utf8.h"
#include "ingest/os/file.h"
#include "ingest/os/mapped_file.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostRatio = 1000;  // unpacked to packed
constexpr std::size_t kMostProblems = 100;

std::string shown(std::string_view name) {
  constexpr std::size_t kMostBytes = 200;
  std::string text = valid_utf8(name.substr(0, kMostBytes));
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return name.size() > kMostBytes ? text + "…" : text;
}

// As this system writes paths; Windows programs write others.
std::string with_slashes(std::string name) {
  std::ranges::replace(name, '\\', '/');
  return name;
}

bool leads_outside(std::string_view name) {
  if (name.empty() || name.starts_with('/') || name.find('\0') != std::string_view::npos) {
    return true;
  }
  if (name.size() > 1 && name[1] == ':') return true;  // a drive
  while (!name.empty()) {
    const std::string_view part = name.substr(0, name.find('/'));
    if (part == ".." || part == "." || part.empty()) return true;
    name.remove_prefix(std::min(name.size(), part.size() + 1));
  }
  return false;
}

std::string inside(std::string_view folder) {
  return folder.empty() ? std::string() : std::string(folder) + "/";
}

bool is_zip(const UniqueFd& file) {
  std::array<std::byte, 4> head{};
  std::error_code error;
  return read_at(file, 0, head, error) == head.size() && begins_as_zip(head);
}

}  // namespace

void Archive::refuse(const std::string& name, std::string_view why) {
  const std::string sentence = fmt::format("\"{}\" {}.", shown(name), why);
  files_.erase(name);
  if (!refused_.emplace(name, sentence).second) return;
  if (problems_.size() < kMostProblems) problems_.push_back(sentence);
}

void Archive::add(ZipEntry entry, std::uint64_t file_bytes) {
  entry.name = with_slashes(std::move(entry.name));
  if (entry.name.ends_with('/') && entry.packed_bytes == 0) return;  // a folder
  const std::string name = entry.name;
  if (leads_outside(name)) return refuse(name, "is a name that leads outside of the archive");
  if (entry.is_link) return refuse(name, "is a link");
  if (entry.is_encrypted) return refuse(name, "is encrypted");
  if (entry.method != kStored && entry.method != kDeflated) {
    return refuse(name,
                  fmt::format("is packed by method {}, which cannot be unpacked", entry.method));
  }
  if (entry.bytes > kHarmlessBytes && entry.bytes / kMostRatio > entry.packed_bytes &&
      entry.sizes_known) {
    return refuse(name, fmt::format("would unpack to more than {} times its size", kMostRatio));
  }
  if (files_.contains(name) || refused_.contains(name)) {
    return refuse(name, "is there several times");
  }
  if (entry.data_at > file_bytes || entry.packed_bytes > file_bytes - entry.data_at) {
    if (problems_.size() < kMostProblems) {
      problems_.push_back(fmt::format("\"{}\" is cut short.", shown(name)));
    }
  }
  files_.emplace(name, std::move(entry));
}

void Archive::refuse_overlapping() {
  std::vector<const ZipEntry*> in_order;
  for (const auto& [name, entry] : files_) in_order.push_back(&entry);
  std::ranges::sort(in_order, {}, &ZipEntry::header_at);
  std::vector<std::string> overlapping;
  std::uint64_t end = 0;
  for (const ZipEntry* entry : in_order) {
    if (entry->header_at < end) overlapping.push_back(entry->name);
    end =
        std::max(end, entry->data_at + std::min(entry->packed_bytes, UINT64_MAX - entry->data_at));
  }
  for (const std::string& name : overlapping) refuse(name, "lies over another entry");
}

std::shared_ptr<const Archive> Archive::of_entries(std::vector<ZipEntry> entries,
                                                   std::uint64_t file_bytes, bool is_damaged) {
  const auto archive = std::make_shared<Archive>();
  if (is_damaged) archive->problems_.emplace_back("Its directory is damaged or missing.");
  for (ZipEntry& entry : entries) archive->add(std::move(entry), file_bytes);
  archive->refuse_overlapping();
  return archive;
}

Result<std::shared_ptr<const Archive>> Archive::open(const fs::path& path) {
  static std::mutex mutex;
  static FileStatus last_status;
  static std::shared_ptr<const Archive> last;

  const auto unreadable = [&] {
    return Error{ErrorCode::cannot_read,
                 fmt::format("\"{}\" cannot be read.", utf8_of(path.filename())),
                 {}};
  };
  std::error_code error;
  UniqueFd file = open_to_read(path, error);
  const auto status = file ? file_status(file, error) : std::nullopt;
  if (!status || status->kind != FileKind::regular || !is_zip(file)) return unreadable();
  {
    const std::lock_guard lock(mutex);
    if (last && last_status == *status) return last;
  }
  const MappedFile mapped(std::move(file), status->size_bytes);
  if (!mapped.ok()) return unreadable();
  Diagnostics damage;
  std::vector<ZipEntry> entries = zip_entries(mapped.bytes(), damage);
  const auto archive =
      of_entries(std::move(entries), status->size_bytes, damage.has(diagnostic::kDamagedArchive));
  const std::lock_guard lock(mutex);
  last = archive;
  last_status = *status;
  return archive;
}

Result<ZipEntry> Archive::file(std::string_view name) const {
  if (const auto found = files_.find(name); found != files_.end()) return found->second;
  if (const auto refused = refused_.find(name); refused != refused_.end()) {
    return Error{ErrorCode::refused, refused->second, {}};
  }
  return Error{ErrorCode::cannot_read, fmt::format("There is no \"{}\" in it.", shown(name)), {}};
}

bool Archive::has_folder(std::string_view name) const {
  const std::string prefix = inside(name);
  const auto first = files_.lower_bound(prefix);
  return prefix.empty() || (first != files_.end() && first->first.starts_with(prefix));
}

std::vector<std::string> Archive::files_in(std::string_view folder, bool all_levels) const {
  const std::string prefix = inside(folder);
  std::vector<std::string> names;
  for (auto each = files_.lower_bound(prefix);
       each != files_.end() && each->first.starts_with(prefix); ++each) {
    const std::string name = each->first.substr(prefix.size());
    if (all_levels || name.find('/') == std::string::npos) names.push_back(name);
  }
  return names;
}

std::optional<PathInArchive> path_in_archive(const fs::path& path) {
  fs::path archive;
  for (auto part = path.begin(); part != path.end(); ++part) {
    archive /= *part;
    std::error_code unknown;
    const fs::file_status status = fs::status(archive, unknown);
    if (fs::is_directory(status)) continue;
    if (!fs::is_regular_file(status)) return std::nullopt;
    std::error_code error;
    const UniqueFd file = open_to_read(archive, error);
    if (!file || !is_zip(file)) return std::nullopt;
    fs::path inner;
    for (++part; part != path.end(); ++part) inner /= *part;
    std::string name = utf8_of(inner.lexically_normal());
    if (name.ends_with('/')) name.pop_back();
    if (name == ".") name.clear();
    return PathInArchive{archive, std::move(name)};
  }
  return std::nullopt;
}

}  // namespace cinderscope
