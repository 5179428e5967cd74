#include "formats/cpuprofile/profile_reader.h"

#include <algorithm>

#include "ingest/base/decimal_time.h"
#include "ingest/base/json/raw_json.h"

namespace cinderscope::cpuprofile {
namespace {

constexpr std::uint64_t kBytesBetweenAsks = 1u << 20;

// An id as it is compared: of a text what stands in it.
std::string_view id_of(std::string_view raw) {
  if (json::is_string(raw) && raw.size() >= 2) raw = raw.substr(1, raw.size() - 2);
  return raw == "null" ? std::string_view() : raw;
}

std::int64_t weight_of(std::string_view raw) {
  const auto number = time_from_decimal(raw, 0);
  return number ? number->ns : 0;
}

bool read_plain_field(json::JsonWalk& walk, NodeFields& out) {
  constexpr std::pair<std::string_view, std::string_view NodeFields::*> kFields[] = {
      {"id", &NodeFields::id},
      {"parent", &NodeFields::parent_id},
      {"functionName", &NodeFields::function_name},
      {"scriptId", &NodeFields::script_id},
      {"url", &NodeFields::url},
      {"lineNumber", &NodeFields::line},
      {"columnNumber", &NodeFields::column},
      {"hitCount", &NodeFields::hit_count},
      {"selfSize", &NodeFields::self_size},
      {"positionTicks", &NodeFields::ticks},
      {"lineTicks", &NodeFields::ticks},
      {"deoptReason", &NodeFields::deopt_reason},
      {"bailoutReason", &NodeFields::deopt_reason},
  };
  const std::string_view key = walk.key();
  for (const auto& [name, field] : kFields) {
    if (key != name) continue;
    const std::string_view value = walk.value();
    if (!walk.cut()) out.*field = value;
    return true;
  }
  return false;
}

class ProfileReader {
 public:
  ProfileReader(std::string_view text, const std::function<bool(std::uint64_t)>& go_on,
                ReadProfile& out)
      : text_(text), walk_(text), go_on_(&go_on), out_(&out) {}

  void read() {
    if (walk_.enter('{')) {
      while (goes_on() && walk_.next_key()) read_member();
    }
    out_->cut = walk_.cut();
    out_->end_offset = walk_.offset();
  }

 private:
  // A node of the old form that is being read.
  struct OpenNode {
    std::uint32_t number = 0;
    NodeFields fields;
    bool in_children = false, had_children = false;
  };

  bool goes_on() {
    if (stopped_) return false;
    if (walk_.offset() < next_ask_) return true;
    next_ask_ = walk_.offset() + kBytesBetweenAsks;
    stopped_ = !(*go_on_)(walk_.offset());
    return !stopped_;
  }

  void read_member();
  void read_flat_nodes();
  void read_flat_node();
  void read_tree();
  void read_tree_nodes(std::vector<OpenNode>& open);
  std::uint32_t new_node(std::size_t begin, std::uint32_t parent);
  void describe(std::uint32_t number, const NodeFields& fields);
  void read_samples();
  void read_times(std::vector<std::int64_t>& out);

