#include "formats/spall/buffer_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <span>
#include <string>
#include <utility>

#include "formats/spall/buffer_layout.h"
#include "formats/spall/cut_mark.h"
#include "formats/spall/pinned.h"

namespace cinderscope::spall {
namespace {

// Scanned ahead in a round for each job: fewer, and workers wait for each other.
constexpr std::uint64_t kWindowsScanned = 2;
constexpr std::uint64_t kFewestBytes = 1u << 14;  // of a thread in a round
// At whether to go on: where the file has to come from a disk this takes a hundred times as long.
constexpr std::uint64_t kBytesBetweenLooks = 1u << 18;
constexpr std::uint64_t kMicroTimeMask = (std::uint64_t{1} << 56) - 1;

std::int64_t offset_of(std::uint64_t at) {
  return static_cast<std::int64_t>(at);
}

template <const BufferLayout& L>
class BufferReader : public EventReader {
 public:
  BufferReader(const Input& input, std::uint64_t header_bytes, const TickClock& clock,
               std::uint64_t window_bytes, unsigned jobs)
      : input_(input),
        clock_(clock),
        window_bytes_(std::max<std::uint64_t>(window_bytes, 1)),
        jobs_(jobs),
        offset_(header_bytes) {}

  void scan() override {
    const std::uint64_t round_bytes = jobs_ * kWindowsScanned * window_bytes_;
    if (work_threads_.size() > jobs_ && backlog_bytes_ > round_bytes) return;
    std::uint64_t left = round_bytes;
    while (!at_end() && left > 0) {
      const std::uint64_t before = offset_;
      if (searching_) {
        search(left);
      } else {
        scan_buffer();
      }
      left -= std::min(left, offset_ - before);
    }
  }

  const std::vector<std::uint32_t>& take_scanned() override {
    add_threads(new_keys_);
    new_keys_.clear();
    work_.resize(threads_.size());
    std::erase_if(work_threads_, [&](std::uint32_t thread) { return work_[thread].done(); });
    for (const auto& [thread, part] : scanned_) {
      Work& work = work_[thread];
      if (work.done()) {
        work = {};
        work_threads_.push_back(thread);
      }
      work.parts.push_back(part);
    }
    scanned_.clear();
    backlog_bytes_ = 0;
    for (const std::uint32_t thread : work_threads_) backlog_bytes_ += work_[thread].left_bytes();
    // The longest first: what is left for the end of a round is short.
    std::sort(work_threads_.begin(), work_threads_.end(), [&](std::uint32_t a, std::uint32_t b) {
      const std::uint64_t left_a = work_[a].left_bytes(), left_b = work_[b].left_bytes();
      return left_a != left_b ? left_a > left_b : a < b;
    });
    const std::uint64_t round_bytes = jobs_ * kWindowsScanned * window_bytes_;
    share_bytes_ = round_bytes / std::max<std::uint64_t>(1, work_threads_.size()) + 1;
    share_bytes_ = std::max(share_bytes_, std::min(window_bytes_, kFewestBytes));
    return work_threads_;
  }

  void decode(std::uint32_t thread, const std::atomic<bool>& cancelled) override {
    Work& work = work_[thread];
    std::uint64_t left = share_bytes_;
    while (left > 0 && !work.done() && !cancelled.load(std::memory_order_relaxed)) {
      Part& part = work.parts[work.next];
      const std::uint64_t before = part.begin;
      const std::uint64_t most = std::min(left, kBytesBetweenLooks);
      if (decode_part(part, most, *threads_[thread])) ++work.next;
      left -= std::min(left, part.begin - before + 1);
    }
  }

  bool at_end() const override { return at_end_ || error_; }
  std::uint64_t scanned_bytes() const override { return offset_; }
  std::uint64_t needed_from() const override {
    std::uint64_t from = offset_;
    for (const auto& [thread, part] : scanned_) from = std::min(from, part.begin);
    for (const std::uint32_t thread : work_threads_) {
      const Work& work = work_[thread];
      if (!work.done()) from = std::min(from, work.parts[work.next].begin);
    }
    return from;
  }

 private:
  // What is left of a buffer's records.
  struct Part {
    std::uint64_t begin = 0, end = 0;
  };
  struct Work {
    std::vector<Part> parts;
    std::size_t next = 0;
    bool done() const { return next == parts.size(); }
    std::uint64_t left_bytes() const { return parts.back().end - parts[next].begin; }  // about
  };

  void scan_buffer() {
    const std::uint64_t size_bytes =
        input_.wait_for(offset_ + L.buffer_header_bytes + kMostRecordBytes);
    if (offset_ >= size_bytes) {
      at_end_ = true;
    } else if (size_bytes - offset_ < L.buffer_header_bytes) {
      diagnostics_.count(diagnostic::kTruncatedBufferHead, offset_of(offset_));
      at_end_ = true;
    } else if (may_be_buffer(L, input_, offset_, false)) {
      take_buffer();
    } else {
      diagnostics_.count(diagnostic::kBadBuffer, offset_of(offset_));
      searching_ = true;
    }
  }

