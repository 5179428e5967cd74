// A pprof Profile message as its tables: what samples refer to. Everything points into the input.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ingest/base/diagnostics.h"
#include "ingest/base/result.h"

namespace cinderscope::pprof {

struct ValueType {
  std::uint64_t type = 0, unit = 0;  // texts
};

struct Mapping {
  std::uint64_t id = 0, start = 0, limit = 0, offset = 0, file = 0, build_id = 0;
};

struct Line {
  std::uint64_t function = 0;
  std::int64_t line = 0, column = 0;
};

struct Location {
  std::uint64_t id = 0, mapping = 0, address = 0;
  std::uint32_t first_line = 0, line_count = 0;  // the innermost first
};

struct Function {
  std::uint64_t id = 0, name = 0, system_name = 0, file = 0;
  std::int64_t start_line = 0;
};

// From the ids of a file, which may be any numbers, to places in its tables.
class IdIndex {
 public:
  void add(std::uint64_t id, std::uint32_t place);  // the first of an id stays
  std::optional<std::uint32_t> find(std::uint64_t id) const {
    if (id < dense_.size()) {
      if (dense_[id] == 0) return std::nullopt;
      return dense_[id] - 1;
    }
    const auto found = others_.find(id);
    if (found == others_.end()) return std::nullopt;
    return found->second;
  }

 private:
  static constexpr std::uint64_t kDense = 1 << 20;
  std::vector<std::uint32_t> dense_;  // place + 1
  std::unordered_map<std::uint64_t, std::uint32_t> others_;
};

struct ProfileTables {
  std::vector<ValueType> sample_types;
  std::vector<std::string_view> samples;  // messages, read later: their locations may come behind
  std::vector<Mapping> mappings;
  std::vector<Location> locations;
  std::vector<Line> lines;
  std::vector<Function> functions;
  std::vector<std::string_view> strings;
  IdIndex mapping_of, location_of, function_of;
  std::uint64_t drop_frames = 0, keep_frames = 0, default_type = 0, doc_url = 0;
  std::int64_t time_ns = 0, duration_ns = 0, period = 0;
  ValueType period_type;
  std::vector<std::uint64_t> comments;

  // Counts a text that is not there.
  std::string_view text(std::uint64_t index, Diagnostics& diagnostics) const;
};

// All that is whole. An Error for what are two profiles in one file.
Result<ProfileTables> read_tables(std::string_view bytes, Diagnostics& diagnostics);

// Whether `head` may be the beginning of a profile; `is_whole`: it is all there is.
bool looks_like_profile(std::string_view head, bool is_whole);

}  // namespace cinderscope::pprof
