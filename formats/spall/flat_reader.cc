#include "formats/spall/flat_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <span>
#include <utility>

#include "formats/spall/flat_record.h"
#include "formats/spall/pinned.h"

namespace cinderscope::spall {
namespace {

constexpr std::size_t kPrefetchRecords = 12, kRecordsBetweenLooks = 1u << 13;
constexpr std::uint64_t kWindowsOfARound = 4;  // in a round: fewer, and workers wait for each other

template <const FlatLayout& L>
class FlatReader : public EventReader {
 public:
  FlatReader(const Input& input, const DoubleClock& clock, std::uint64_t window_bytes)
      : input_(input),
        clock_(clock),
        // Places within a window are kept in 32 bits.
        window_bytes_(std::clamp<std::uint64_t>(window_bytes, 1, 1u << 28) * kWindowsOfARound) {}

  void scan() override {
    const std::uint64_t window_end = offset_ + window_bytes_;
    Result<Pin> pin = input_.pin(offset_, window_bytes_ + kMostRecordBytes);
    if (!pin) return fail(pin.error());
    scanned_pin_ = std::move(*pin);
    const std::uint64_t there = input_.wait_for(window_end + kMostRecordBytes);
    while (!at_end_ && offset_ < window_end) {
      scan_plain(there, window_end);
      if (offset_ >= window_end) return;
      if (offset_ >= there) {
        // More than the window was asked for, so this is the end of the file.
        if (offset_ > there) diagnostics_.count(diagnostic::kTruncated, offset_of(skip_at_));
        at_end_ = true;
        return;
      }
      FlatRecord record = flat_record<L>(scanned_pin_.at(offset_), there - offset_);
      if (record.kind == FlatKind::skip) {
        record = resolve_skip(input_, offset_);
        skip_at_ = offset_;
      }
      if (record.kind == FlatKind::cut) {
        diagnostics_.count(diagnostic::kTruncated, offset_of(offset_));
        at_end_ = true;
      } else if (record.kind == FlatKind::unknown) {
        stop_at_unknown(*scanned_pin_.at(offset_));
      } else {
        if (record.kind != FlatKind::skip) add(record.thread);
        offset_ += record.size_bytes;
      }
    }
  }

  const std::vector<std::uint32_t>& take_scanned() override {
    for (const std::uint32_t thread : work_threads_) work_[thread].clear();
    work_threads_.swap(scanned_threads_);
    scanned_threads_.clear();
    work_.swap(scanned_);
    scanned_.resize(index_.count());
    work_.resize(index_.count());
    work_pin_ = scanned_pin_;
    add_threads(new_keys_);
    new_keys_.clear();
    return work_threads_;
  }

  void decode(std::uint32_t thread, const std::atomic<bool>& cancelled) override {
    const std::byte* const base = work_pin_.bytes().data();
    const std::uint64_t base_offset = work_pin_.begin();
    ThreadLoad& to = *threads_[thread];
    const std::vector<std::uint32_t>& places = work_[thread];
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (i % kRecordsBetweenLooks == 0 && cancelled.load(std::memory_order_relaxed)) return;
      // The records of one thread lie scattered; the processor cannot guess where the next is.
      const std::size_t ahead = std::min(i + kPrefetchRecords, places.size() - 1);
      __builtin_prefetch(base + places[ahead]);
      decode_record(base + places[i], base_offset + places[i], to);
    }
  }

  bool at_end() const override { return at_end_ || error_; }
  std::uint64_t scanned_bytes() const override { return offset_; }
  std::uint64_t needed_from() const override { return scanned_pin_.begin(); }

 private:
  using Places = FlatPlaces<L>;

  static std::int64_t offset_of(std::uint64_t at) { return static_cast<std::int64_t>(at); }

  // Goes over begins and ends that are whole for certain, up to any other record. Which of the two
  // comes next cannot be guessed, so nothing branches on it.
  void scan_plain(std::uint64_t there, std::uint64_t window_end) {
    if constexpr (L.type_bytes != 1) return;
    if (there < kMostRecordBytes) return;
    const std::uint64_t end = std::min(window_end, there - kMostRecordBytes);
    if (offset_ >= end) return;
    const std::byte* data = scanned_pin_.at(offset_);
    while (offset_ < end) {
      const bool begins = data[0] == std::byte{L.begin};
      if (!begins && data[0] != std::byte{L.end}) return;
      const std::uint64_t if_begins = std::uint64_t{0} - static_cast<std::uint64_t>(begins);
      auto texts = std::to_integer<std::uint64_t>(data[Places::kNameLength]);
      if (L.has_args) texts += std::to_integer<std::uint64_t>(data[Places::kNameLength + 1]);
      add(flat_thread<L>(data + Places::kEndPid +
                         (if_begins & (Places::kBeginPid - Places::kEndPid))));
      const std::uint64_t size =
          Places::kEndBytes + (if_begins & (Places::kName - Places::kEndBytes + texts));
      offset_ += size;
      data += size;
    }
  }

