#include "formats/cpuprofile/cpuprofile_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ingest/base/decimal_time.h"
#include "ingest/base/fields.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/base/json/raw_json.h"
#include "ingest/base/number_text.h"
#include "ingest/base/saturating.h"
#include "ingest/build/profile/profile_diagnostics.h"
#include "ingest/build/profile/weight_layout.h"

namespace cinderscope::cpuprofile {
namespace {

constexpr std::size_t kNodeBytes = 64u << 10;  // of a node that are read to describe it
constexpr std::size_t kDescribedNodes = 64;    // of one call
constexpr std::size_t kTimeWeight = 0, kSampleWeight = 1;

const std::vector<Weight>& timed_weights() {
  static const std::vector<Weight> kWeights = {{"time", "nanoseconds"}, {"samples", "samples"}};
  return kWeights;
}

std::int64_t clamped_sum(std::int64_t a, std::int64_t b) {
  return std::clamp(saturating_sum(a, b), -kMaxTimeNs, kMaxTimeNs);
}

// How long a profile lasted, as far as it says so.
struct ProfileSpan {
  std::optional<std::int64_t> begin_ns, end_ns;
};

ProfileSpan span_of(const ReadProfile& profile) {
  // The old form counts in seconds.
  const int power = profile.is_nested ? 9 : 3;
  const auto time = [&](const std::string& text) -> std::optional<std::int64_t> {
    const auto read = time_from_decimal(text, power);
    if (!read) return std::nullopt;
    return read->ns;
  };
  return {time(profile.start_text), time(profile.end_text)};
}

// Samples without times lie evenly in the span; false: there is none, and they are numbered.
bool spread_samples(ReadProfile& profile, const ProfileSpan& span) {
  std::uint64_t hits = 0;
  for (const std::int64_t weight : profile.node_weight) {
    hits += static_cast<std::uint64_t>(std::max<std::int64_t>(weight, 0));
  }
  const std::uint64_t parts = std::max<std::uint64_t>(profile.calls.sample_count(), hits);
  if (!span.begin_ns || !span.end_ns) {
    for (std::size_t i = 0; i < profile.calls.sample_count(); ++i) {
      profile.calls.set_sample_time(i, static_cast<std::int64_t>(i));
    }
    return false;
  }
  __extension__ using Wide = unsigned __int128;
  const auto length =
      static_cast<Wide>(std::max<std::int64_t>(clamped_sum(*span.end_ns, -*span.begin_ns), 0));
  for (std::size_t i = 0; i < profile.calls.sample_count(); ++i) {
    const auto after = static_cast<std::int64_t>(length * i / parts);
    profile.calls.set_sample_time(i, clamped_sum(*span.begin_ns, after));
  }
  return true;
}

// Returns how many samples have a time; the others come to nothing.
std::size_t place_samples(ReadProfile& profile, const ProfileSpan& span) {
  const std::vector<std::int64_t>& times =
      profile.has_timestamps ? profile.timestamps_ns : profile.deltas_ns;
  const std::size_t count = std::min(times.size(), profile.calls.sample_count());
  std::int64_t now_ns = span.begin_ns.value_or(0);
  for (std::size_t i = 0; i < count; ++i) {
    now_ns = profile.has_timestamps ? times[i] : clamped_sum(now_ns, times[i]);
    profile.calls.set_sample_time(i, now_ns);
  }
  return count;
}

std::string place_text(const NodeFields& fields, bool counts_from_1) {
  std::string text = json::text_of(fields.url);
  for (const std::string_view raw : {fields.line, fields.column}) {
    const auto number = parse_number<std::int64_t>(raw);
    if (!number || *number < 0) break;
    text += fmt::format("{}{}", text.empty() ? "line " : ":", *number + (counts_from_1 ? 0 : 1));
  }
  return text;
}

// What all nodes of one call say together.
struct CallText {
  NodeFields first;
  std::uint64_t hits = 0;
  std::map<std::int64_t, std::uint64_t> ticks_by_line;
  std::string deopt_reason;
};

void add_ticks(std::string_view ticks, CallText& out) {
  json::MemberReader reader(ticks);
  while (reader.next()) {
    const auto line = parse_number<std::int64_t>(json::member(reader.value(), "line"));
    const auto count = parse_number<std::uint64_t>(json::member(reader.value(), "ticks"));
    if (line && count) out.ticks_by_line[*line] += *count;
  }
}

// The lines with most samples first.
std::string lines_text(const CallText& call) {
  std::vector<std::pair<std::int64_t, std::uint64_t>> lines(call.ticks_by_line.begin(),
                                                            call.ticks_by_line.end());
  std::ranges::stable_sort(lines, std::ranges::greater(),
                           &std::pair<std::int64_t, std::uint64_t>::second);
  constexpr std::size_t kShownLines = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), kShownLines); ++i) {
    text += fmt::format("{}{} ({})", i == 0 ? "" : ", ", lines[i].first, lines[i].second);
  }
  if (lines.size() > kShownLines) text += fmt::format(", {} more", lines.size() - kShownLines);
  return text;
}

}  // namespace

