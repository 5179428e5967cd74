#include "ingest/input/unpack/checkpoints.h"

#include <lz4.h>

#include <algorithm>
#include <utility>

namespace cinderscope {
namespace {

constexpr std::uint64_t kMostStateBytes = std::uint64_t{256} << 20;
// Nearer to the place before a member is no place of its own.
constexpr std::uint64_t kShortStretchBytes = 1u << 20;
constexpr std::size_t kLargestState = 1u << 20;  // unpacked

std::vector<std::byte> packed(std::span<const std::byte> state) {
  const int size = static_cast<int>(state.size());
  std::vector<std::byte> to(static_cast<std::size_t>(LZ4_compressBound(size)) + sizeof(size));
  const int made = LZ4_compress_default(reinterpret_cast<const char*>(state.data()),
                                        reinterpret_cast<char*>(to.data()) + sizeof(size), size,
                                        static_cast<int>(to.size() - sizeof(size)));
  if (made <= 0) return {};
  std::ranges::copy(std::as_bytes(std::span(&size, 1)), to.begin());
  return {to.begin(), to.begin() + made + static_cast<std::ptrdiff_t>(sizeof(size))};
}

std::vector<std::byte> unpacked(std::span<const std::byte> state) {
  int size = 0;
  if (state.size() <= sizeof(size)) return {};
  std::ranges::copy(state.first(sizeof(size)), std::as_writable_bytes(std::span(&size, 1)).begin());
  if (size <= 0 || static_cast<std::size_t>(size) > kLargestState) return {};
  std::vector<std::byte> to(static_cast<std::size_t>(size));
  const std::span<const std::byte> from = state.subspan(sizeof(size));
  const int made =
      LZ4_decompress_safe(reinterpret_cast<const char*>(from.data()),
                          reinterpret_cast<char*>(to.data()), static_cast<int>(from.size()), size);
  if (made != size) return {};
  return to;
}

}  // namespace

void Checkpoints::note_packed(std::span<const std::byte> bytes) {
  hash_.add(bytes);
}

void Checkpoints::note_member(std::uint64_t packed_at, std::uint64_t plain_at) {
  if (gave_up_) return;
  if (!places_.empty() &&
      plain_at - places_.back().plain_at < std::min(kShortStretchBytes, step_bytes_)) {
    return;
  }
  end_stretch(plain_at);
  add({.packed_at = packed_at, .plain_at = plain_at, .packing = {}, .state = {}, .checksum = {}});
}

void Checkpoints::note_step(std::uint64_t packed_at, std::uint64_t plain_at, Packing packing,
                            const Decoder& decoder) {
  if (gave_up_ || places_.empty() || plain_at - places_.back().plain_at < step_bytes_) return;
  const std::vector<std::byte> saved = decoder.saved();
  if (saved.empty()) return;
  std::vector<std::byte> state = packed(saved);
  if (state.empty()) return;
  end_stretch(plain_at);
  add({.packed_at = packed_at,
       .plain_at = plain_at,
       .packing = packing,
       .state = std::move(state),
       .checksum = {}});
}

void Checkpoints::note_end(std::uint64_t packed_at, std::uint64_t plain_at) {
  if (gave_up_ || places_.empty()) return;
  end_stretch(plain_at);
  // Nothing follows; the end of the last stretch.
  add({.packed_at = packed_at, .plain_at = plain_at, .packing = {}, .state = {}, .checksum = {}});
}

void Checkpoints::give_up() {
  const std::lock_guard lock(mutex_);
  gave_up_ = true;
  places_.clear();
  covered_to_ = 0;
}

void Checkpoints::end_stretch(std::uint64_t plain_at) {
  const std::uint64_t sum = hash_.take();
  if (places_.empty()) return;
  const std::lock_guard lock(mutex_);
  places_.back().checksum = sum;
  too_long_ |= plain_at - places_.back().plain_at > kLongestStretchBytes;
  if (!too_long_) covered_to_ = plain_at;
}

void Checkpoints::add(Place place) {
  const std::lock_guard lock(mutex_);
  state_bytes_ += place.state.size();
  places_.push_back(std::move(place));
  if (state_bytes_ > kMostStateBytes) thin_out();
}

// Under the mutex. The first and the last place stay, and two neighbours become one stretch only
// where that is short.
void Checkpoints::thin_out() {
  step_bytes_ = std::min(step_bytes_ * 2, kLongestStretchBytes / 2);
  std::vector<Place> kept;
  state_bytes_ = 0;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    Place& place = places_[i];
    const bool is_last = i + 1 == places_.size();
    if (!is_last && !kept.empty() &&
        places_[i + 1].plain_at - kept.back().plain_at <= step_bytes_) {
      kept.back().checksum.reset();
      continue;
    }
    state_bytes_ += place.state.size();
    kept.push_back(std::move(place));
  }
  places_ = std::move(kept);
}