  void add(const ThreadKey& key) {
    const std::uint32_t thread = index_.find_or_add(key);
    if (thread >= scanned_.size()) {
      scanned_.emplace_back();
      new_keys_.push_back(key);
    }
    std::vector<std::uint32_t>& places = scanned_[thread];
    if (places.empty()) scanned_threads_.push_back(thread);
    places.push_back(static_cast<std::uint32_t>(offset_ - scanned_pin_.begin()));
  }

  void stop_at_unknown(std::byte type) {
    diagnostics_.count(diagnostic::kUnreadableRecord, offset_of(offset_),
                       fmt::format("A record has type {}, which version {} does not have; what "
                                   "follows it could not be read.",
                                   std::to_integer<unsigned>(type), L.name));
    at_end_ = true;
  }

  // Version 0 may count a terminating NUL (section 1).
  static std::size_t name_bytes(const std::byte* name, std::size_t size) {
    if (L.has_args) return size;
    while (size > 0 && name[size - 1] == std::byte{0}) --size;
    return size;
  }

  void decode_record(const std::byte* data, std::uint64_t at, ThreadLoad& to) {
    // The scan has checked that the record is whole, so its type says all.
    const auto type = std::to_integer<std::uint8_t>(data[0]);
    if (type == L.end) {
      to.end(clock_, load_value<double>(data + Places::kEndTime), at);
    } else if (type == L.begin) {
      const auto size = std::to_integer<std::size_t>(data[Places::kNameLength]);
      const std::byte* name = data + Places::kName;
      to.begin(clock_, load_value<double>(data + Places::kBeginTime),
               to.name(name, name_bytes(name, size)), at);
    } else if (L.complete != kNoType && type == L.complete) {
      const auto size = std::to_integer<std::size_t>(data[Places::kCompleteNameLength]);
      const std::byte* name = data + Places::kCompleteName;
      to.complete(clock_, load_value<double>(data + Places::kEndTime),
                  load_value<double>(data + Places::kDuration),
                  to.name(name, name_bytes(name, size)), at);
    } else if (L.cached_begin != kNoType && type == L.cached_begin) {
      begin_cached(data, at, to);
    } else if (type == kFlatMicroBegin) {
      to.begin(clock_, static_cast<double>(load_value<std::uint64_t>(data + 13)),
               to.address_name(load_value<std::uint64_t>(data + 5)), at);
    } else {
      to.end(clock_, static_cast<double>(load_value<std::uint64_t>(data + 5)), at);
    }
  }

  // Which name a slot holds is decided by a hash of the writer's that is not known any more.
  void begin_cached(const std::byte* data, std::uint64_t at, ThreadLoad& to) {
    to.diagnostics.count(diagnostic::kNameCacheSlot, offset_of(at));
    std::string slot =
        fmt::format("name cache slot {}", load_value<std::uint16_t>(data + Places::kSlot));
    const std::size_t size = slot.size();
    slot.resize(size + 8);
    to.begin(clock_, load_value<double>(data + Places::kEndTime),
             to.name(reinterpret_cast<const std::byte*>(slot.data()), size), at);
  }

  const Input& input_;
  const DoubleClock& clock_;
  std::uint64_t window_bytes_;
  ThreadIndex index_;

  // Of the scan: places of records relative to the window's base, by thread.
  std::uint64_t offset_ = L.header_bytes, skip_at_ = 0;
  Pin scanned_pin_;
  bool at_end_ = false;
  std::vector<std::vector<std::uint32_t>> scanned_;
  std::vector<std::uint32_t> scanned_threads_;
  std::vector<ThreadKey> new_keys_;

  // Of the decoders.
  Pin work_pin_;
  std::vector<std::vector<std::uint32_t>> work_;
  std::vector<std::uint32_t> work_threads_;
};

}  // namespace

std::unique_ptr<EventReader> make_flat_reader(const FlatLayout& layout, const Input& input,
                                              const DoubleClock& clock,
                                              std::uint64_t window_bytes) {
  const auto made = [&]<const FlatLayout & L>() -> std::unique_ptr<EventReader> {
    return std::make_unique<FlatReader<L>>(input, clock, window_bytes);
  };
  if (&layout == &kV0A0) return made.template operator()<kV0A0>();
  if (&layout == &kV0A) return made.template operator()<kV0A>();
  if (&layout == &kV0ACache) return made.template operator()<kV0ACache>();
  if (&layout == &kV0B) return made.template operator()<kV0B>();
  if (&layout == &kV0C) return made.template operator()<kV0C>();
  return made.template operator()<kV1>();
}

std::string flat_args(const FlatLayout& layout, const Input& input, std::uint64_t offset) {
  const Pin pin = pinned(input, offset, kMostRecordBytes);
  if (!layout.has_args || pin.size() == 0) return {};
  const std::byte* data = pin.at(offset);
  const FlatRecord record = flat_record<kV1>(data, pin.size());
  if (record.kind != FlatKind::begin) return {};
  const std::size_t name_end =
      FlatPlaces<kV1>::kName + std::to_integer<std::size_t>(data[FlatPlaces<kV1>::kNameLength]);
  return {reinterpret_cast<const char*>(data) + name_end,
          static_cast<std::size_t>(record.size_bytes) - name_end};
}

}  // namespace cinderscope::spall