  void take_buffer() {
    const Result<Pin> pin = input_.pin(offset_, L.buffer_header_bytes);
    if (!pin) return fail(pin.error());
    const BufferHeader header = buffer_header(L, pin->at(offset_), offset_);
    const std::uint32_t thread = index_.find_or_add(header.thread);
    if (thread >= thread_count_) {
      ++thread_count_;
      new_keys_.push_back(header.thread);
    }
    if (header.begin != header.end) scanned_.push_back({thread, {header.begin, header.end}});
    offset_ = header.end;
  }

  // Looks at up to `most` offsets after the one where no buffer begins.
  void search(std::uint64_t most) {
    const std::uint64_t size_bytes = input_.wait_for(offset_ + most + L.buffer_header_bytes + 1);
    while (most-- > 0) {
      ++offset_;
      if (offset_ + L.buffer_header_bytes >= size_bytes) {
        offset_ = size_bytes;
        at_end_ = true;
        return;
      }
      if (may_be_buffer(L, input_, offset_, true)) {
        searching_ = false;
        return;
      }
    }
  }

  // Decodes about `most` bytes; true if that was all.
  bool decode_part(Part& part, std::uint64_t most, ThreadLoad& to) {
    const std::uint64_t stop = std::min(part.end, part.begin + most);
    const std::uint64_t wanted = std::min(part.end, stop + kMostRecordBytes);
    const Pin pin = pinned(input_, part.begin, wanted - part.begin);
    if (to.waits_for_next_time()) note_next_time(part, to);
    const bool clipped = pin.end() < wanted;  // the file ends within the buffer
    const std::uint64_t end = clipped ? pin.end() : part.end;
    bool sound = true;
    while (sound && part.begin < std::min(stop, end)) {
      if constexpr (L.micro) {
        sound = decode_micro(pin, part.begin, end, to);
      } else {
        sound = decode_records(pin, part.begin, std::min(stop, end), end, to);
      }
      if (!sound) sound = decode_other(pin, part, end, clipped, to);
    }
    if (clipped && sound && part.begin >= end) {
      to.diagnostics.count(diagnostic::kTruncated, offset_of(part.begin));
      return true;
    }
    return !sound || part.begin >= part.end;
  }

  void note_next_time(const Part& part, ThreadLoad& to) const {
    const std::uint64_t tick = first_tick(L, input_, part.begin - L.buffer_header_bytes);
    if (tick != 0) to.next_time(clock_, tick);
  }

  // The loop that nearly all records take: begins and ends that lie wholly before `end`. False at
  // the first of any other kind, which `at` then stands at.
  bool decode_records(const Pin& pin, std::uint64_t& at, std::uint64_t stop, std::uint64_t end,
                      ThreadLoad& to) {
    std::uint64_t position = at;
    bool sound = true;
    while (position < stop) {
      const std::byte* data = pin.at(position);
      const std::uint64_t left = end - position;
      if (data[0] == std::byte{kEnd} && left >= kBufferEndBytes) {
        to.end(clock_, load_value<std::uint64_t>(data + 1), position);
        position += kBufferEndBytes;
        continue;
      }
      if (data[0] != std::byte{kBegin} || left < L.begin_bytes) {
        sound = false;
        break;
      }
      const auto name_bytes = std::to_integer<std::size_t>(data[L.begin_bytes - 2]);
      const std::uint64_t size =
          L.begin_bytes + name_bytes + std::to_integer<std::uint64_t>(data[L.begin_bytes - 1]);
      if (left < size) {
        sound = false;
        break;
      }
      to.begin(clock_, load_value<std::uint64_t>(data + L.begin_time_at),
               to.name(data + L.begin_bytes, name_bytes), position);
      if (data[L.begin_bytes - 1] != std::byte{}) [[unlikely]] {
        to.has_args = true;
        const std::string_view said(
            reinterpret_cast<const char*>(data) + L.begin_bytes + name_bytes,
            static_cast<std::size_t>(size - L.begin_bytes - name_bytes));
        if (const auto whole = cut_mark_of(said)) {
          to.note_cut(*whole, clock_, load_value<std::uint64_t>(data + L.begin_time_at));
        }
      }
      position += size;
    }
    at = position;
    return sound;
  }

  bool decode_micro(const Pin& pin, std::uint64_t& at, std::uint64_t end, ThreadLoad& to) {
    const std::byte* data = pin.at(at);
    const std::uint64_t left = end - at;
    if (left < kMicroEndBytes) return false;
    const auto word = load_value<std::uint64_t>(data);
    if (word >> 56 == kMicroBegin && left >= kMicroBeginBytes) {
      to.begin(clock_, word & kMicroTimeMask, to.address_name(load_value<std::uint64_t>(data + 8)),
               at);
      at += kMicroBeginBytes;
      return true;
    }
    if (word >> 56 != kMicroEnd) return false;
    to.end(clock_, word & kMicroTimeMask, at);
    at += kMicroEndBytes;
    return true;
  }