Status CpuprofileSource::load(TimelineBuilder& out, LoadContext& context) {
  Result<InputText> text = InputText::of(input_);
  if (!text) return text.error();
  text_ = std::move(*text);
  context.set_total_bytes(text_.text().size());
  ReadProfile profile(*out.strings());
  bool cancelled = false;
  const auto go_on = [&](std::uint64_t offset) {
    cancelled = !context.tick(out, offset);
    return !cancelled;
  };
  read_profile(text_.text(), go_on, profile);
  if (cancelled) return Error{ErrorCode::cancelled, "Loading was cancelled."};
  if (profile.cut && !text_.stream_cut()) {
    out.diagnostics().count(profile_diagnostic::kCutProfile,
                            static_cast<std::int64_t>(profile.end_offset));
  }
  if (profile.calls.node_count() == 0) {
    return Error{ErrorCode::damaged, "This profile of V8 has no nodes.",
                 "A .cpuprofile or .heapprofile begins with its nodes or their head."};
  }
  is_nested_ = profile.is_nested;
  for (const auto& [key, value] : profile.notes) out.note(key, value);
  const ThreadId thread = out.thread(out.process("-"), "-");
  out.thread_facts(thread).name = out.intern(profile.title);
  details_ = {{"kind", profile.is_heap ? "\"heap\"" : "\"cpu\""},
              {"nodes", fmt::format("{}", profile.calls.node_count())}};
  if (profile.is_heap || !profile.has_samples) {
    write_weights(profile, thread, out);
  } else {
    write_times(profile, thread, out, context);
  }
  out.count_records(profile.calls.node_count());
  out.set_legend(profile.calls.legend());
  return ok();
}

void CpuprofileSource::write_weights(ReadProfile& profile, ThreadId thread, TimelineBuilder& out) {
  const V8Profile::Calls made = profile.calls.finish(out.diagnostics(), 0);
  CallWeights weights;
  std::int64_t total = 0;
  for (std::size_t i = 0; i < made.call_of_node.size(); ++i) {
    total = saturating_sum(total, profile.node_weight[i]);
    if (made.call_of_node[i] != kNoCall) weights.add(made.call_of_node[i], profile.node_weight[i]);
  }
  weights.sum_up(made.tree.parent);
  const std::string_view unit = profile.is_heap ? "bytes" : "samples";
  out.use_axis({unit, 1});
  out.use_weights({{std::string(unit), std::string(unit)}}, 0);
  lay_out_weights(made.tree, weights, *out.strings(), out.slices(thread), out.diagnostics());
  out.diagnostics().count(diagnostic::kNegativeWeight, kNoOffset, {}, weights.negative_count());
  describe_without_clock(unit, total);
  keep_nodes(profile, made);
}

void CpuprofileSource::write_times(ReadProfile& profile, ThreadId thread, TimelineBuilder& out,
                                   const LoadContext& context) {
  const ProfileSpan span = span_of(profile);
  bool has_clock = true;
  if (profile.has_deltas || profile.has_timestamps) {
    const std::size_t samples = profile.calls.sample_count();
    const std::size_t times =
        profile.has_timestamps ? profile.timestamps_ns.size() : profile.deltas_ns.size();
    out.diagnostics().count(profile_diagnostic::kUnequalLists, kNoOffset, {},
                            std::max(samples, times) - std::min(samples, times));
    profile.calls.keep_samples(place_samples(profile, span));
  } else {
    has_clock = spread_samples(profile, span);
  }
  const std::size_t count = profile.calls.sample_count();
  out.count_samples(count);
  V8Profile::Calls made = profile.calls.finish(out.diagnostics(), 0);
  std::int64_t end_ns = has_clock ? span.end_ns.value_or(INT64_MIN) : INT64_MIN;
  const std::size_t weight =
      find_weight(timed_weights(), context.options().weight).value_or(kTimeWeight);
  if (has_clock) out.use_weights(timed_weights(), weight);
  if (has_clock && weight == kSampleWeight) {
    number_samples(made.samples);
    end_ns = static_cast<std::int64_t>(made.samples.size());
    has_clock = false;
  }
  if (!has_clock) {
    out.use_axis({"samples", 1});
    describe_without_clock("samples", static_cast<std::int64_t>(count));
  }
  SampleBudget budget;
  write_samples(made.tree, made.samples, end_ns, 0, out.slices(thread), budget, out.diagnostics());
  keep_nodes(profile, made);
}

