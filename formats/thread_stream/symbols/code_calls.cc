#include "formats/thread_stream/symbols/code_calls.h"

#include <algorithm>
#include <map>

#include "formats/thread_stream/chunk_payload.h"
#include "formats/thread_stream/open_calls.h"
#include "formats/thread_stream/record_cursors.h"

namespace cinderscope::thread_stream {
namespace {

using UseCall = std::function<void(std::uint64_t, std::uint64_t, std::uint64_t)>;

// Of one stream, in order.
class CallFinder {
 public:
  CallFinder(const CodeNames& names, const UseCall& use) : names_(names), use_(use) {}

  template <class Cursor>
  void run(Cursor cursor, std::uint64_t place) {
    Record record;
    while (cursor.next(record)) {
      if (record.kind > kind::kClockStep) continue;
      if (record.kind == kind::kClockStep) {
        Cursor behind = cursor;
        Record value;
        if (!behind.next(value) || value.kind != kind::kValue) continue;
        offset_ += value.tick - record.tick;
      }
      last_ = std::max(last_, record.tick + offset_);
      if (record.kind == kind::kEnterAddress) {
        const std::uint64_t address = std::uint64_t{record.aux} << 32 | record.site;
        use_(place + record.at, address_key(address), snapshot());
      } else if (record.kind == kind::kEnterManaged) {
        use_(place + record.at, managed_key(record.aux, record.site), class_behind(cursor));
      }
    }
  }

 private:
  std::size_t snapshot() {
    if (last_ >= snapshot_end_) {
      snapshot_ = names_.snapshot_at(last_);
      snapshot_end_ = names_.snapshot_end(snapshot_);
    }
    return snapshot_;
  }
  template <class Cursor>
  static std::uint32_t class_behind(Cursor behind) {
    std::uint32_t token = 0;
    Record next;
    while (behind.next(next) && next.kind >= kind::kFirstAttachment) {
      if (next.kind == kind::kClass) token = next.site;
    }
    return token;
  }

  const CodeNames& names_;
  const UseCall& use_;
  std::uint64_t offset_ = 0, last_ = 0, snapshot_end_ = 0;
  std::size_t snapshot_ = 0;
};

}  // namespace

void for_each_code_call(const Input& input, const std::vector<Chunk>& chunks,
                        const CodeNames& names, const UseCall& use,
                        const std::atomic<bool>& cancelled) {
  std::map<std::uint32_t, std::vector<const Chunk*>> by_stream;
  for (const Chunk& chunk : chunks) {
    if (chunk.kind != kTableChunk) by_stream[chunk.stream].push_back(&chunk);
  }
  for (auto& [stream, its] : by_stream) {
    std::ranges::stable_sort(its, {}, &Chunk::sequence);
    CallFinder finder(names, use);
    for (const Chunk* chunk : its) {
      if (cancelled) return;
      const auto payload = read_again(input, *chunk);
      if (!payload) continue;
      if (chunk->kind == kEventsChunk) {
        finder.run(RawCursor(payload->bytes), chunk->place);
      } else {
        finder.run(PackedCursor(payload->bytes, chunk->first_tick), chunk->place);
      }
    }
  }
}

}  // namespace cinderscope::thread_stream
