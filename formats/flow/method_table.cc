#include "formats/flow/method_table.h"

#include <algorithm>
#include <bit>
#include <string>

#include "formats/flow/method_key.h"

namespace cinderscope::flow {

StringId intern_key(StringPool& names, std::string_view key, bool colours_by_package) {
  const std::string_view coloured_by =
      colours_by_package ? package_of(method_key(key).class_name) : key;
  return names.intern(key, short_label(key), stable_hash(coloured_by));
}

void MethodTable::add(const IdMapping& mapping) {
  methods_.reserve(mapping.methods.size());
  for (const MappedMethod& mapped : mapping.methods) {
    by_id_.emplace(mapped.id, static_cast<std::uint32_t>(methods_.size()));
    methods_.push_back(
        {mapped.id, intern_key(names_, mapped.key, colours_by_package_), true, true});
  }
  mapped_count_ = static_cast<std::uint32_t>(methods_.size());
}

MethodRef MethodTable::of_id(std::uint64_t id) {
  const std::lock_guard lock(mutex_);
  const auto [found, is_new] = by_id_.try_emplace(id, static_cast<std::uint32_t>(methods_.size()));
  if (is_new) methods_.push_back({id, names_.intern(unnamed_method(id)), true, false});
  return {methods_[found->second].name, found->second};
}

MethodRef MethodTable::of_key(std::string_view key) {
  const StringId name = intern_key(names_, key, colours_by_package_);
  const std::lock_guard lock(mutex_);
  const auto [found, is_new] =
      by_key_.try_emplace(index(name), static_cast<std::uint32_t>(methods_.size()));
  if (is_new) methods_.push_back({0, name, false, true});
  return {name, found->second};
}

MethodRef MethodCache::look_up(std::uint64_t id) {
  if (id >= kNear) {
    const auto found = far_.find(id);
    if (found != far_.end()) return found->second;
    return far_[id] = table_.of_id(id);
  }
  if (id >= near_.size()) {
    near_.resize(std::bit_ceil(std::max<std::uint64_t>(id + 1, 64)), {kEmptyString, kNone});
  }
  return near_[id] = table_.of_id(id);
}

}  // namespace cinderscope::flow
