#include "formats/perfetto/state/interned.h"

#include <algorithm>
#include <utility>

#include "formats/perfetto/wire/fields.h"
#include "ingest/base/fields.h"

namespace cinderscope::perfetto {
namespace {

// Tables are found one by one, and recorders fill less than ten.
constexpr std::size_t kMostIidTables = 32;

}  // namespace

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

bool InternedPlaces::add(std::uint32_t field, std::uint64_t iid, std::uint64_t address) {
  if (field > kLastField) return true;
  if (empty()) base_ = address;
  if (!open_far_.empty() && open_far_.contains({iid, field})) return false;
  auto of = std::ranges::find(fields_, field, &Field::number);
  if (of == fields_.end() && fields_.size() < kMostIidTables) {
    of = fields_.insert(of, Field{.number = field});
  }
  const std::uint64_t distance = address - base_;
  if (of == fields_.end() || iid >= table_room(of->count) || distance >= UINT32_MAX) {
    if (of != fields_.end() && iid < of->by_iid.size() && of->by_iid[iid] != 0) return false;
    open_far_.emplace(Key{iid, field}, address);
    return true;
  }
  std::vector<std::uint32_t>& near = of->by_iid;
  if (iid < near.size() && near[iid] != 0) return false;
  if (iid >= near.size()) near.resize(iid + 1, 0);
  near[iid] = static_cast<std::uint32_t>(distance) + 1;
  ++of->count;
  return true;
}

void InternedPlaces::close() {
  for (const auto& [key, address] : open_far_) far_.push_back({key, address});
  open_far_ = {};
  for (Field& field : fields_) {
    // A table that is mostly empty takes more than a list.
    if (field.by_iid.size() > 4 * std::size_t{field.count}) {
      for (std::size_t iid = 0; iid < field.by_iid.size(); ++iid) {
        if (field.by_iid[iid] == 0) continue;
        far_.push_back({{iid, field.number}, base_ + field.by_iid[iid] - 1});
      }
      field.by_iid = {};
    }
    field.by_iid.shrink_to_fit();
  }
  std::erase_if(fields_, [](const Field& field) { return field.by_iid.empty(); });
  fields_.shrink_to_fit();
  far_.shrink_to_fit();
  std::ranges::sort(far_, {}, [](const Place& at) { return std::pair(at.key.iid, at.key.field); });
}

std::optional<std::uint64_t> InternedPlaces::address_of(std::uint32_t field,
                                                        std::uint64_t iid) const {
  const auto of = std::ranges::find(fields_, field, &Field::number);
  if (of != fields_.end() && iid < of->by_iid.size() && of->by_iid[iid] != 0) {
    return base_ + of->by_iid[iid] - 1;
  }
  if (const auto open = open_far_.find({iid, field}); open != open_far_.end()) return open->second;
  const auto far = std::ranges::lower_bound(far_, std::pair(iid, field), {}, [](const Place& at) {
    return std::pair(at.key.iid, at.key.field);
  });
  if (far == far_.end() || far->key != Key{iid, field}) return std::nullopt;
  return far->address;
}

void InternedPlaces::save(cinderscope::FieldWriter& out) const {
  std::vector<Place> places = far_;
  for (const auto& [key, address] : open_far_) places.push_back({key, address});
  for (const Field& field : fields_) {
    for (std::size_t iid = 0; iid < field.by_iid.size(); ++iid) {
      if (field.by_iid[iid] == 0) continue;
      places.push_back({{iid, field.number}, base_ + field.by_iid[iid] - 1});
    }
  }
  std::ranges::sort(places, {}, &Place::address);
  out.add(std::uint64_t{places.size()});
  for (const Place& place : places) {
    out.add(place.key.iid);
    out.add(place.address);
    out.add(place.key.field);
  }
}

void InternedPlaces::restore(cinderscope::FieldReader& in) {
  const std::size_t count = in.take_count(sizeof(std::uint64_t) * 2 + sizeof(std::uint32_t));
  for (std::size_t i = 0; i < count; ++i) {
    const auto iid = in.take<std::uint64_t>();
    const auto address = in.take<std::uint64_t>();
    add(in.take<std::uint32_t>(), iid, address);
  }
  close();
}

std::optional<std::uint64_t> InternedPlaces::find(std::uint32_t field, std::uint64_t iid,
                                                  std::uint64_t before) const {
  if (iid == 0) return std::nullopt;
  const std::optional<std::uint64_t> address = address_of(field, iid);
  return address && *address < before ? address : std::nullopt;
}

std::size_t InternedPlaces::kept_bytes() const {
  std::size_t bytes = fields_.capacity() * sizeof(Field) + far_.capacity() * sizeof(Place);
  for (const Field& field : fields_) bytes += field.by_iid.capacity() * sizeof(std::uint32_t);
  return bytes;
}

}  // namespace cinderscope::perfetto
