#include "formats/spall/write/begin_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "formats/spall/spall_clock.h"
#include "formats/spall/spall_wire.h"
#include "formats/spall/write/thread_buffers.h"
#include "ingest/format/trace_source.h"
#include "ingest/part/cut_text.h"
#include "ingest/part/part_text.h"

namespace cinderscope::spall {
namespace {

constexpr std::uint64_t kMostTicks = kMostNs;  // at a nanosecond a tick

// In microseconds, as Google JSON has it.
std::string microseconds(std::int64_t ns) {
  const bool negative = ns < 0;
  const std::uint64_t all =
      negative ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
  std::string text = fmt::format("{}{}", negative ? "-" : "", all / 1000);
  if (all % 1000 == 0) return text;
  text += fmt::format(".{:03}", all % 1000);
  while (text.back() == '0') text.pop_back();
  return text;
}

// As they stand, where they are no object or were cut: a file that was written once is written so
// again.
std::string args_text(const RecordText& text) {
  const std::vector<ArgsNode>& nodes = text.args.nodes;
  const bool alone = text.facts.empty() && text.texts.empty() && text.stack.empty();
  const bool is_object = !nodes.empty() && nodes.front().kind == ArgsKind::object;
  if (alone && (!is_object || text.args.raw.ends_with("…"))) return text.args.raw;
  return args_json(text);
}

std::optional<PlainArgs> plain_args_of(const TraceSource& source) {
  const auto* has = dynamic_cast<const HasPlainArgs*>(&source);
  return has == nullptr ? std::nullopt : std::optional(has->plain_args());
}

bool reads_records(const PartReader& part) {
  const TraceSource* source = part.source();
  return source != nullptr && source->has_args() &&
         (part.options().args || source->has_categories());
}

class RecordMaker {
 public:
  RecordMaker(const PartReader& part, TickTime clock, BeginRecords& records)
      : part_(part), writer_(part, clock), records_(records) {}

  void make(std::span<const PartSlice> slices, bool reads) {
    if (reads) return make_all(slices);
    for (const PartSlice& slice : slices) append(slice, {});
  }
  bool read_plain() const { return read_plain_; }

 private:
  using Asked = TraceSource::RecordEnds;

  void make_all(std::span<const PartSlice> slices) {
    const TraceSource& source = *part_.source();
    const bool wants_args = part_.options().args;
    // First those that say arguments alone, which need not be taken apart.
    plain_.clear();
    std::vector<std::size_t> plain_ends(slices.size());
    std::vector<Asked> asked;
    std::vector<bool> is_asked(slices.size());
    for (std::size_t i = 0; i < slices.size(); ++i) {
      const PartSlice& slice = slices[i];
      const bool says = slice.record != kNoRecord || slice.end_record != kNoRecord;
      if (says && wants_args && slice.end_record == kNoRecord &&
          source.append_plain_args(slice.record, plain_)) {
        read_plain_ = true;
      } else if (says) {
        asked.push_back({slice.record, slice.end_record});
        is_asked[i] = true;
      }
      plain_ends[i] = plain_.size();
    }
    texts_.assign(asked.size(), {});
    if (wants_args) {
      source.describe_all(asked, texts_);
    } else if (source.has_categories()) {
      std::vector<std::string> categories(asked.size());
      source.categories_of(asked, categories);
      for (std::size_t i = 0; i < asked.size(); ++i) texts_[i].category = std::move(categories[i]);
    }
    std::size_t at = 0, next = 0;
    for (std::size_t i = 0; i < slices.size(); ++i) {
      const std::string_view plain = std::string_view(plain_).substr(at, plain_ends[i] - at);
      at = plain_ends[i];
      if (!is_asked[i]) {
        append(slices[i], plain);
        continue;
      }
      const RecordText& text = texts_[next++];
      if (!text.category.empty()) records_.losses.count(loss::kCategories, 1, slices[i].record);
      append(slices[i], wants_args ? args_text(text) : std::string());
    }
  }

  void append(const PartSlice& slice, std::string_view args) {
    writer_.append(slice, args, records_);
    records_.ends.push_back(records_.bytes.size());
  }

