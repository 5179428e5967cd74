// A ZIP archive of stored entries, for tests.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cinderscope {

inline std::vector<std::byte> zip_of(
    const std::vector<std::pair<std::string, std::string>>& entries) {
  std::vector<std::byte> out, directory;
  const auto put = [](std::vector<std::byte>& to, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i, value >>= 8) to.push_back(static_cast<std::byte>(value));
  };
  const auto text = [](std::vector<std::byte>& to, const std::string& of) {
    for (const char c : of) to.push_back(static_cast<std::byte>(c));
  };
  for (const auto& entry : entries) {
    const std::string &name = entry.first, &content = entry.second;
    const std::size_t at = out.size();
    const auto crc =
        crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
    const auto common = [&](std::vector<std::byte>& to) {
      put(to, 20, 2);
      put(to, 0, 2 + 2 + 4);  // flags, stored, time
      put(to, crc, 4);
      put(to, content.size(), 4);
      put(to, content.size(), 4);
      put(to, name.size(), 2);
      put(to, 0, 2);
    };
    put(out, 0x04034b50, 4);
    common(out);
    text(out, name);
    text(out, content);
    put(directory, 0x02014b50, 4);
    put(directory, 20, 2);
    common(directory);
    put(directory, 0, 2 + 2 + 2 + 4);  // comment, disk, attributes
    put(directory, at, 4);
    text(directory, name);
  }
  const std::size_t directory_at = out.size();
  out.insert(out.end(), directory.begin(), directory.end());
  put(out, 0x06054b50, 4);
  put(out, 0, 4);
  put(out, entries.size(), 2);
  put(out, entries.size(), 2);
  put(out, directory.size(), 4);
  put(out, directory_at, 4);
  put(out, 0, 2);
  return out;
}

}  // namespace cinderscope
