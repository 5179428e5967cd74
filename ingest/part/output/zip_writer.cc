#include "ingest/part/output/zip_writer.h"

#include <algorithm>
#include <utility>

#include "ingest/input/crc32.h"

namespace cinderscope {
namespace {

constexpr std::uint32_t kMost32 = 0xffffffff;
constexpr std::uint16_t kMost16 = 0xffff;
constexpr std::uint16_t kVersion = 20, kVersion64 = 45, kUtf8Names = 0x0800, kStored = 0;
constexpr std::uint16_t kTime = 0, kDate = 1 << 5 | 1;  // 1980-01-01 00:00
constexpr std::uint16_t kMadeByUnix = 3 << 8;
constexpr std::uint32_t kReadableFile = 0100644u << 16;
constexpr std::uint16_t kSizes64 = 0x0001, kPadding = 0xa220, kPaddingSignature = 0xa028;
constexpr std::size_t kPaddingHeadBytes = 8, kMostPadding = 60'000;

class Bytes {
 public:
  Bytes& u16(std::uint64_t value) { return put(value, 2); }
  Bytes& u32(std::uint64_t value) { return put(value, 4); }
  Bytes& u64(std::uint64_t value) { return put(value, 8); }
  Bytes& text(std::string_view text) {
    text_ += text;
    return *this;
  }
  Bytes& zeros(std::size_t count) {
    text_.append(count, '\0');
    return *this;
  }
  std::string take() { return std::move(text_); }
  std::size_t size() const { return text_.size(); }

 private:
  Bytes& put(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i, value >>= 8) text_ += static_cast<char>(value & 0xff);
    return *this;
  }
  std::string text_;
};

std::uint64_t clipped(std::uint64_t value) {
  return std::min<std::uint64_t>(value, kMost32);
}

}  // namespace

Result<ZipWriter> ZipWriter::create(const std::filesystem::path& path) {
  Result<AtomicFile> file = AtomicFile::create(path);
  if (!file) return file.error();
  return ZipWriter(std::move(*file));
}

void ZipWriter::write(std::string_view bytes) {
  file_.append(bytes);
  at_ += bytes.size();
}

std::string ZipWriter::header_of(const Entry& entry, std::size_t padding) const {
  Bytes extra;
  if (entry.is_long) extra.u16(kSizes64).u16(16).u64(entry.bytes).u64(entry.bytes);
  if (padding > 0) {
    const std::size_t bytes = padding - kPaddingHeadBytes;
    extra.u16(kPadding).u16(4 + bytes).u16(kPaddingSignature).u16(bytes).zeros(bytes);
  }
  const std::uint64_t bytes = entry.is_long ? kMost32 : entry.bytes;
  Bytes out;
  out.u32(0x04034b50).u16(entry.is_long ? kVersion64 : kVersion).u16(kUtf8Names).u16(kStored);
  out.u16(kTime).u16(kDate).u32(entry.crc).u32(bytes).u32(bytes);
  out.u16(entry.name.size()).u16(extra.size()).text(entry.name).text(extra.take());
  return out.take();
}

void ZipWriter::begin(std::string name, std::uint64_t most_bytes) {
  name.resize(std::min<std::size_t>(name.size(), kMost16));
  Entry& entry = entries_.emplace_back();
  entry.name = std::move(name);
  entry.header_at = at_;
  entry.is_long = most_bytes >= kMost32;
  write(header_of(entry, 0));
}

void ZipWriter::append(std::span<const std::byte> bytes) {
  Entry& entry = entries_.back();
  entry.crc = crc32_of(bytes, entry.crc);
  entry.bytes += bytes.size();
  file_.append(bytes);
  at_ += bytes.size();
}

std::uint64_t ZipWriter::end() {
  const Entry& entry = entries_.back();
  const std::string header = header_of(entry, 0);
  file_.patch(entry.header_at, std::as_bytes(std::span(header)));
  return entry.bytes;
}

void ZipWriter::reserve(std::string name, std::size_t most_bytes) {
  reserved_ = entries_.size();
  Entry& entry = entries_.emplace_back();
  entry.name = std::move(name);
  entry.header_at = at_;
  const std::string header = header_of(entry, kPaddingHeadBytes);
  reserved_bytes_ = header.size() + most_bytes;
  write(std::string(reserved_bytes_, '\0'));
}

bool ZipWriter::fill(std::string_view content) {
  Entry& entry = entries_[reserved_];
  entry.bytes = content.size();
  entry.crc = crc32_of(std::as_bytes(std::span(content)));
  const std::size_t least = header_of(entry, kPaddingHeadBytes).size() + content.size();
  if (least > reserved_bytes_) return false;
  const std::size_t padding = kPaddingHeadBytes + (reserved_bytes_ - least);
  if (padding > kMostPadding) return false;
  const std::string whole = header_of(entry, padding) + std::string(content);
  file_.patch(entry.header_at, std::as_bytes(std::span(whole)));
  return true;
}

Status ZipWriter::commit() {
  const std::uint64_t directory_at = at_;
  for (const Entry& entry : entries_) {
    const bool far = entry.header_at >= kMost32, large = entry.bytes >= kMost32;
    Bytes extra;
    if (far || large) {
      extra.u16(kSizes64).u16((large ? 16 : 0) + (far ? 8 : 0));
      if (large) extra.u64(entry.bytes).u64(entry.bytes);
      if (far) extra.u64(entry.header_at);
    }
    const std::uint16_t version = far || entry.is_long ? kVersion64 : kVersion;
    Bytes out;
    out.u32(0x02014b50).u16(kMadeByUnix | version).u16(version).u16(kUtf8Names).u16(kStored);
    out.u16(kTime).u16(kDate).u32(entry.crc).u32(clipped(entry.bytes)).u32(clipped(entry.bytes));
    out.u16(entry.name.size()).u16(extra.size()).u16(0).u16(0).u16(0).u32(kReadableFile);
    out.u32(clipped(entry.header_at)).text(entry.name).text(extra.take());
    write(out.take());
  }
  const std::uint64_t directory_bytes = at_ - directory_at;
  Bytes end;
  if (entries_.size() >= kMost16 || directory_at >= kMost32 || directory_bytes >= kMost32) {
    const std::uint64_t end_at = at_;
    end.u32(0x06064b50).u64(44).u16(kMadeByUnix | kVersion64).u16(kVersion64).u32(0).u32(0);
    end.u64(entries_.size()).u64(entries_.size()).u64(directory_bytes).u64(directory_at);
    end.u32(0x07064b50).u32(0).u64(end_at).u32(1);
  }
  const std::uint64_t count = std::min<std::uint64_t>(entries_.size(), kMost16);
  end.u32(0x06054b50).u16(0).u16(0).u16(count).u16(count);
  end.u32(clipped(directory_bytes)).u32(clipped(directory_at)).u16(0);
  write(end.take());
  return file_.commit();
}

}  // namespace cinderscope
