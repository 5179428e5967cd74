#include "formats/spall/event_reader.h"

namespace cinderscope::spall {

std::uint32_t ThreadIndex::look_up(const ThreadKey& key) {
  const auto [found, added] = all_.try_emplace(key, count());
  recent_[(key.tid ^ key.pid * 7) % kRecentCount] = {key, found->second, true};
  return found->second;
}

}  // namespace cinderscope::spall