void CpuprofileSource::describe_without_clock(std::string_view unit, std::int64_t total) {
  details_.emplace_back("unit", json_quoted(unit));
  details_.emplace_back("total", fmt::format("{}", total));
}

// Nodes of equal caller and function are one call; the collector's calls have the nodes of its
// function wherever it ran.
void CpuprofileSource::keep_nodes(const ReadProfile& profile, const V8Profile::Calls& made) {
  nodes_of_call_.assign(made.tree.parent.size(), kNoCall);
  next_node_.assign(made.call_of_node.size(), kNoCall);
  node_offset_ = profile.node_offset;
  for (auto node = static_cast<std::uint32_t>(made.call_of_node.size()); node-- > 0;) {
    const std::uint32_t call = made.call_of_node[node];
    if (call == kNoCall) continue;
    next_node_[node] = nodes_of_call_[call];
    nodes_of_call_[call] = node;
  }
}

void CpuprofileSource::save(FieldWriter& out) const {
  out.add(is_nested_);
  out.add_values(nodes_of_call_);
  out.add_values(next_node_);
  out.add_values(node_offset_);
  out.add_pairs(details_);
}

bool CpuprofileSource::restore(FieldReader& in, const std::shared_ptr<const StringPool>&) {
  Result<InputText> text = InputText::of(input_);
  if (!text) return false;
  text_ = std::move(*text);
  is_nested_ = in.take<bool>();
  nodes_of_call_ = in.take_values<std::uint32_t>();
  next_node_ = in.take_values<std::uint32_t>();
  node_offset_ = in.take_values<std::uint64_t>();
  details_ = in.take_pairs();
  const auto is_node = [this](std::uint32_t node) {
    return node == kNoCall || node < next_node_.size();
  };
  const auto lies_in_text = [this](std::uint64_t at) { return at <= text_.text().size(); };
  return in.done() && node_offset_.size() == next_node_.size() &&
         std::ranges::all_of(nodes_of_call_, is_node) && std::ranges::all_of(next_node_, is_node) &&
         std::ranges::all_of(node_offset_, lies_in_text);
}

RecordText CpuprofileSource::read_record(RecordOffset record, RecordOffset) const {
  if (record >= nodes_of_call_.size()) return {};
  CallText call;
  std::size_t read = 0;
  for (std::uint32_t node = nodes_of_call_[record]; node != kNoCall && read < kDescribedNodes;
       node = next_node_[node], ++read) {
    json::JsonWalk walk(text_.text().substr(node_offset_[node], kNodeBytes));
    NodeFields fields;
    if (!walk.enter('{')) break;
    while (walk.next_key()) {
      if (!read_node_field(walk, fields)) walk.skip();
    }
    if (read == 0) call.first = fields;
    call.hits += parse_number<std::uint64_t>(fields.hit_count).value_or(0);
    add_ticks(fields.ticks, call);
    if (call.deopt_reason.empty()) call.deopt_reason = json::text_of(fields.deopt_reason);
  }
  RecordText out;
  const auto add = [&](const char* key, std::string value) {
    if (!value.empty()) out.facts.emplace_back(key, std::move(value));
  };
  // A heap's lines are counted from 0 as well; the old form has no callFrame.
  add("Source", place_text(call.first, is_nested_ && !call.first.has_call_frame));
  add("Script", json::text_of(call.first.script_id));
  if (call.hits > 0) add("Samples in itself", fmt::format("{}", call.hits));
  add("Bytes in itself", json::text_of(call.first.self_size));
  add("Lines (samples)", lines_text(call));
  add("Not optimized", call.deopt_reason);
  return out;
}

TraceSource::Size CpuprofileSource::size() const {
  Size size = TraceSource::size();
  size.own_bytes = (nodes_of_call_.capacity() + next_node_.capacity()) * sizeof(std::uint32_t) +
                   node_offset_.capacity() * sizeof(std::uint64_t);
  return size;
}

}  // namespace cinderscope::cpuprofile
