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

class RecordMaker {
 public:
  RecordMaker(const PartReader& part, TickTime clock, BeginRecords& records)
      : part_(part), clock_(clock), records_(records) {}

  void make(std::span<const PartSlice> slices, bool reads) {
    if (reads) return make_all(slices);
    for (const PartSlice& slice : slices) append(slice, with_mark(slice, {}));
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
        append(slices[i], slices[i].is_cut() ? with_mark(slices[i], std::string(plain)) : plain);
        continue;
      }
      const RecordText& text = texts_[next++];
      if (!text.category.empty()) records_.losses.count(loss::kCategories, 1, slices[i].record);
      append(slices[i], with_mark(slices[i], wants_args ? args_text(text) : std::string()));
    }
  }

  void append(const PartSlice& slice, std::string_view args) {
    std::string cut_args;
    if (args.size() > kMostTextBytes) {
      records_.losses.count(loss::kCutArguments, 1, slice.record);
      args = cut_args = cut_text(args, kMostTextBytes);
    }
    std::string cut_name;
    std::string_view name = slice.name;
    if (name.size() > kMostTextBytes) {
      records_.cut_names.emplace_back(slice.name_id, slice.record);
      name = cut_name = cut_text(name, kMostTextBytes);
    }
    std::uint64_t tick = 0;
    if (clock_.to_tick(slice.begin_ns, tick)) records_.losses.count(kClampedTimes);
    records_.losses.count_written_slice(slice.is_cut());
    std::array<char, kV3.begin_bytes> head;
    head[0] = static_cast<char>(kBegin);
    std::memcpy(head.data() + kV3.begin_time_at, &tick, sizeof tick);
    head[kV3.begin_bytes - 2] = static_cast<char>(name.size());
    head[kV3.begin_bytes - 1] = static_cast<char>(args.size());
    records_.bytes.append(head.data(), head.size()).append(name).append(args);
    records_.ends.push_back(records_.bytes.size());
  }

  // The arguments of a slice that was cut also say where it was before, where there is room.
  std::string_view with_mark(const PartSlice& slice, std::string args) {
    args_ = std::move(args);
    if (!slice.is_cut()) return args_;
    const std::string mark =
        fmt::format("{{\"cut\":{{\"ts\":{},\"dur\":{}}}",
                    microseconds(slice.whole_begin_ns - part_.shift_ns() - clock_.first_time),
                    microseconds(slice.whole_end_ns - slice.whole_begin_ns));
    const bool is_object = args_.starts_with('{') && args_.ends_with('}');
    if (args_.empty()) {
      args_ = mark + "}";
    } else if (is_object && mark.size() + args_.size() <= kMostTextBytes) {
      args_ = mark + (args_.size() > 2 ? "," : "") + args_.substr(1);
    }
    return args_;
  }

  const PartReader& part_;
  TickTime clock_;
  BeginRecords& records_;
  std::string plain_, args_;
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

void make_begin_records(const PartReader& part, TickTime clock, std::span<const PartSlice> slices,
                        BeginRecords& records) {
  const TraceSource* source = part.source();
  const bool reads =
      source != nullptr && source->has_args() && (part.options().args || source->has_categories());
  RecordMaker maker(part, clock, records);
  maker.make(slices, reads);
  // Asked afterwards: the file may be written over while it is read.
  if (maker.read_plain() && !source->records_are_same()) {
    records.clear();
    maker.make(slices, false);
  }
}

}  // namespace cinderscope::spall
