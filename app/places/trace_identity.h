// What tells a trace from all others at little cost: its size, its beginning and its end.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cinderscope {

// Lower case hexadecimal digits.
std::string sha256_hex(std::span<const std::byte> bytes);

struct TraceIdentity {
  std::uint64_t size_bytes = 0;
  // SHA-256 of the first and of the last 64 KiB as they lie on disk; of a folder of its lines
  // "path<TAB>size<LF>", and no tail.
  std::string head, tail;

  bool operator==(const TraceIdentity&) const = default;
};

// Of a regular file or a folder, also in a ZIP archive, where of a deflated one the size alone is
// known; nothing else is opened, and of a folder with more than 10 000
// files there is none. Reads the disk.
std::optional<TraceIdentity> trace_identity(const std::string& path);

// Of a folder with these files, by their paths from there.
struct FileSize {
  std::string path;
  std::uint64_t bytes = 0;
};
TraceIdentity identity_of_files(const std::vector<FileSize>& files);

// As far as both are known.
bool is_same(const TraceIdentity& one, const TraceIdentity& other);

// The file there has grown to `now`: the beginning is the same, and there is more. Of one that was
// shorter than what is hashed, reads the disk.
bool has_grown(const TraceIdentity& then, const std::string& path, const TraceIdentity& now);

}  // namespace cinderscope
