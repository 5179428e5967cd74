#include "tests/support/dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "ingest/base/utf8.h"

namespace cinderscope {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Utf8Char next = first_char(text);
    if (next.code == '\\') {
      out += "\\\\";
    } else if (!next.valid || next.code < 0x20 || next.code == 0x7f) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    } else {
      out += text.substr(0, next.size);
    }
    text.remove_prefix(next.size);
  }
  return out;
}

class Dump {
 public:
  Dump(const Timeline& timeline, const TraceSource* source)
      : timeline_(timeline), source_(source) {}

  std::string text() {
    if (timeline_.axis == TimeAxis::events) line("axis events");
    if (timeline_.show_ns_unit) line("unit ns");
    for (const TraceNote& note : timeline_.notes) {
      line("note {}: {}", escaped(note.key), escaped(note.text));
    }
    for (const Process& process : timeline_.processes) {
      line("process {}{}{}{}", text_of(process.pid), quoted("name", process.name),
           quoted("labels", process.labels), sorted(process.sort_index));
    }
    for (const Thread& thread : timeline_.threads) {
      line("thread {}{}{}", thread_text(thread), quoted("name", thread.name),
           sorted(thread.sort_index));
    }
    for (const Track& track : timeline_.tracks) add_track(track);
    add_flows();
    for (const auto& pauses : timeline_.pauses) {
      line("pauses of {}", text_of(timeline_.processes[index(pauses->process())].pid));
      for (const Pause& pause : pauses->all()) line("  {} to {}", pause.begin_ns, pause.end_ns);
    }
    line(
        "totals slices={} unfinished={} overlapping={} instants={} async={}/{} samples={} "
        "records={}",
        timeline_.slice_count, timeline_.unfinished_count, timeline_.overlapping_count,
        timeline_.instant_count, timeline_.async_slice_count, timeline_.async_unfinished_count,
        timeline_.sample_count, timeline_.record_count);
    line("range {} to {}, slices {} to {}", timeline_.begin_ns, timeline_.end_ns,
         timeline_.slices_begin_ns, timeline_.slices_end_ns);
    for (const DataGap& gap : timeline_.gaps) add_gap(gap);
    for (const auto& [code, diagnostic] : timeline_.diagnostics.by_code()) {
      line("diagnostic {} x{} @{}: {}", code, diagnostic.count, diagnostic.first_offset,
           escaped(diagnostic.text));
    }
    return std::move(out_);
  }