void Checkpoints::save(FieldWriter& out) const {
  const std::lock_guard lock(mutex_);
  out.add(std::uint64_t{places_.size()});
  for (const Place& place : places_) {
    out.add(place.packed_at);
    out.add(place.plain_at);
    out.add(place.packing);
    out.add(place.checksum.has_value());
    out.add(place.checksum.value_or(0));
    out.add_text({reinterpret_cast<const char*>(place.state.data()), place.state.size()});
  }
}

bool Checkpoints::restore(FieldReader& in) {
  constexpr std::size_t kLeastBytes = 34;  // of a place
  std::vector<Place> places(in.take_count(kLeastBytes));
  std::uint64_t plain_at = 0, packed_at = 0;
  for (Place& place : places) {
    place.packed_at = in.take<std::uint64_t>();
    place.plain_at = in.take<std::uint64_t>();
    place.packing = in.take_enum(Packing::skippable);
    const bool has_checksum = in.take<bool>();
    const auto checksum = in.take<std::uint64_t>();
    if (has_checksum) place.checksum = checksum;
    const std::string_view state = in.take_text();
    const auto bytes = std::as_bytes(std::span(state));
    place.state.assign(bytes.begin(), bytes.end());
    const bool is_short = place.plain_at - plain_at <= kLongestStretchBytes;
    if (place.plain_at < plain_at || place.packed_at < packed_at || !is_short) in.fail();
    plain_at = place.plain_at;
    packed_at = place.packed_at;
  }
  if (!in.ok() || places.empty() || places.front().plain_at != 0) return false;
  const std::lock_guard lock(mutex_);
  state_bytes_ = 0;
  for (const Place& place : places) state_bytes_ += place.state.size();
  places_ = std::move(places);
  covered_to_ = plain_at;
  return true;
}

std::uint64_t Checkpoints::covered_to() const {
  const std::lock_guard lock(mutex_);
  return covered_to_;
}

std::optional<Checkpoints::Stretch> Checkpoints::stretch_at(std::uint64_t plain_at) const {
  const std::lock_guard lock(mutex_);
  if (plain_at >= covered_to_) return std::nullopt;
  auto next = std::ranges::upper_bound(places_, plain_at, {}, &Place::plain_at);
  if (next == places_.begin() || next == places_.end()) return std::nullopt;
  const Place& place = *(next - 1);
  return Stretch{.packed_begin = place.packed_at,
                 .packed_end = next->packed_at,
                 .plain_begin = place.plain_at,
                 .plain_end = next->plain_at,
                 .packing = place.packing,
                 .decoder = unpacked(place.state),
                 .checksum = place.checksum};
}

std::size_t Checkpoints::count() const {
  const std::lock_guard lock(mutex_);
  return places_.size();
}

std::size_t Checkpoints::kept_bytes() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(state_bytes_) + places_.capacity() * sizeof(Place);
}

}  // namespace cinderscope
