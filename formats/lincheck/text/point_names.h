// Names of slices and instants: what is counted together in statistics and drawn in one colour.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "formats/lincheck/lookup.h"
#include "formats/lincheck/objects.h"
#include "ingest/model/string_pool.h"

namespace cinderscope::lincheck {

// Of methods, fields and variables: interned at once, then read by all loader threads.
class PointNames {
 public:
  PointNames(const Lookup& lookup, StringPool& pool);

  const Lookup& lookup() const { return lookup_; }
  StringPool& pool() const { return pool_; }
  // Text of a point with that status of a diff, which is below 0 where the trace is none.
  StringId intern(std::string_view text, std::int8_t status) const;
  // kNoName where the id is not in the trace.
  StringId method(std::int32_t id) const { return methods_.find(id); }
  StringId field_read(std::int32_t id) const { return field_reads_.find(id); }
  StringId field_write(std::int32_t id) const { return field_writes_.find(id); }
  StringId variable_read(std::int32_t id) const { return variable_reads_.find(id); }
  StringId variable_write(std::int32_t id) const { return variable_writes_.find(id); }
  StringId array_read() const { return array_read_; }
  StringId array_write() const { return array_write_; }
  StringId snapshot() const { return snapshot_; }

 private:
  const Lookup& lookup_;
  StringPool& pool_;
  IdTable<StringId> methods_{kNoName}, field_reads_{kNoName}, field_writes_{kNoName},
      variable_reads_{kNoName}, variable_writes_{kNoName};
  StringId array_read_, array_write_, snapshot_;
};

// Of one thread's points: the rest of the names comes as it is met.
class PointNamer {
 public:
  explicit PointNamer(const PointNames& names) : names_(names) {}

  // `body` stands behind the head of the point.
  StringId name(const PointHead& head, std::int32_t first_id, JavaReader body);
  std::uint64_t unknown_count() const { return unknown_count_; }  // descriptors that are missing
  // Some name is not what it would be if all objects were known.
  bool met_unknown() const { return met_unknown_; }

 private:
  StringId plain_name(const PointHead& head, std::int32_t first_id, JavaReader body);
  StringId known(StringId name, const char* what, std::int32_t id);
  StringId loop_name(const PointHead& head);

  const PointNames& names_;
  std::unordered_map<std::uint64_t, StringId> loops_, exceptions_, marked_;  // by id and status
  std::uint64_t unknown_count_ = 0;
  bool met_unknown_ = false;
};

}  // namespace cinderscope::lincheck
