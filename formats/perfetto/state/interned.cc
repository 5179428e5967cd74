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
  if (open_ == nullptr) {
    base_ = address;
    open_ = std::make_unique<Open>();
  }
  std::vector<Field>& fields = open_->fields;
  if (!open_->far.empty() && open_->far.contains({iid, field})) return false;
  auto of = std::ranges::find(fields, field, &Field::number);
  if (of == fields.end() && fields.size() < kMostIidTables) {
    of = fields.insert(of, Field{.number = field});
  }
  const std::uint64_t distance = address - base_;
  if (of == fields.end() || iid >= table_room(of->count) || distance >= UINT32_MAX) {
    if (of != fields.end() && iid < of->by_iid.size() && of->by_iid[iid] != 0) return false;
    open_->far.emplace(Key{iid, field}, address);
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
  if (open_ == nullptr) return;
  for (const auto& [key, address] : open_->far) far_.push_back({key, address});
  std::size_t size = 0;
  for (Field& field : open_->fields) {
    // A table that is mostly empty takes more than a list.
    if (field.by_iid.size() > 4 * std::size_t{field.count}) {
      for (std::size_t iid = 0; iid < field.by_iid.size(); ++iid) {
        if (field.by_iid[iid] == 0) continue;
        far_.push_back({{iid, field.number}, base_ + field.by_iid[iid] - 1});
      }
      field.by_iid = {};
    }
    if (!field.by_iid.empty()) size += 2 + field.by_iid.size();
  }
  closed_.reserve(size);
  for (const Field& field : open_->fields) {
    if (field.by_iid.empty()) continue;
    closed_.push_back(field.number);
    closed_.push_back(static_cast<std::uint32_t>(field.by_iid.size()));
    closed_.insert(closed_.end(), field.by_iid.begin(), field.by_iid.end());
  }
  open_.reset();
  far_.shrink_to_fit();
  std::ranges::sort(far_, {}, [](const Place& at) { return std::pair(at.key.iid, at.key.field); });
}

// Fields are less than ten in what recorders write.
std::span<const std::uint32_t> InternedPlaces::closed_field(std::uint32_t field) const {
  std::span<const std::uint32_t> left = closed_;
  while (!left.empty()) {
    const std::span<const std::uint32_t> values = left.subspan(2, left[1]);
    if (left[0] == field) return values;
    left = left.subspan(2 + values.size());
  }
  return {};
}

std::optional<std::uint64_t> InternedPlaces::address_of(std::uint32_t field,
                                                        std::uint64_t iid) const {
  std::span<const std::uint32_t> near;
  if (open_ == nullptr) {
    near = closed_field(field);
  } else {
    const auto of = std::ranges::find(open_->fields, field, &Field::number);
    if (of != open_->fields.end()) near = of->by_iid;
  }
  if (iid < near.size() && near[iid] != 0) return base_ + near[iid] - 1;
  if (open_ != nullptr) {
    const auto far = open_->far.find({iid, field});
    return far == open_->far.end() ? std::nullopt : std::optional(far->second);
  }
  const auto far = std::ranges::lower_bound(far_, std::pair(iid, field), {}, [](const Place& at) {
    return std::pair(at.key.iid, at.key.field);
  });
  if (far == far_.end() || far->key != Key{iid, field}) return std::nullopt;
  return far->address;
}

void InternedPlaces::save(cinderscope::FieldWriter& out) const {
  std::vector<Place> places = far_;
  std::span<const std::uint32_t> left = closed_;
  while (!left.empty()) {
    const std::span<const std::uint32_t> values = left.subspan(2, left[1]);
    for (std::size_t iid = 0; iid < values.size(); ++iid) {
      if (values[iid] == 0) continue;
      places.push_back({{iid, left[0]}, base_ + values[iid] - 1});
    }
    left = left.subspan(2 + values.size());
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
  return closed_.capacity() * sizeof(std::uint32_t) + far_.capacity() * sizeof(Place);
}

}  // namespace cinderscope::perfetto