 private:
  struct Placed {
    Slice slice;
    std::size_t row;
    const DeferredChildren* deferred;
  };

  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Values>(values)...);
    out_ += '\n';
  }

  std::string text_of(StringId id) const { return escaped(timeline_.text(id)); }
  std::string thread_text(const Thread& thread) const {
    return text_of(timeline_.processes[index(thread.process)].pid) + "/" + text_of(thread.tid);
  }
  std::string quoted(std::string_view key, StringId id) const {
    return id == kEmptyString ? std::string() : fmt::format(" {} \"{}\"", key, text_of(id));
  }
  static std::string sorted(double sort_index) {
    return sort_index == 0 ? std::string() : fmt::format(" sort {}", sort_index);
  }

  std::string described(const Slice& slice) const {
    if (source_ == nullptr || slice.record == kNoRecord) return {};
    const RecordText record = source_->describe(slice.record, slice.end_record);
    std::string text;
    if (!record.category.empty()) text += fmt::format(" category \"{}\"", escaped(record.category));
    if (record.cpu_ns) text += fmt::format(" cpu {}", *record.cpu_ns);
    for (const auto& [key, value] : record.facts) {
      text += fmt::format(" {}={}", escaped(key), escaped(value));
    }
    if (!record.args.raw.empty()) text += fmt::format(" args {}", escaped(record.args.raw));
    for (const LongText& long_text : record.texts) {
      text += fmt::format(" {}: {}", long_text.title, escaped(long_text.text));
    }
    for (const std::string& call : record.stack) text += fmt::format(" <- {}", escaped(call));
    return text;
  }

  void add_slice(const Placed& placed) {
    const Slice& slice = placed.slice;
    line("{:{}}{} +{} {}{}{}{}{}", "", 2 + 2 * placed.row, slice.begin_ns, slice.duration_ns,
         escaped(display_name(timeline_, slice.name)),
         (slice.flags & kUnfinished) != 0 ? " [unfinished]" : "",
         (slice.flags & kOverlapping) != 0 ? " [overlapping]" : "",
         placed.deferred == nullptr ? std::string()
                                    : fmt::format(" [{} deferred]", placed.deferred->count),
         described(slice));
  }

  void add_gap(const DataGap& gap) {
    const std::string end =
        gap.end_ns == DataGap::kToTheEnd ? "the end" : fmt::to_string(gap.end_ns);
    std::string of;
    if (gap.file != kNoFile) of = fmt::format(" of file {}", gap.file);
    if (gap.thread != kNoThread) {
      of = " of " + thread_text(timeline_.threads[index(gap.thread)]);
    }
    line("gap{} {} to {}", of, gap.begin_ns, end);
  }

  void add_slices(const Track& track) {
    const SliceBlock& block = track.root();
    std::vector<Placed> all;
    for (std::size_t row = 0; row < block.rows.size(); ++row) {
      for (std::uint64_t i = 0; i < block.rows[row].count(); ++i) {
        all.push_back({block.rows[row].slice(i), row, nullptr});
        for (const DeferredChildren& deferred : block.deferred) {
          if (deferred.row == row && deferred.slice == i) all.back().deferred = &deferred;
        }
      }
    }
    std::stable_sort(all.begin(), all.end(), [](const Placed& a, const Placed& b) {
      return a.slice.begin_ns < b.slice.begin_ns;
    });
    for (const Placed& placed : all) add_slice(placed);
  }

  void add_track(const Track& track) {
    const std::string process = text_of(timeline_.processes[index(track.process)].pid);
    const std::string owner =
        track.thread == kNoThread ? process : thread_text(timeline_.threads[index(track.thread)]);
    static constexpr const char* kKinds[] = {"slices", "async",     "samples", "counter",
                                             "calls",  "lifetimes", "marks"};
    line("{} of {}{}", kKinds[static_cast<int>(track.kind)], owner, quoted("named", track.name));
    add_slices(track);
    std::vector<Slice> instants;
    const auto add_row = [&](const SliceRow& row) {
      for (std::uint64_t i = 0; i < row.count(); ++i) instants.push_back(row.slice(i));
    };
    add_row(track.instants);
    for (const SliceRow& row : track.root().nested_instants) add_row(row);
    if (!track.root().nested_instants.empty()) {
      std::stable_sort(instants.begin(), instants.end(), [](const Slice& a, const Slice& b) {
        return std::pair(a.begin_ns, a.record) < std::pair(b.begin_ns, b.record);
      });
    }
    for (const Slice& instant : instants) {
      line("  {} instant {}{}", instant.begin_ns, escaped(display_name(timeline_, instant.name)),
           described(instant));
    }
    for (const CounterSeries& series : track.series) {
      for (std::size_t i = 0; i < series.time_ns.size(); ++i) {
        line("  {} {} = {}", series.time_ns[i], text_of(series.name), series.value[i]);
      }
    }
  }

  void add_flows() {
    const Flows& flows = *timeline_.flows;
    for (std::size_t number = 0; number < flows.flows.size(); ++number) {
      const Flow flow = flows.flows[number];
      line("flow{}{}", quoted("named", flow.name), flow.by_bind_id ? " by bind_id" : "");
      for (std::uint64_t i = flows.points_of(number).first; i < flows.points_of(number).end; ++i) {
        const FlowPoint point = flow_point(timeline_, i);
        if (point.track == kNoTrack) {
          line("  {} unbound", point.time_ns);
          continue;
        }
        const Track& track = timeline_.tracks[index(point.track)];
        const Slice slice = track.root().rows[point.row].slice(point.slice);
        line("  {} in {} of {}", point.time_ns, escaped(display_name(timeline_, slice.name)),
             track.thread == kNoThread ? text_of(track.name)
                                       : thread_text(timeline_.threads[index(track.thread)]));
      }
    }
  }

  const Timeline& timeline_;
  const TraceSource* source_;
  std::string out_;
};

}  // namespace

std::string dump(const Timeline& timeline, const TraceSource* source) {
  return Dump(timeline, source).text();
}

}  // namespace cinderscope
