#include "formats/spall/event_reader.h"

namespace cinderscope::spall {

std::uint32_t ThreadIndex::find_or_add(const ThreadKey& key) {
  Recent& recent = recent_[(key.tid ^ key.pid * 7) % recent_.size()];
  if (recent.used && recent.key == key) return recent.thread;
  const auto [found, added] = all_.try_emplace(key, count());
  recent = {key, found->second, true};
  return found->second;
}

}  // namespace cinderscope::spall
