// The methods of a trace while it is loaded: from ids, or from names written in the file itself, to
// what a slice holds.
#pragma once

#include <cstdint>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/flow/id_mapping.h"
#include "ingest/model/string_pool.h"

namespace cinderscope::flow {

struct Method {
  std::uint64_t id = 0;
  StringId name = kEmptyString;  // its text is the key, its label what is shown
  bool has_id = true;            // false: the file gives the name itself
  bool known = false;            // false: no mapping has it
};

// What a slice is given: a record is the method's number in the table.
struct MethodRef {
  StringId name = kEmptyString;
  std::uint32_t record = 0;
};

// Puts a key into the pool with its label and colour.
StringId intern_key(StringPool& names, std::string_view key, bool colours_by_package);

class MethodTable {
 public:
  MethodTable(StringPool& names, bool colours_by_package)
      : names_(names), colours_by_package_(colours_by_package) {}

  // Before anything else: the methods of a mapping, by its order.
  void add(const IdMapping& mapping);

  // Any thread; take a lock, so keep a MethodCache in front.
  MethodRef of_id(std::uint64_t id);
  MethodRef of_key(std::string_view key);

  // Records below it are those of the mapping.
  std::uint32_t mapped_count() const { return mapped_count_; }
  std::vector<Method> take() { return std::move(methods_); }

 private:
  StringPool& names_;
  bool colours_by_package_;
  std::uint32_t mapped_count_ = 0;
  std::mutex mutex_;
  std::vector<Method> methods_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_id_;
  std::unordered_map<std::uint32_t, std::uint32_t> by_key_;  // by StringId
};

// In front of the table, for one thread.
class MethodCache {
 public:
  explicit MethodCache(MethodTable& table) : table_(table) {}

  MethodRef of_id(std::uint64_t id) {
    if (id < near_.size()) [[likely]] {
      const MethodRef& known = near_[id];
      if (known.record != kNone) [[likely]]
        return known;
    }
    return look_up(id);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  static constexpr std::uint64_t kNear = std::uint64_t{1}
                                         << 20;  // ids below are looked up by place

  MethodRef look_up(std::uint64_t id);

  MethodTable& table_;
  std::vector<MethodRef> near_;
  std::unordered_map<std::uint64_t, MethodRef> far_;
};

}  // namespace cinderscope::flow
