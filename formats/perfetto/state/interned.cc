#include "formats/perfetto/state/interned.h"

#include <algorithm>

#include "formats/perfetto/wire/fields.h"

namespace cinderscope::perfetto {

InternedEntry read_interned(std::uint32_t field, std::string_view entry) {
  InternedEntry out{.field = field, .whole = entry};
  FieldReader part(entry);
  while (part.next()) {
    if (part.key() == number_field(1)) out.iid = part.number();
    if (part.key() == bytes_field(2)) out.text = part.bytes();
  }
  if (part.damaged()) out.iid = 0;
  return out;
}

void InternedPlaces::close() {
  std::stable_sort(places_.begin(), places_.end(),
                   [](const Place& a, const Place& b) { return a.key < b.key; });
  places_.erase(std::unique(places_.begin(), places_.end(),
                            [](const Place& a, const Place& b) { return a.key == b.key; }),
                places_.end());
  places_.shrink_to_fit();
}

const InternedPlaces::Place* InternedPlaces::find(std::uint32_t field, std::uint64_t iid,
                                                  std::uint64_t before) const {
  if (iid == 0 || iid >= kMostIid) return nullptr;
  const auto found =
      std::lower_bound(places_.begin(), places_.end(), key(field, iid),
                       [](const Place& place, std::uint64_t wanted) { return place.key < wanted; });
  if (found == places_.end() || found->key != key(field, iid)) return nullptr;
  return found->address < before ? &*found : nullptr;
}

}  // namespace cinderscope::perfetto