  // A record that is rare or no record; false if the rest of the buffer cannot be read. The pin has
  // all of it.
  bool decode_other(const Pin& pin, Part& part, std::uint64_t end, bool clipped, ThreadLoad& to) {
    const std::byte* data = pin.at(part.begin);
    const RecordSize size = record_size(L, data, end - part.begin);
    const auto type = std::to_integer<std::uint8_t>(data[L.micro ? 7 : 0]);
    if (size.bytes != 0 && type == kPadSkip && !L.micro) {
      const std::uint64_t target = skip_target(L, input_, part.begin, part.end);
      if (target == 0) return report_cut(part, clipped, to);
      part.begin = target;
      return true;
    }
    if (size.bytes != 0) {
      GivenName& name = type == kNameThread ? to.thread_name : to.process_name;
      name.text.assign(reinterpret_cast<const char*>(data) + kNameEventBytes,
                       static_cast<std::size_t>(size.bytes - kNameEventBytes));
      name.offset = part.begin;
      name.changed = true;
      part.begin += size.bytes;
      return true;
    }
    if (size.cut) return report_cut(part, clipped, to);
    to.diagnostics.count(diagnostic::kUnknownRecord, offset_of(part.begin),
                         fmt::format("A record has type {}, which version {} does not have; the "
                                     "rest of its buffer was left out.",
                                     type, L.name));
    to.lose_rest();
    return false;
  }

  static bool report_cut(const Part& part, bool clipped, ThreadLoad& to) {
    if (clipped) {
      to.diagnostics.count(diagnostic::kTruncated, offset_of(part.begin));
    } else {
      to.diagnostics.count(diagnostic::kRecordOverEnd, offset_of(part.begin));
      to.lose_rest();
    }
    return false;
  }

  const Input& input_;
  const TickClock& clock_;
  std::uint64_t window_bytes_;
  unsigned jobs_;

  // Of the scan.
  std::uint64_t offset_;
  bool at_end_ = false;
  bool searching_ = false;  // no buffer begins at offset_
  ThreadIndex index_;
  std::uint32_t thread_count_ = 0;
  std::vector<std::pair<std::uint32_t, Part>> scanned_;
  std::vector<ThreadKey> new_keys_;

  // Of the decoders.
  std::vector<Work> work_;
  std::vector<std::uint32_t> work_threads_;
  std::uint64_t backlog_bytes_ = 0;
  std::uint64_t share_bytes_ = 1;  // of a thread in a round, so that a round never takes long
};

}  // namespace

std::unique_ptr<EventReader> make_buffer_reader(const BufferLayout& layout, const Input& input,
                                                std::uint64_t header_bytes, const TickClock& clock,
                                                std::uint64_t window_bytes, unsigned jobs) {
  const auto made = [&]<const BufferLayout & L>() -> std::unique_ptr<EventReader> {
    return std::make_unique<BufferReader<L>>(input, header_bytes, clock, window_bytes, jobs);
  };
  if (&layout == &kV2) return made.template operator()<kV2>();
  if (&layout == &kAuto) return made.template operator()<kAuto>();
  return made.template operator()<kV3>();
}

namespace {

// Of a begin that is no auto-tracing record's; empty if it has none.
std::string_view args_of(const BufferLayout& layout, const Pin& pin, std::uint64_t offset) {
  if (pin.size() == 0) return {};
  const std::byte* data = pin.at(offset);
  const RecordSize size = record_size(layout, data, pin.end() - offset);
  if (size.bytes == 0 || data[0] != std::byte{kBegin}) return {};
  const auto args_bytes = std::to_integer<std::size_t>(data[layout.begin_bytes - 1]);
  return {reinterpret_cast<const char*>(data) + size.bytes - args_bytes, args_bytes};
}

}  // namespace

RecordText buffer_record_text(const BufferLayout& layout, const Input& input,
                              std::uint64_t offset) {
  const Pin pin = pinned(input, offset, kMostRecordBytes);
  RecordText text;
  if (layout.micro) {
    const bool is_begin =
        pin.size() > 0 && record_size(layout, pin.at(offset), pin.size()).bytes == kMicroBeginBytes;
    if (!is_begin) return text;
    text.facts.emplace_back("caller",
                            fmt::format("{:#x}", load_value<std::uint64_t>(pin.at(offset) + 16)));
    return text;
  }
  const std::string_view args = args_of(layout, pin, offset);
  if (args.empty()) return text;
  text.args = parse_args(args);
  text.cut = cut_mark_of(args);
  if (text.cut) remove_cut_mark(text.args);
  return text;
}

std::optional<std::string_view> plain_buffer_args(const BufferLayout& layout, const Pin& pin,
                                                  std::uint64_t offset) {
  if (layout.micro) return std::nullopt;
  const std::string_view args = args_of(layout, pin, offset);
  return cut_mark_of(args) ? std::nullopt : std::optional(args);
}

}  // namespace cinderscope::spall
