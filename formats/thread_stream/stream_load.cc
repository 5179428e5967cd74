#include "formats/thread_stream/stream_load.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "ingest/base/saturating.h"
#include "ingest/model/slice_chunk.h"

namespace cinderscope::thread_stream {
namespace {

constexpr std::int64_t kMostStepBackNs = 100'000;
constexpr std::uint64_t kPieceBytes = 1u << 16;  // between two looks at whether it was cancelled

}  // namespace

void StreamLoad::decode(std::uint64_t share, const std::atomic<bool>& cancelled) {
  const std::uint64_t before = left_work();
  while (!done() && before - left_work() < share && !cancelled.load(std::memory_order_relaxed)) {
    if (!in_chunk_ && !begin_chunk()) continue;
    const std::uint64_t stop = std::min(share, kPieceBytes);
    if (chunk_->kind == kEventsChunk) {
      run(raw_, raw_.at() + stop * kRawToPacked);
      if (raw_.ended()) end_chunk();
    } else {
      run(packed_, packed_.at() + stop);
      if (packed_.ended()) end_chunk();
    }
  }
}

// Without an end of their own.
void StreamLoad::close_all(std::int64_t time_ns) {
  for (std::size_t i = open_.depth(); i > 0; --i) {
    const std::uint8_t cut = take_cut(i, INT64_MAX);
    writer_->end(time_ns, kNoName, kNoRecord, kNoRecord,
                 static_cast<std::uint8_t>(kUnfinished | cut));
  }
  open_.clear();
}

template <class Cursor>
void StreamLoad::run(Cursor& at, std::uint64_t stop) {
  Cursor cursor = at;
  Record record;
  std::uint64_t read = 0;
  while (cursor.at() < stop && cursor.next(record)) {
    ++read;
    switch (record.kind) {
      case kind::kEnter: {
        if (!keeps(record)) break;
        const std::int64_t time_ns = time_of(record.tick, record.at);
        open_.push(site_key(record.site));
        writer_->begin(time_ns, site_name(record.site, record.at), chunk_->place + record.at);
        break;
      }
      case kind::kExit:
        if (!keeps(record)) break;
        exit(record, site_key(record.site), record.site != 0,
             cursor.may_be_attachment() && has_data(cursor));
        break;
      default: {
        // Of copies, so that both can stay in registers.
        const Record rare = record;
        const Cursor behind = cursor;
        other(rare, behind);
      }
    }
    if (owner_ == Owner::left_out) [[unlikely]] {
      const bool left_out = record.kind < kind::kFirstPrivate;
      read -= left_out ? 1 : 0;
    }
  }
  counts.records += read;
  found_ += read;
  at = cursor;
}

// Whether a timed record is good; sets whom the attachments behind it belong to.
inline bool StreamLoad::keeps(const Record& record) {
  owner_ = Owner::kept;
  if (checks_ticks_ && (record.tick < chunk_->first_tick || record.tick > chunk_->last_tick))
      [[unlikely]] {
    owner_ = Owner::left_out;
    return false;
  }
  return true;
}

inline std::int64_t StreamLoad::time_of(std::uint64_t tick, std::uint64_t at) {
  const std::uint64_t effective = tick + offset_;
  if (has_time_ && effective < last_) [[unlikely]] {
    // Less is a handler that came in between, or two cores a little apart.
    if (last_ns_ - clock_.ns(effective) > kMostStepBackNs)
      odd.count(Oddity::clock_back, odd_at(at));
    return last_ns_;
  }
  if (!has_time_) [[unlikely]] {
    has_time_ = true;
    first_ = effective;
  }
  last_ = effective;
  last_ns_ = clock_.ns(effective);
  return last_ns_;
}

[[gnu::always_inline]] inline void StreamLoad::exit(const Record& record, std::uint64_t key,
                                                    bool with_key, bool with_data) {
  const std::int64_t time_ns = time_of(record.tick, record.at);
  const bool usual = with_key ? open_.innermost_is(key) : open_.depth() > 0;
  if (!usual && !unwind(record.at, with_key ? open_.above(key) : SIZE_MAX)) [[unlikely]]
    return;
  const std::uint64_t place = chunk_->place + record.at;
  const std::uint8_t cut = take_cut(open_.depth(), time_ns);
  open_.pop();
  writer_->end(time_ns, kNoName, place, with_data ? place : kNoRecord, cut);
}

// Ends the calls that an exception or a jump left; SIZE_MAX: none is meant by the exit.
bool StreamLoad::unwind(std::uint64_t at, std::size_t above) {
  if (above == SIZE_MAX) {
    odd.count(Oddity::stray_end, odd_at(at));
    return false;
  }
  odd.count(Oddity::unwound, odd_at(at), above);
  for (std::size_t i = 0; i < above; ++i) {
    const std::uint8_t cut = take_cut(open_.depth(), last_ns_);
    open_.pop();
    writer_->end(last_ns_, kNoName, chunk_->place + at, kNoRecord, cut);
  }
  return true;
}

void StreamLoad::note_cut(const Record& argument) {
  const std::uint32_t key = argument.site & ((1u << kArgKeyBits) - 1);
  if (static_cast<ArgType>(argument.site >> kArgKeyBits) != ArgType::i64 || open_.depth() == 0) {
    return;
  }
  const auto text = around_->tables.string(key);
  const auto value = static_cast<std::int64_t>(argument.tick);
  if (text == kCutBeginKey) {
    cut_calls_.push_back({open_.depth(), last_ns_, value, std::nullopt});
  } else if (text == kCutDurationKey && !cut_calls_.empty() &&
             cut_calls_.back().depth == open_.depth()) {
    cut_calls_.back().whole_duration_ns = value;
  }
}

// Which sides of the innermost call were cut, which now ends.
inline std::uint8_t StreamLoad::take_cut(std::size_t depth, std::int64_t end_ns) {
  std::uint8_t flags = 0;
  while (!cut_calls_.empty() && cut_calls_.back().depth >= depth) [[unlikely]] {
      const CutCall call = cut_calls_.back();
      cut_calls_.pop_back();
      if (call.depth != depth || !call.whole_duration_ns) continue;
      if (call.whole_begin_ns < call.begin_ns) flags |= kCutBegin;
      if (saturating_sum(call.whole_begin_ns, *call.whole_duration_ns) > end_ns) flags |= kCutEnd;
    }
  return flags;
}

template <class Cursor>
void StreamLoad::other(const Record& record, const Cursor& behind) {
  if (record.kind >= kind::kFirstAttachment) return attachment(record, behind);
  if (record.kind > kind::kClockStep) {
    odd.count(Oddity::unknown_record, odd_at(record.at));
    owner_ = Owner::dropped;
    return;
  }
  if (!keeps(record)) return;
  const std::uint64_t address = std::uint64_t{record.aux} << 32 | record.site;
  const std::uint64_t place = chunk_->place + record.at;
  std::uint64_t value = 0;
  switch (record.kind) {
    case kind::kEnterAddress: {
      const std::int64_t time_ns = time_of(record.tick, record.at);
      open_.push(address_key(address));
      writer_->begin(time_ns, address_name(address), place);
      return;
    }
    case kind::kEnterManaged: {
      const std::int64_t time_ns = time_of(record.tick, record.at);
      open_.push(managed_key(record.aux, record.site));
      writer_->begin(time_ns, managed_name(record.aux, record.site, class_behind(behind)), place);
      return;
    }
    case kind::kExitAddress:
      return exit(record, address_key(address), address != 0, has_data(behind));
    case kind::kExitManaged:
      return exit(record, managed_key(record.aux, record.site), record.site != 0, has_data(behind));
    case kind::kInstant:
      around_->out.instant(thread_, time_of(record.tick, record.at),
                           site_name(record.site, record.at), place);
      return;
    default:
      break;
  }
  if (!take_value(behind, value)) {
    odd.count(Oddity::bad_record, odd_at(record.at));
    owner_ = Owner::dropped;
    return;
  }
  if (record.kind == kind::kResume) return resume(record, value + offset_);
  if (record.kind == kind::kClockStep) {
    offset_ += value - record.tick;
    ++counts.clock_steps;
    note_offset(place);
    time_of(record.tick, record.at);
    return;
  }
  const std::int64_t time_ns = time_of(record.tick, record.at);
  const StringId name = site_name(record.site, record.at);
  if (record.kind == kind::kCounter) {
    counters.push_back({time_ns, name, std::bit_cast<double>(value)});
    return;
  }
  auto& events = record.kind == kind::kFlow ? flow_events : async_events;
  events.push_back({.tick = last_,
                    .id = value,
                    .time_ns = time_ns,
                    .place = place,
                    .odd_at = odd_at(record.at),
                    .name = name,
                    .thread = thread_,
                    .kind = record.kind,
                    .aux = record.aux});
}

void StreamLoad::resume(const Record& record, std::uint64_t paused) {
  const bool had_time = has_time_;
  const std::uint64_t before = last_;
  const std::int64_t time_ns = time_of(record.tick, record.at);
  if (had_time) paused = std::max(paused, before);
  const std::int64_t paused_ns = clock_.ns(std::min(paused, last_));
  close_all(paused_ns);
  ++counts.gaps;
  gaps.push_back({paused_ns, time_ns});
}

template <class Cursor>
void StreamLoad::attachment(const Record& record, const Cursor& behind) {
  if (record.kind >= kind::kFirstPrivate || owner_ == Owner::left_out) return;
  if (record.kind > kind::kValue) {
    odd.count(Oddity::unknown_record, odd_at(record.at));
    return;
  }
  if (record.kind == kind::kCont || owner_ == Owner::dropped) return;
  if (owner_ == Owner::none) {
    odd.count(Oddity::stray_attachment, odd_at(record.at));
    return;
  }
  if (record.kind != kind::kArg && record.kind != kind::kStack) return;
  if (!has_conts(behind, record.aux)) {
    odd.count(Oddity::bad_record, odd_at(record.at));
  } else if (record.kind == kind::kArg) {
    ++counts.args;
    note_cut(record);
  } else {
    ++counts.stacks;
    counts.frames += record.aux / 8;
  }
}

template <class Cursor>
bool StreamLoad::take_value(Cursor behind, std::uint64_t& value) {
  Record next;
  if (!behind.next(next) || next.kind != kind::kValue) return false;
  value = next.tick;
  return true;
}

// Whether arguments or a stack belong to the record before.
template <class Cursor>
bool StreamLoad::has_data(Cursor behind) const {
  Record next;
  while (behind.next(next)) {
    if (next.kind < kind::kFirstAttachment) return false;
    if (next.kind == kind::kArg || next.kind == kind::kStack) return true;
  }
  return next_chunk_begins_with_data();
}

template <class Cursor>
bool StreamLoad::has_conts(Cursor behind, std::uint64_t bytes) {
  Record next;
  for (std::uint64_t have = kFirstValueBytes; have < bytes; have += kContBytes) {
    if (!behind.next(next) || next.kind != kind::kCont) return false;
  }
  return true;
}

// Of several in the chunk the last one holds; 0: none.
template <class Cursor>
std::uint32_t StreamLoad::class_behind(Cursor behind) {
  std::uint32_t token = 0;
  Record next;
  while (behind.next(next)) {
    if (next.kind < kind::kFirstAttachment) break;
    if (next.kind == kind::kClass) token = next.site;
  }
  return token;
}

inline StringId StreamLoad::site_name(std::uint32_t site, std::uint64_t at) {
  if (site < around_->near_sites.size()) [[likely]] {
    const StringId name = around_->near_sites[site];
    if (name != kNoName) [[likely]]
      return name;
  }
  return far_site_name(site, at);
}

// Streams that grow are read by it, too.
template void StreamLoad::run(RawCursor& cursor, std::uint64_t stop);

}  // namespace cinderscope::thread_stream
