#include "formats/thread_stream/symbols/code_addresses.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

#include "formats/thread_stream/chunk_payload.h"
#include "formats/thread_stream/record_cursors.h"
#include "ingest/base/parallel.h"

namespace cinderscope::thread_stream {
namespace {

constexpr std::uint64_t kMostAddresses = 8'000'000;

// Those of one stream. What a load leaves out is looked up all the same.
class StreamAddresses {
 public:
  StreamAddresses(const CodeNames& names, std::atomic<std::uint64_t>& left)
      : names_(names), left_(left) {}

  void read(const Chunk& chunk, const Payload& payload) {
    if (chunk.kind == kEventsChunk) {
      run(RawCursor(payload.bytes));
    } else {
      run(PackedCursor(payload.bytes, chunk.first_tick));
    }
  }

  template <class Use>
  void for_each(Use use) const {
    for (const auto& [snapshot, addresses] : found_) {
      for (const std::uint64_t address : addresses) use(address, snapshot);
    }
  }
  bool cut() const { return cut_; }

 private:
  template <class Cursor>
  void run(Cursor cursor) {
    Record record;
    while (cursor.next(record)) {
      if (record.kind == kind::kStack) {
        take_stack(record, cursor);
      } else if (record.kind < kind::kFirstAttachment) {
        take_timed(record, cursor);
      }
    }
  }

  template <class Cursor>
  void take_timed(const Record& record, Cursor behind) {
    if (record.kind > kind::kClockStep) return;
    Record value;
    if (record.kind == kind::kClockStep) {
      if (!behind.next(value) || value.kind != kind::kValue) return;
      offset_ += value.tick - record.tick;
    }
    tick_ = record.tick + offset_;
    last_ = std::max(last_, tick_);  // as times are moved up
    if (record.kind == kind::kEnterAddress) {
      add(std::uint64_t{record.aux} << 32 | record.site, last_);
    }
  }

  template <class Cursor>
  void take_stack(const Record& head, Cursor behind) {
    if ((head.site & 0xff) != kNativeStack) return;
    bytes_.resize(head.aux);
    std::memcpy(bytes_.data(), &head.tick, std::min<std::size_t>(kFirstValueBytes, head.aux));
    for (std::size_t at = kFirstValueBytes; at < bytes_.size(); at += kContBytes) {
      Record cont;
      if (!behind.next(cont) || cont.kind != kind::kCont) return;
      std::byte data[kRecordBytes];
      std::memcpy(data, &cont.tick, 8);
      std::memcpy(data + 8, &cont.site, 4);
      std::memcpy(data + 12, &cont.aux, 2);
      std::memcpy(bytes_.data() + at, data, std::min<std::size_t>(kContBytes, bytes_.size() - at));
    }
    for (std::size_t at = 0; at + 8 <= bytes_.size(); at += 8) {
      const bool is_counter = at == 0 && (head.site & kBeginsWithCounter) != 0;
      add(load_value<std::uint64_t>(bytes_.data() + at) - (is_counter ? 0 : 1), tick_);
    }
  }

  void add(std::uint64_t address, std::uint64_t tick) {
    if (tick < snapshot_begin_ || tick >= snapshot_end_) {
      snapshot_ = names_.snapshot_at(tick);
      snapshot_begin_ = names_.snapshot_begin(snapshot_);
      snapshot_end_ = names_.snapshot_end(snapshot_);
      addresses_ = &found_[snapshot_];
      recent_.fill(0);
    }
    std::uint64_t& recent = recent_[(address >> 2) % recent_.size()];
    if (recent == address) return;
    recent = address;
    if (addresses_->contains(address)) return;
    if (left_.load(std::memory_order_relaxed) == 0) {
      cut_ = true;
      return;
    }
    left_.fetch_sub(1, std::memory_order_relaxed);
    addresses_->insert(address);
  }

  const CodeNames& names_;
  std::atomic<std::uint64_t>& left_;
  std::map<std::size_t, std::unordered_set<std::uint64_t>> found_;  // by snapshot
  std::unordered_set<std::uint64_t>* addresses_ = nullptr;
  std::array<std::uint64_t, 4096> recent_{};
  std::size_t snapshot_ = 0;
  std::uint64_t snapshot_begin_ = 1, snapshot_end_ = 0;  // none yet
  std::uint64_t offset_ = 0, tick_ = 0, last_ = 0;
  bool cut_ = false;
  std::vector<std::byte> bytes_;
};

}  // namespace

Result<CodeAddresses> code_addresses(const Input& input, const std::vector<Chunk>& chunks,
                                     const CodeNames& names, const LoadContext& context) {
  std::map<std::uint32_t, std::vector<const Chunk*>> by_stream;
  for (const Chunk& chunk : chunks) {
    if (chunk.kind != kTableChunk) by_stream[chunk.stream].push_back(&chunk);
  }
  std::vector<std::vector<const Chunk*>> streams;
  for (auto& [stream, its] : by_stream) {
    std::ranges::stable_sort(its, {}, &Chunk::sequence);
    streams.push_back(std::move(its));
  }
  std::vector<std::set<Tables::Address>> places(streams.size());
  std::vector<std::uint64_t> outside(streams.size());
  std::atomic<std::uint64_t> left{kMostAddresses};
  std::atomic<bool> cut{false};
  parallel_for(streams.size(), context.jobs(), [&](std::size_t i) {
    StreamAddresses addresses(names, left);
    OddityCounts ignored;
    for (const Chunk* chunk : streams[i]) {
      if (context.cancelled()) return;
      if (const auto payload = read_payload(input, *chunk, ignored))
        addresses.read(*chunk, *payload);
    }
    if (addresses.cut()) cut = true;
    addresses.for_each([&](std::uint64_t address, std::size_t snapshot) {
      const auto place = names.place(address, snapshot);
      if (place) {
        places[i].insert(*place);
      } else {
        ++outside[i];
      }
    });
  });
  if (context.cancelled()) return Error{ErrorCode::cancelled, "It was cancelled.", {}};
  std::set<Tables::Address> all;
  CodeAddresses found{.cut = cut};
  for (std::size_t i = 0; i < streams.size(); ++i) {
    all.merge(places[i]);
    found.outside += outside[i];
  }
  for (const Tables::Address& place : all) {
    if (found.modules.empty() || found.modules.back().module != place.module) {
      found.modules.push_back({.module = place.module});
    }
    found.modules.back().addresses.push_back(place.elf);
  }
  return found;
}

}  // namespace cinderscope::thread_stream
