#include "formats/pprof/call_details.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "ingest/base/fields.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/base/saturating.h"
#include "ingest/base/utf8.h"

namespace cinderscope::pprof {
namespace {

constexpr std::size_t kShownAddresses = 3, kShownLines = 10, kShownValues = 10;

// "12 (3 samples)", the most frequent first.
std::string lines_text(const std::map<std::int64_t, std::uint64_t>& samples_of_line) {
  std::vector<std::pair<std::uint64_t, std::int64_t>> lines;
  for (const auto& [line, samples] : samples_of_line) lines.emplace_back(samples, line);
  std::ranges::stable_sort(lines, std::ranges::greater(),
                           &std::pair<std::uint64_t, std::int64_t>::first);
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), kShownLines); ++i) {
    const auto& [samples, line] = lines[i];
    text += fmt::format("{}{} ({} sample{})", i == 0 ? "" : ", ", line, samples,
                        samples == 1 ? "" : "s");
  }
  if (lines.size() > kShownLines) text += fmt::format(", {} more", lines.size() - kShownLines);
  return text;
}

std::string addresses_text(const std::set<std::uint64_t>& addresses) {
  std::string text;
  if (addresses.size() > 1) text = fmt::format("{}: ", addresses.size());
  std::size_t shown = 0;
  for (const std::uint64_t address : addresses) {
    if (shown == kShownAddresses) return text + ", …";
    text += (shown++ == 0 ? "" : ", ") + address_text(address);
  }
  return text;
}

}  // namespace

std::uint32_t CallDetails::key(std::string_view name) {
  const auto [known, is_new] =
      key_ids_.try_emplace(std::string(name), static_cast<std::uint32_t>(keys_.size()));
  if (is_new) keys_.emplace_back(name);
  return known->second;
}

std::uint32_t CallDetails::label(std::uint32_t key, std::string_view value) {
  std::string text = fmt::format("{} {}", key, value);
  const auto [known, is_new] =
      label_ids_.try_emplace(std::move(text), static_cast<std::uint32_t>(labels_.size()));
  if (is_new) labels_.push_back({key, std::string(value)});
  return known->second;
}

void CallDetails::finish(const CallTree& tree, CallWeights weights, FrameUses uses,
                         std::vector<FrameOfLocation> frames) {
  weights_ = std::move(weights);
  uses_ = std::move(uses);
  frames_ = std::move(frames);
  label_ids_.clear();
  key_ids_.clear();
  if (marks_.empty()) return;
  const std::size_t calls = tree.parent.size();
  // Callers have smaller numbers: sizes are added up backwards, places are given forwards.
  std::vector<std::uint32_t> size(calls, 1);
  for (std::size_t i = calls; i-- > 0;) {
    if (tree.parent[i] != kNoCall) size[tree.parent[i]] += size[i];
  }
  order_.resize(calls);
  last_in_.resize(calls);
  std::uint32_t outermost = 0;
  std::vector<std::uint32_t> next(calls, 0);
  for (std::uint32_t i = 0; i < calls; ++i) {
    std::uint32_t& at = tree.parent[i] == kNoCall ? outermost : next[tree.parent[i]];
    order_[i] = at;
    at += size[i];
    next[i] = order_[i] + 1;
    last_in_[i] = order_[i] + size[i];
  }
  for (Mark& mark : marks_) mark.call = order_[mark.call];
  std::ranges::sort(marks_, [](const Mark& a, const Mark& b) {
    return std::pair(a.call, a.label) < std::pair(b.call, b.label);
  });
  std::size_t kept = 0;
  for (const Mark& mark : marks_) {
    Mark* last = kept == 0 ? nullptr : &marks_[kept - 1];
    if (last != nullptr && last->call == mark.call && last->label == mark.label) {
      last->weight = saturating_sum(last->weight, mark.weight);
    } else {
      marks_[kept++] = mark;
    }
  }
  marks_.resize(kept);
  marks_.shrink_to_fit();
}

RecordText CallDetails::describe(std::uint32_t call, const ProfileTables& tables) const {
  RecordText out;
  if (call >= calls()) return out;
  if (weights_.sum(call) != weights_.size(call)) {
    out.facts.emplace_back("signed weight", fmt::to_string(weights_.sum(call)));
  }
  add_places(call, tables, out);
  add_labels(call, out);
  return out;
}

void CallDetails::add_places(std::uint32_t call, const ProfileTables& tables,
                             RecordText& out) const {
  std::map<std::int64_t, std::uint64_t> samples_of_line;
  std::set<std::uint64_t> addresses;
  std::uint64_t file = 0;
  std::int64_t column = 0;
  std::optional<std::uint32_t> mapping;
  bool inlined = false;
  for (const FrameUse& use : uses_.of(call)) {
    const FrameOfLocation& frame = frames_[use.frame];
    const Location& location = tables.locations[frame.location];
    if (frame.line != 0) samples_of_line[frame.line] += use.samples;
    if (location.address != 0) addresses.insert(location.address);
    if (file == 0) file = frame.file;
    if (column == 0) column = frame.column;
    if (!mapping && location.mapping != 0) mapping = tables.mapping_of.find(location.mapping);
    inlined = inlined || frame.inlined;
  }
  const auto text = [&](std::uint64_t index) {
    return index < tables.strings.size() ? valid_utf8(tables.strings[index]) : std::string();
  };
  const auto add = [&](std::string_view name, std::string value) {
    if (!value.empty()) out.facts.emplace_back(name, std::move(value));
  };
  add("file", text(file));
  add("line", lines_text(samples_of_line));
  if (column != 0) add("column", fmt::to_string(column));
  if (mapping) {
    add("module", text(tables.mappings[*mapping].file));
    add("build id", text(tables.mappings[*mapping].build_id));
  }
  add("address", addresses_text(addresses));
  if (inlined) add("inlined", "yes");
}