  const PartReader& part_;
  BeginWriter writer_;
  BeginRecords& records_;
  std::string plain_;
  std::vector<RecordText> texts_;
  bool read_plain_ = false;
};

}  // namespace

bool TickTime::to_tick(std::int64_t time, std::uint64_t& tick) const {
  tick = static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(first_time);
  if (tick <= kMostTicks) return false;
  tick = kMostTicks;
  return true;
}

void RecordBytes::grow(std::size_t bytes) {
  constexpr std::size_t kLeast = 1 << 16;
  bytes_.resize(std::max({kLeast, bytes_.size() * 2, size_ + bytes}));
}

void BeginWriter::append(const PartSlice& slice, std::string_view args, WrittenRecords& out) {
  if (slice.is_cut()) args = with_mark(slice, args);
  std::string cut_args, cut_name;
  if (args.size() > kMostTextBytes) [[unlikely]] {
    out.losses.count(loss::kCutArguments, 1, slice.record);
    args = cut_args = cut_text(args, kMostTextBytes);
  }
  std::string_view name = slice.name;
  if (name.size() > kMostTextBytes) [[unlikely]] {
    out.cut_names.emplace_back(slice.name_id, slice.record);
    name = cut_name = cut_text(name, kMostTextBytes);
  }
  std::uint64_t tick = 0;
  if (clock_.to_tick(slice.begin_ns, tick)) out.losses.count(kClampedTimes);
  out.losses.count_written_slice(slice.is_cut());
  constexpr std::size_t kHead = kV3.begin_bytes;
  char* to = out.bytes.add(kHead + name.size() + args.size());
  to[0] = static_cast<char>(kBegin);
  std::memcpy(to + kV3.begin_time_at, &tick, sizeof tick);
  to[kHead - 2] = static_cast<char>(name.size());
  to[kHead - 1] = static_cast<char>(args.size());
  std::memcpy(to + kHead, name.data(), name.size());
  if (!args.empty()) std::memcpy(to + kHead + name.size(), args.data(), args.size());
}

// The arguments of a slice that was cut also say where it was before, where there is room.
std::string_view BeginWriter::with_mark(const PartSlice& slice, std::string_view args) {
  const std::string mark =
      fmt::format("{{\"cut\":{{\"ts\":{},\"dur\":{}}}",
                  microseconds(slice.whole_begin_ns - part_.shift_ns() - clock_.first_time),
                  microseconds(slice.whole_end_ns - slice.whole_begin_ns));
  const bool is_object = args.starts_with('{') && args.ends_with('}');
  if (args.empty()) {
    args_ = mark + "}";
  } else if (is_object && mark.size() + args.size() <= kMostTextBytes) {
    args_ = mark;
    args_.append(args.size() > 2 ? "," : "").append(args.substr(1));
  } else {
    return args;
  }
  return args_;
}

void make_begin_records(const PartReader& part, TickTime clock, std::span<const PartSlice> slices,
                        BeginRecords& records) {
  RecordMaker maker(part, clock, records);
  maker.make(slices, reads_records(part));
  // Asked afterwards: the file may be written over while it is read.
  if (maker.read_plain() && !part.source()->records_are_same()) {
    records.clear();
    maker.make(slices, false);
  }
}

std::optional<ArgsOneByOne> ArgsOneByOne::of(const PartReader& part) {
  if (!reads_records(part)) return ArgsOneByOne(nullptr);
  if (!part.options().args) return std::nullopt;
  std::optional<PlainArgs> plain = plain_args_of(*part.source());
  if (!plain) return std::nullopt;
  ArgsOneByOne all(part.source());
  all.plain_.emplace(std::move(*plain));
  return all;
}

std::string_view ArgsOneByOne::args(const PartSlice& slice, LossReport& losses) {
  const bool says = slice.record != kNoRecord || slice.end_record != kNoRecord;
  if (source_ == nullptr || !says) return {};
  if (slice.end_record == kNoRecord) {
    if (const auto args = plain_->of(slice.record)) return *args;
  }
  const RecordText text = source_->describe(slice.record, slice.end_record);
  if (!text.category.empty()) losses.count(loss::kCategories, 1, slice.record);
  text_ = args_text(text);
  return text_;
}

bool ArgsOneByOne::is_same() {
  if (source_ != nullptr && !source_->records_are_same()) source_ = nullptr;
  return source_ != nullptr;
}

}  // namespace cinderscope::spall
