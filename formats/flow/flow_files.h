// Which files make up a Flow trace: a folder's threads, or one file, and the mapping beside them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/input/input.h"

namespace cinderscope::flow {

inline constexpr std::string_view kMappingName = "ids.properties";

struct ThreadFile {
  std::string name;  // in its folder
  std::string tid;   // the number in it as text, "-" where it has none
  double order = 0;
};

// "7" of "thread-7.flow" and "thread-7.jsonl.gz"; empty for other names.
std::string_view tid_of_name(std::string_view name);
// "thread-7.flow.gz" and "calls.flow" are; endings in either case.
bool is_flow_name(std::string_view name);

// The thread files of a folder by their number; without any, files in the single-file layouts.
std::vector<ThreadFile> thread_files(const Input& folder);

// Section 5: the current layout has no signature, so its first bytes must make sense: no exit with
// nothing open, no two exits in a row.
bool looks_binary(std::span<const std::byte> head);
// It begins with the first use of a name in a single-file layout.
bool looks_old(std::span<const std::byte> head);
// The first line is an event.
bool looks_json(std::span<const std::byte> head);

}  // namespace cinderscope::flow
