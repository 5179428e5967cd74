// What the ids of a trace stand for: parsed from the data whenever asked, nothing is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/lincheck/java_reader.h"
#include "formats/lincheck/trace_map.h"

namespace cinderscope::lincheck {

inline constexpr std::string_view kUnknown = "<unknown>";

struct Method {
  bool known = false;
  std::string class_name, name;  // in full, kUnknown where it is not there
  std::string result_type;
  std::vector<std::string> argument_types;
};

struct Field {
  bool known = false;
  std::string class_name, name, type;  // the type is empty before version 15
  bool is_static = false, is_final = false, is_volatile = false;
};

struct Variable {
  bool known = false;
  std::string name, type;  // the type is empty before version 16
};

struct PathElement {
  enum class Kind : std::uint8_t { variable, static_field, field, index, index_path };
  Kind kind = Kind::variable;
  std::int32_t operand = 0;
};

struct CodeLocation {
  bool known = false;
  std::string file, class_name, method;
  std::int32_t line = 0;
  std::int32_t path = kNoId;                 // of whom something is done to
  std::vector<std::int32_t> argument_paths;  // kNoId: the argument has none
  std::vector<std::int32_t> locals;          // string ids
};

// Any thread; data and map must outlive it. Lists are cut where they could only come from damage.
class Lookup {
 public:
  Lookup(std::span<const std::byte> data, const Layout& layout, const TraceMap& map)
      : data_(data), layout_(layout), map_(map) {}

  std::string class_name(std::int32_t id) const;  // kUnknown if it is not there; so is string()
  std::string string(std::int32_t id) const;
  std::string thread_name(std::int32_t id) const;  // empty if it is not there
  Method method(std::int32_t id) const;
  Field field(std::int32_t id) const;
  Variable variable(std::int32_t id) const;
  std::vector<PathElement> path(std::int32_t id) const;
  CodeLocation location(std::int32_t id) const;

  std::span<const std::byte> data() const { return data_; }
  const Layout& layout() const { return layout_; }
  const TraceMap& map() const { return map_; }

 private:
  // Stands behind the id, or nowhere with found false.
  struct Found {
    bool found = false;
    JavaReader in;
  };
  Found find(Kind kind, std::int32_t id) const;

  std::span<const std::byte> data_;
  const Layout& layout_;
  const TraceMap& map_;
};

}  // namespace cinderscope::lincheck
