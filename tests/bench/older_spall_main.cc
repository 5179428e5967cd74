// older_spall FROM TO: writes a .spall file of version 1 as version 0, one of version 3 as version
// 2, for measuring; what the older version cannot say (args, processes, names of threads) is left
// out.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "formats/spall/spall_wire.h"
#include "ingest/input/input.h"

namespace cinderscope::spall {
namespace {

class Writer {
 public:
  explicit Writer(std::FILE* file) : file_(file) {}

  template <class T>
  void put(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put(const std::byte* from, std::size_t count) {
    bytes_.append(reinterpret_cast<const char*>(from), count);
  }
  std::size_t size() const { return bytes_.size(); }
  bool flush() {
    const bool written = std::fwrite(bytes_.data(), 1, bytes_.size(), file_) == bytes_.size();
    bytes_.clear();
    return written;
  }

 private:
  std::FILE* file_;
  std::string bytes_;
};

constexpr std::size_t kFlushBytes = std::size_t{1} << 20;

bool cut() {
  std::fputs("A record of the file is cut, or of a kind that is not converted.\n", stderr);
  return false;
}

void put_header(Writer& to, const std::byte* header, std::uint64_t version) {
  to.put(kManualMagic);
  to.put(version);
  to.put(header + kUnitAt, kHeaderBytes - kUnitAt);
}

// The layout kV0B.
bool write_version_0(std::span<const std::byte> from, Writer& to) {
  constexpr std::size_t kEndBytes = 17, kBeginBytes = 20;  // of version 1, without the texts
  put_header(to, from.data(), 0);
  for (std::size_t at = kHeaderBytes; at < from.size();) {
    const std::byte* record = from.data() + at;
    const std::size_t left = from.size() - at;
    const auto type = std::to_integer<std::uint8_t>(record[0]);
    if (type == kV1.end && left >= kEndBytes) {
      to.put(kV0B.end);
      to.put(record + 1, kEndBytes - 1);
      at += kEndBytes;
    } else if (type == kV1.begin && left >= kBeginBytes) {
      const auto name_bytes = std::to_integer<std::uint8_t>(record[kBeginBytes - 2]);
      const auto args_bytes = std::to_integer<std::uint8_t>(record[kBeginBytes - 1]);
      if (left < kBeginBytes + name_bytes + args_bytes) return cut();
      to.put(kV0B.begin);
      to.put(record + 2, kBeginBytes - 4);  // pid, tid, time
      to.put(name_bytes);
      to.put(record + kBeginBytes, name_bytes);
      at += kBeginBytes + name_bytes + args_bytes;
    } else {
      return cut();
    }
    if (to.size() > kFlushBytes && !to.flush()) return false;
  }
  return to.flush();
}

// The records of one buffer of version 3, as version 2 has them.
bool write_buffer(std::span<const std::byte> records, Writer& to) {
  for (std::size_t at = 0; at < records.size();) {
    const std::byte* record = records.data() + at;
    const std::size_t left = records.size() - at;
    const auto type = std::to_integer<std::uint8_t>(record[0]);
    if (type == kEnd && left >= kBufferEndBytes) {
      to.put(record, kBufferEndBytes);
      at += kBufferEndBytes;
    } else if (type == kBegin && left >= kV3.begin_bytes) {
      const std::size_t size = kV3.begin_bytes +
                               std::to_integer<std::size_t>(record[kV3.begin_bytes - 2]) +
                               std::to_integer<std::size_t>(record[kV3.begin_bytes - 1]);
      if (left < size) return cut();
      to.put(kBegin);
      to.put(std::uint8_t{0});  // category
      to.put(record + 1, size - 1);
      at += size;
    } else if ((type == kNameProcess || type == kNameThread) && left >= kNameEventBytes) {
      at += kNameEventBytes + std::to_integer<std::size_t>(record[1]);
    } else {
      return cut();
    }
  }
  return true;
}

bool write_version_2(std::span<const std::byte> from, std::FILE* file, Writer& to) {
  put_header(to, from.data(), 2);
  Writer records(file);
  for (std::size_t at = kHeaderBytes; at < from.size();) {
    if (from.size() - at < kV3.buffer_header_bytes) return cut();
    const auto size = load_value<std::uint32_t>(from.data() + at);
    const auto tid = load_value<std::uint32_t>(from.data() + at + 4);
    at += kV3.buffer_header_bytes;
    if (from.size() - at < size || !write_buffer(from.subspan(at, size), records)) return cut();
    to.put(static_cast<std::uint32_t>(records.size()));
    to.put(tid);
    if (!to.flush() || !records.flush()) return false;
    at += size;
  }
  return to.flush();
}

bool convert(const char* from, const char* into) {
  const Result<Input> input = Input::from_path(from);
  if (!input || input->size_bytes() < kHeaderBytes) return cut();
  const Pin all = *input->pin_all();
  const std::span<const std::byte> bytes = all.bytes();
  std::FILE* file = std::fopen(into, "wb");
  if (file == nullptr) return false;
  Writer to(file);
  const auto version = load_value<std::uint64_t>(bytes.data() + kVersionAt);
  bool written = false;
  if (version == 1) written = write_version_0(bytes, to);
  if (version == 3) written = write_version_2(bytes, file, to);
  return std::fclose(file) == 0 && written;
}

}  // namespace
}  // namespace cinderscope::spall

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("older_spall FROM TO\n", stderr);
    return 2;
  }
  return cinderscope::spall::convert(argv[1], argv[2]) ? 0 : 1;
}
