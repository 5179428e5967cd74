#include "formats/perfetto/state/interned.h"

#include <algorithm>

#include "formats/perfetto/wire/fields.h"
#include "ingest/base/fields.h"

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
  places_.reserve(places_.size() + open_.size());
  for (const auto& [key, address] : open_) {
    places_.push_back({key.iid, std::uint64_t{key.field} << kAddressBits | address});
  }
  open_ = {};
  std::sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) {
    return a.iid != b.iid ? a.iid < b.iid : a.field_and_address < b.field_and_address;
  });
}

void InternedPlaces::save(cinderscope::FieldWriter& out) const {
  InternedPlaces closed = *this;
  closed.close();
  out.add(std::uint64_t{closed.places_.size()});
  for (const Place& place : closed.places_) {
    out.add(place.iid);
    out.add(place.field_and_address);
  }
}

void InternedPlaces::restore(cinderscope::FieldReader& in) {
  places_.resize(in.take_count(16));
  for (Place& place : places_) {
    place.iid = in.take<std::uint64_t>();
    place.field_and_address = in.take<std::uint64_t>();
  }
}

std::optional<std::uint64_t> InternedPlaces::find(std::uint32_t field, std::uint64_t iid,
                                                  std::uint64_t before) const {
  if (iid == 0) return std::nullopt;
  std::optional<std::uint64_t> address;
  if (const auto open = open_.find({iid, field}); open != open_.end()) {
    address = open->second;
  } else {
    const auto place = std::partition_point(places_.begin(), places_.end(), [&](const Place& at) {
      return at.iid != iid ? at.iid < iid : at.field() < field;
    });
    if (place != places_.end() && place->iid == iid && place->field() == field) {
      address = place->address();
    }
  }
  return address && *address < before ? address : std::nullopt;
}

}  // namespace cinderscope::perfetto
