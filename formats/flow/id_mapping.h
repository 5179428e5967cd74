// ids.properties: which method an id stands for (section 3). No Java properties in spite of its
// name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ingest/base/diagnostics.h"

namespace cinderscope::flow {

struct MappedMethod {
  std::uint64_t id = 0;
  std::string_view key;  // no two have the same; see `texts`
};

// Keeps views into the file's bytes, which must stay.
struct IdMapping {
  std::vector<MappedMethod> methods;                             // in the file's order
  std::unordered_map<std::uint64_t, std::uint32_t> by_id;        // index into methods
  std::unordered_map<std::uint64_t, std::string> distinguished;  // keys that had to be changed
  Diagnostics diagnostics;  // bad_mapping, duplicate_id, duplicate_name; offsets in the mapping
};

// Lines "key=id", split at the last '='; CRLF, blank lines, a missing last line end and comments
// are accepted. Of two lines with one id the first counts. A key that stands for several ids gets
// the number added from the second on, so that each id keeps a name of its own.
IdMapping parse_mapping(std::string_view text);

// Whether `head`, the begin of a file, is that of a mapping: its first line with anything in it.
bool looks_like_mapping(std::string_view head);

// "method #12": for an id that no mapping has.
std::string unnamed_method(std::uint64_t id);

}  // namespace cinderscope::flow
