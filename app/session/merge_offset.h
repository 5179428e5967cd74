// How users say where each of several files lies on one timeline.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cinderscope {

enum class Alignment : std::uint8_t {
  same_clock,  // times stay as they are
  by_offset,   // moved by what the user said
  starts,      // moved so that it begins where the first file begins
};

struct MergeOffset {
  Alignment how = Alignment::same_clock;
  std::int64_t ns = 0;  // of by_offset
  bool operator==(const MergeOffset&) const = default;
};

// A length of time with or without sign, "+12ms", "-3.5s", "1500"; "start"; "same".
std::optional<MergeOffset> merge_offset_from(std::string_view text);

struct MergeFile {
  std::string path;
  MergeOffset offset;
};

// Reads "PATH" or "PATH@OFFSET". A text that names an existing file is a path, whatever is in it.
MergeFile merge_file_from(std::string_view text);

// "a.json + b.spall"; for more than three files the first one and a number.
std::string merged_title(const std::vector<MergeFile>& files);

// The last component of a path that is not empty.
std::string shown_file_name(const std::string& path);

}  // namespace cinderscope