  std::string_view text_;
  json::JsonWalk walk_;
  const std::function<bool(std::uint64_t)>* go_on_;
  ReadProfile* out_;
  std::uint64_t next_ask_ = kBytesBetweenAsks;
  bool stopped_ = false;
  std::string name_, place_;
};

void ProfileReader::read_member() {
  const std::string_view key = walk_.key();
  if (key == "nodes") return read_flat_nodes();
  if (key == "head") return read_tree();
  if (key == "samples") return read_samples();
  if (key == "timeDeltas") {
    out_->has_deltas = true;
    return read_times(out_->deltas_ns);
  }
  if (key == "timestamps") {
    out_->has_timestamps = true;
    return read_times(out_->timestamps_ns);
  }
  const std::string_view value = walk_.value();
  if (walk_.cut()) return;
  if (key == "startTime") {
    out_->start_text = json::text_of(value);
  } else if (key == "endTime") {
    out_->end_text = json::text_of(value);
  } else {
    if (key == "title") out_->title = json::text_of(value);
    if (!value.empty() && value != "null") {
      out_->notes.emplace_back(json::text_of(key), json::text_of(value.substr(0, 65536)));
    }
  }
}

std::uint32_t ProfileReader::new_node(std::size_t begin, std::uint32_t parent) {
  out_->node_offset.push_back(begin);
  out_->node_weight.push_back(0);
  return out_->calls.add_node(parent);
}

void ProfileReader::describe(std::uint32_t number, const NodeFields& fields) {
  name_.clear();
  place_.clear();
  json::append_text_of(name_, fields.function_name);
  for (const std::string_view part : {fields.script_id, fields.url, fields.line, fields.column}) {
    place_.append(part).append(1, '\n');
  }
  out_->calls.describe(number, id_of(fields.id), name_, place_);
  if (!fields.parent_id.empty()) out_->calls.set_parent(number, id_of(fields.parent_id));
  if (!fields.self_size.empty() && fields.hit_count.empty()) out_->is_heap = true;
  out_->node_weight[number] = fields.self_size.empty()
                                  ? std::max<std::int64_t>(weight_of(fields.hit_count), 0)
                                  : weight_of(fields.self_size);
}

void ProfileReader::read_flat_nodes() {
  if (!walk_.enter('[')) return;
  while (goes_on() && walk_.next_item()) read_flat_node();
}

void ProfileReader::read_flat_node() {
  walk_.kind();  // behind the blanks
  const std::size_t begin = walk_.offset();
  if (!walk_.enter('{')) return;
  NodeFields fields;
  std::string_view children;
  while (walk_.next_key()) {
    if (walk_.key() == "children") {
      children = walk_.value();
    } else if (!read_node_field(walk_, fields)) {
      walk_.skip();
    }
  }
  if (walk_.cut()) return;
  const std::uint32_t number = new_node(begin, kNoCall);
  describe(number, fields);
  json::JsonWalk child(children);
  if (!json::is_array(children) || !child.enter('[')) return;
  while (child.next_item()) {
    const std::string_view id = id_of(child.value());
    if (!child.cut() && !id.empty()) out_->calls.add_child(number, id);
  }
}

// The nesting is as deep as the stacks were, so what is open is kept here and not in calls.
void ProfileReader::read_tree() {
  out_->is_nested = true;
  walk_.kind();
  const std::size_t begin = walk_.offset();
  if (!walk_.enter('{')) return;
  std::vector<OpenNode> open;
  open.push_back({.number = new_node(begin, kNoCall)});
  read_tree_nodes(open);
  // Of those that a cut left open only the innermost may lack something.
  for (const OpenNode& node : open) {
    if (node.had_children) describe(node.number, node.fields);
  }
}

void ProfileReader::read_tree_nodes(std::vector<OpenNode>& open) {
  while (goes_on() && !walk_.cut() && !open.empty()) {
    OpenNode& node = open.back();
    if (node.in_children) {
      node.in_children = walk_.next_item();
      if (!node.in_children) continue;
      walk_.kind();
      const std::size_t begin = walk_.offset();
      if (walk_.enter('{')) open.push_back({.number = new_node(begin, node.number)});
    } else if (!walk_.next_key()) {
      if (walk_.cut()) return;
      describe(node.number, node.fields);
      open.pop_back();
    } else if (walk_.key() == "children") {
      node.in_children = node.had_children = walk_.enter('[');
    } else if (!read_node_field(walk_, node.fields)) {
      walk_.skip();
    }
  }
}

void ProfileReader::read_samples() {
  if (!walk_.enter('[')) return;
  while (goes_on() && walk_.next_item()) {
    const std::string_view value = walk_.value();
    if (walk_.cut()) return;
    if (json::is_object(value)) continue;  // of a heap: sizes that the nodes have summed up
    out_->has_samples = true;
    out_->calls.add_sample(0, id_of(value));
  }
}

void ProfileReader::read_times(std::vector<std::int64_t>& out) {
  if (!walk_.enter('[')) return;
  while (goes_on() && walk_.next_item()) {
    const std::string_view value = walk_.value();
    if (walk_.cut()) return;
    DecimalTime time;
    if (!usual_time(value, time)) time = time_from_decimal(value).value_or(DecimalTime{});
    out.push_back(time.ns);
  }
}

}  // namespace

bool read_node_field(json::JsonWalk& walk, NodeFields& out) {
  if (walk.key() != "callFrame") return read_plain_field(walk, out);
  out.has_call_frame = true;
  if (!walk.enter('{')) return true;
  while (walk.next_key()) {
    if (!read_plain_field(walk, out)) walk.skip();
  }
  return true;
}

void read_profile(std::string_view text, const std::function<bool(std::uint64_t)>& go_on,
                  ReadProfile& out) {
  ProfileReader(text, go_on, out).read();
}

}  // namespace cinderscope::cpuprofile
