#include "formats/perfetto/wire/packet_bytes.h"

#include <algorithm>

namespace cinderscope::perfetto {

void PacketBytes::add_bundle(std::uint64_t packet_begin, std::uint64_t packet_end,
                             std::uint64_t length) {
  bundles_.push_back(
      {packet_begin, packet_end, unpacked_bytes_, length, packet_end + unpacked_bytes_});
  unpacked_bytes_ += length;
}

std::uint64_t PacketBytes::address_in_file(std::uint64_t offset) const {
  const auto next = std::upper_bound(
      bundles_.begin(), bundles_.end(), offset,
      [](std::uint64_t at, const Bundle& bundle) { return at < bundle.packet_end; });
  if (next == bundles_.begin()) return offset;
  const Bundle& before = *(next - 1);
  return offset + before.unpacked_begin + before.length;
}

std::uint64_t PacketBytes::address_unpacked(std::uint64_t offset) const {
  const auto next = std::upper_bound(
      bundles_.begin(), bundles_.end(), offset,
      [](std::uint64_t at, const Bundle& bundle) { return at < bundle.unpacked_begin; });
  if (next == bundles_.begin()) return offset;
  const Bundle& in = *(next - 1);
  return in.address + (offset - in.unpacked_begin);
}

const PacketBytes::Bundle* PacketBytes::bundle_before(std::uint64_t address) const {
  const auto next =
      std::upper_bound(bundles_.begin(), bundles_.end(), address,
                       [](std::uint64_t at, const Bundle& bundle) { return at < bundle.address; });
  return next == bundles_.begin() ? nullptr : &*(next - 1);
}

std::uint64_t PacketBytes::file_offset(std::uint64_t address) const {
  const Bundle* bundle = bundle_before(address);
  if (bundle == nullptr) return address;
  if (address < bundle->address + bundle->length) return bundle->packet_begin;
  return address - bundle->unpacked_begin - bundle->length;
}

std::uint64_t PacketBytes::end() const {
  return input_->size_bytes() + unpacked_bytes_;
}

Pin PacketBytes::pin(std::uint64_t address, std::uint64_t length) const {
  const Bundle* bundle = bundle_before(address);
  if (bundle != nullptr && address < bundle->address + bundle->length) {
    const std::uint64_t inside = address - bundle->address;
    return ByteSource(*unpacked_)
        .pin(bundle->unpacked_begin + inside, std::min(length, bundle->length - inside))
        .counted_from(address);
  }
  return ByteSource(*input_).pin(file_offset(address), length).counted_from(address);
}

Pin PacketBytes::packet_at(std::uint64_t address) const {
  if (address >= end()) return {};
  const Pin start = pin(address, 20);
  const FieldHead head = read_head(start.text());
  if (head.kind == FieldHead::Kind::bad_tag || head.kind == FieldHead::Kind::cut) return {};
  const std::uint64_t length = head.head_bytes + head.body_bytes;
  Pin whole = pin(address, length);
  return whole.size() == length ? whole : Pin();
}

}  // namespace cinderscope::perfetto
