#include "ingest/input/zip_reader.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

namespace cinderscope {
namespace {

constexpr std::uint32_t kLocalHeader = 0x04034b50, kDirectoryEntry = 0x02014b50,
                        kDirectoryEnd = 0x06054b50, kDirectoryEnd64 = 0x06064b50,
                        kLocator64 = 0x07064b50, kDescriptor = 0x08074b50;
constexpr std::uint64_t kLocalHeaderBytes = 30, kDirectoryEntryBytes = 46, kDirectoryEndBytes = 22,
                        kLocator64Bytes = 20, kDirectoryEnd64Bytes = 56;
constexpr std::uint16_t kEncryptedFlag = 1, kDescriptorFlag = 8;
constexpr std::uint16_t kExtra64 = 1;
constexpr std::uint32_t kSeeExtra = 0xffffffff;
constexpr std::size_t kMostEntries = 65536;
constexpr std::size_t kUnpackedPieceBytes = std::size_t{256} << 10;

// Little endian; 0 beyond the end.
template <class T>
T number(std::span<const std::byte> bytes, std::uint64_t at) {
  T value = 0;
  if (at <= bytes.size() && bytes.size() - at >= sizeof(T)) {
    std::memcpy(&value, bytes.data() + at, sizeof(T));
  }
  return value;
}
std::uint16_t u16(std::span<const std::byte> bytes, std::uint64_t at) {
  return number<std::uint16_t>(bytes, at);
}
std::uint32_t u32(std::span<const std::byte> bytes, std::uint64_t at) {
  return number<std::uint32_t>(bytes, at);
}
std::uint64_t u64(std::span<const std::byte> bytes, std::uint64_t at) {
  return number<std::uint64_t>(bytes, at);
}

std::string text(std::span<const std::byte> bytes, std::uint64_t at, std::uint64_t size) {
  if (at > bytes.size() || bytes.size() - at < size) return {};
  return {reinterpret_cast<const char*>(bytes.data() + at), static_cast<std::size_t>(size)};
}

// Sizes and offsets of four bytes that are all ones stand in the extra field, in this order.
void resolve_64(std::span<const std::byte> archive, std::uint64_t at, std::uint64_t size,
                std::initializer_list<std::uint64_t*> values) {
  const std::uint64_t end = at + size;
  while (at + 4 <= end) {
    const std::uint16_t id = u16(archive, at);
    std::uint64_t field = at + 4;
    at = field + u16(archive, at + 2);
    if (id != kExtra64) continue;
    for (std::uint64_t* value : values) {
      if (*value != kSeeExtra || field + 8 > std::min(at, end)) continue;
      *value = u64(archive, field);
      field += 8;
    }
  }
}

// Attributes of an entry are those of the system that made it.
bool is_link(std::uint16_t made_by, std::uint32_t attributes) {
  constexpr std::uint16_t kUnix = 3;
  constexpr std::uint32_t kTypeMask = 0170000, kLinkType = 0120000;
  return made_by >> 8 == kUnix && (attributes >> 16 & kTypeMask) == kLinkType;
}

struct Directory {
  std::uint64_t at = 0, entries = 0;
};

std::optional<Directory> find_directory(std::span<const std::byte> archive) {
  constexpr std::uint64_t kLongestComment = 65535;
  if (archive.size() < kDirectoryEndBytes) return std::nullopt;
  const std::uint64_t last = archive.size() - kDirectoryEndBytes;
  for (std::uint64_t back = 0; back <= std::min(last, kLongestComment); ++back) {
    const std::uint64_t at = last - back;
    if (u32(archive, at) != kDirectoryEnd) continue;
    Directory found{u32(archive, at + 16), u16(archive, at + 10)};
    if (at >= kLocator64Bytes && u32(archive, at - kLocator64Bytes) == kLocator64) {
      const std::uint64_t end_64 = u64(archive, at - kLocator64Bytes + 8);
      if (u32(archive, end_64) == kDirectoryEnd64 &&
          archive.size() - end_64 >= kDirectoryEnd64Bytes) {
        found = {u64(archive, end_64 + 48), u64(archive, end_64 + 32)};
      }
    }
    return found;
  }
  return std::nullopt;
}

// nullopt if an entry is not where the directory says.
std::optional<std::vector<ZipEntry>> listed_entries(std::span<const std::byte> archive,
                                                    Directory directory) {
  std::vector<ZipEntry> entries;
  std::uint64_t at = directory.at;
  for (std::uint64_t i = 0; i < directory.entries && i < kMostEntries; ++i) {
    if (u32(archive, at) != kDirectoryEntry) return std::nullopt;
    const std::uint64_t name_size = u16(archive, at + 28), extra_size = u16(archive, at + 30);
    const std::uint64_t extra_at = at + kDirectoryEntryBytes + name_size;
    ZipEntry entry{.name = text(archive, at + kDirectoryEntryBytes, name_size),
                   .packed_bytes = u32(archive, at + 20),
                   .bytes = u32(archive, at + 24),
                   .crc = u32(archive, at + 16),
                   .method = u16(archive, at + 10),
                   .sizes_known = true,
                   .is_encrypted = (u16(archive, at + 8) & kEncryptedFlag) != 0};
    std::uint64_t header_at = u32(archive, at + 42);
    resolve_64(archive, extra_at, extra_size, {&entry.bytes, &entry.packed_bytes, &header_at});
    if (u32(archive, header_at) != kLocalHeader) return std::nullopt;
    entry.header_at = header_at;
    entry.is_link = is_link(u16(archive, at + 4), u32(archive, at + 38));
    entry.data_at =
        header_at + kLocalHeaderBytes + u16(archive, header_at + 26) + u16(archive, header_at + 28);
    if (entry.data_at > archive.size()) return std::nullopt;
    entries.push_back(std::move(entry));
    at = extra_at + extra_size + u16(archive, at + 32);
  }
  return entries;
}

class Inflater {
 public:
  Inflater() { ready_ = inflateInit2(&stream_, -MAX_WBITS) == Z_OK; }
  ~Inflater() {
    if (ready_) inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  enum class End : std::uint8_t { whole, cut, damaged, stopped };
  End run(std::span<const std::byte> packed, const ZipSink& sink) {
    if (!ready_) return End::damaged;
    std::vector<std::byte> out(kUnpackedPieceBytes);
    while (true) {
      // zlib counts in 32 bits.
      const std::size_t piece = std::min<std::size_t>(packed.size() - used_, 1u << 30);
      stream_.next_in =
          reinterpret_cast<z_const Bytef*>(const_cast<std::byte*>(packed.data() + used_));
      stream_.avail_in = static_cast<uInt>(piece);
      stream_.next_out = reinterpret_cast<Bytef*>(out.data());
      stream_.avail_out = static_cast<uInt>(out.size());
      const int status = inflate(&stream_, Z_NO_FLUSH);
      used_ += piece - stream_.avail_in;
      const std::size_t made = out.size() - stream_.avail_out;
      if (made > 0 && !sink(std::span(out).first(made))) return End::stopped;
      if (status == Z_STREAM_END) return End::whole;
      if (status != Z_OK && status != Z_BUF_ERROR) return End::damaged;
      if (made == 0 && used_ == packed.size()) return End::cut;
    }
  }
  std::size_t used_bytes() const { return used_; }

 private:
  z_stream stream_{};
  bool ready_ = false;
  std::size_t used_ = 0;
};

// The directory is gone: each entry tells where the next one is, or its packed bytes do.
std::vector<ZipEntry> walked_entries(std::span<const std::byte> archive) {
  std::vector<ZipEntry> entries;
  std::uint64_t at = 0;
  while (u32(archive, at) == kLocalHeader && entries.size() < kMostEntries) {
    const std::uint16_t flags = u16(archive, at + 6);
    const std::uint64_t name_size = u16(archive, at + 26), extra_size = u16(archive, at + 28);
    ZipEntry entry{.name = text(archive, at + kLocalHeaderBytes, name_size),
                   .header_at = at,
                   .data_at = at + kLocalHeaderBytes + name_size + extra_size,
                   .packed_bytes = u32(archive, at + 18),
                   .bytes = u32(archive, at + 22),
                   .crc = u32(archive, at + 14),
                   .method = u16(archive, at + 8),
                   .sizes_known = (flags & kDescriptorFlag) == 0,
                   .is_encrypted = (flags & kEncryptedFlag) != 0};
    resolve_64(archive, at + kLocalHeaderBytes + name_size, extra_size,
               {&entry.bytes, &entry.packed_bytes});
    if (entry.data_at >= archive.size()) break;
    entries.push_back(entry);
    if (entry.sizes_known) {
      if (entry.packed_bytes > archive.size() - entry.data_at) break;
      at = entry.data_at + entry.packed_bytes;
      continue;
    }
    if (entry.method != kDeflated) break;
    Inflater inflater;
    const auto packed = archive.subspan(static_cast<std::size_t>(entry.data_at));
    // Nothing is kept of it, but a bomb takes its time.
    std::uint64_t made = 0;
    const auto end = inflater.run(packed, [&](std::span<const std::byte> piece) {
      made += piece.size();
      return !is_unsaid_bomb(made, inflater.used_bytes());
    });
    if (end != Inflater::End::whole) break;
    at = entry.data_at + inflater.used_bytes();
    // A descriptor of 12 or 20 bytes, with or without a mark before it.
    if (u32(archive, at) == kDescriptor) at += 4;
    at +=
        u32(archive, at + 12) == kLocalHeader || u32(archive, at + 12) == kDirectoryEntry ? 12 : 20;
  }
  return entries;
}

}  // namespace

bool begins_as_zip(std::span<const std::byte> head) {
  return u32(head, 0) == kLocalHeader;
}

std::vector<ZipEntry> zip_entries(std::span<const std::byte> archive, Diagnostics& damage) {
  if (const auto directory = find_directory(archive)) {
    if (auto entries = listed_entries(archive, *directory)) return std::move(*entries);
  }
  damage.count(diagnostic::kDamagedArchive, kNoOffset);
  return walked_entries(archive);
}

void unpack_zip_entry(std::span<const std::byte> archive, const ZipEntry& entry,
                      const ZipSink& sink, Diagnostics& damage, std::uint64_t* used_bytes) {
  const auto report = [&](const DiagnosticKind& kind, std::string_view what) {
    damage.count(kind, static_cast<std::int64_t>(entry.data_at),
                 fmt::format("\"{}\" in the archive {}; what could be unpacked is shown.",
                             entry.name, what));
  };
  if (entry.is_encrypted) return report(diagnostic::kDamagedCompression, "is encrypted");
  if (entry.data_at > archive.size())
    return report(diagnostic::kTruncatedCompression, "is missing");
  std::span<const std::byte> packed = archive.subspan(static_cast<std::size_t>(entry.data_at));
  const bool is_cut = entry.sizes_known && entry.packed_bytes > packed.size();
  if (entry.sizes_known && !is_cut) {
    packed = packed.first(static_cast<std::size_t>(entry.packed_bytes));
  }
  uLong crc = crc32(0, nullptr, 0);
  bool wants_more = true;
  Inflater inflater;
  std::uint64_t stored = 0;
  const ZipSink checked = [&](std::span<const std::byte> piece) {
    if (entry.method == kStored) stored += piece.size();
    if (used_bytes != nullptr) *used_bytes = stored + inflater.used_bytes();
    crc = crc32_z(crc, reinterpret_cast<const Bytef*>(piece.data()), piece.size());
    wants_more = sink(piece);
    return wants_more;
  };
  if (entry.method == kStored) {
    while (!packed.empty() && wants_more) {
      const std::size_t size = std::min(kUnpackedPieceBytes, packed.size());
      checked(packed.first(size));
      packed = packed.subspan(size);
    }
    if (is_cut) return report(diagnostic::kTruncatedCompression, "is cut short");
  } else if (entry.method == kDeflated) {
    const auto end = inflater.run(packed, checked);
    if (end == Inflater::End::cut) return report(diagnostic::kTruncatedCompression, "is cut short");
    if (end == Inflater::End::damaged) return report(diagnostic::kDamagedCompression, "is damaged");
  } else {
    return report(diagnostic::kDamagedCompression,
                  fmt::format("is packed by method {}, which cannot be unpacked", entry.method));
  }
  if (wants_more && entry.sizes_known && crc != entry.crc) {
    report(diagnostic::kDamagedCompression, "does not have the content that it should");
  }
}

}  // namespace cinderscope