void CallDetails::add_labels(std::uint32_t call, RecordText& out) const {
  if (marks_.empty()) return;
  const auto from = std::ranges::lower_bound(marks_, order_[call], {}, &Mark::call);
  const auto to = std::ranges::lower_bound(marks_, last_in_[call], {}, &Mark::call);
  if (from == to) return;
  std::map<std::uint32_t, std::int64_t> weight_of_label;
  for (auto mark = from; mark != to; ++mark) {
    std::int64_t& weight = weight_of_label[mark->label];
    weight = saturating_sum(weight, mark->weight);
  }
  std::vector<std::vector<std::pair<std::int64_t, std::uint32_t>>> of_key(keys_.size());
  for (const auto& [label, weight] : weight_of_label) {
    of_key[labels_[label].key].emplace_back(weight, label);
  }
  JsonWriter json;
  json.begin_object();
  for (std::size_t key = 0; key < keys_.size(); ++key) {
    auto& values = of_key[key];
    if (values.empty()) continue;
    std::ranges::stable_sort(values, std::ranges::greater(),
                             &std::pair<std::int64_t, std::uint32_t>::first);
    if (values.size() > kShownValues) values.resize(kShownValues);
    json.key(keys_[key]).begin_array();
    for (const auto& [weight, label] : values) json.text(labels_[label].value);
    json.end_array();
    json.key(keys_[key] + " weights").begin_array();
    for (const auto& [weight, label] : values) json.number(weight);
    json.end_array();
  }
  json.end_object();
  out.args = parse_args(json.str());
}

std::uint64_t CallDetails::own_bytes() const {
  return calls() * 2 * sizeof(std::int64_t) + uses_.kept_bytes() +
         frames_.capacity() * sizeof(FrameOfLocation) + marks_.capacity() * sizeof(Mark) +
         order_.capacity() * 2 * sizeof(std::uint32_t);
}

void CallDetails::save(FieldWriter& out) const {
  weights_.save(out);
  out.add(std::uint64_t{frames_.size()});
  for (const FrameOfLocation& frame : frames_) {
    out.add(frame.location);
    out.add(frame.line);
    out.add(frame.column);
    out.add(frame.file);
    out.add(frame.inlined);
  }
  uses_.save(out);
  out.add(std::uint64_t{keys_.size()});
  for (const std::string& key : keys_) out.add_text(key);
  out.add(std::uint64_t{labels_.size()});
  for (const SampleLabel& label : labels_) {
    out.add(label.key);
    out.add_text(label.value);
  }
  out.add_values(order_);
  out.add_values(last_in_);
  out.add(std::uint64_t{marks_.size()});
  for (const Mark& mark : marks_) {
    out.add(mark.call);
    out.add(mark.label);
    out.add(mark.weight);
  }
}

void CallDetails::restore(FieldReader& in, const ProfileTables& tables) {
  constexpr std::size_t kFrameBytes = 29, kMarkBytes = 16;
  weights_.restore(in);
  frames_.resize(in.take_count(kFrameBytes));
  for (FrameOfLocation& frame : frames_) {
    frame.location = in.take<std::uint32_t>();
    frame.line = in.take<std::int64_t>();
    frame.column = in.take<std::int64_t>();
    frame.file = in.take<std::uint64_t>();
    frame.inlined = in.take<bool>();
    if (frame.location >= tables.locations.size()) in.fail();
  }
  uses_.restore(in, frames_.size());
  keys_.resize(in.take_count(sizeof(std::uint64_t)));
  for (std::string& key : keys_) key = in.take_text();
  labels_.resize(in.take_count(sizeof(std::uint64_t)));
  for (SampleLabel& label : labels_) {
    label.key = in.take<std::uint32_t>();
    label.value = in.take_text();
    if (label.key >= keys_.size()) in.fail();
  }
  order_ = in.take_values<std::uint32_t>();
  last_in_ = in.take_values<std::uint32_t>();
  marks_.resize(in.take_count(kMarkBytes));
  for (Mark& mark : marks_) {
    mark.call = in.take<std::uint32_t>();
    mark.label = in.take<std::uint32_t>();
    mark.weight = in.take<std::int64_t>();
    if (mark.label >= labels_.size()) in.fail();
  }
  if (!in.ok() || uses_.calls() != calls()) return in.fail();
  if (marks_.empty()) return;
  if (order_.size() != calls() || last_in_.size() != calls()) return in.fail();
  for (std::size_t i = 0; i < order_.size(); ++i) {
    if (last_in_[i] < order_[i]) in.fail();
  }
}

}  // namespace cinderscope::pprof
