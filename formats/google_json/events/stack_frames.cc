#include "formats/google_json/events/stack_frames.h"

#include <algorithm>

#include "formats/google_json/events/operation_id.h"
#include "ingest/base/fields.h"
#include "ingest/base/json/raw_json.h"

namespace cinderscope::google_json {

void StackFrames::add(std::string_view object) {
  if (!json::is_object(json::trim_blanks(object))) return;
  json::MemberReader members(object);
  while (members.next()) {
    StackFrame frame;
    frame.name = json::text_of(json::member(members.value(), "name"));
    frame.category = json::text_of(json::member(members.value(), "category"));
    const std::string_view parent = json::member(members.value(), "parent");
    if (!parent.empty() && parent != "null") frame.parent = id_text(parent);
    const auto [at, fresh] = by_id_.try_emplace(members.key(), frames_.size());
    if (fresh) {
      frames_.push_back(std::move(frame));
    } else {
      frames_[at->second] = std::move(frame);
    }
  }
}

void StackFrames::save(FieldWriter& out) const {
  out.add(std::uint64_t{frames_.size()});
  for (const StackFrame& frame : frames_) {
    out.add_text(frame.name);
    out.add_text(frame.category);
    out.add_text(frame.parent);
  }
  out.add(std::uint64_t{by_id_.size()});
  for (const auto& [id, at] : by_id_) {
    out.add_text(id);
    out.add(std::uint64_t{at});
  }
}

bool StackFrames::restore(FieldReader& in) {
  frames_.resize(in.take_count(24));
  for (StackFrame& frame : frames_) {
    frame.name = in.take_text();
    frame.category = in.take_text();
    frame.parent = in.take_text();
  }
  for (std::size_t left = in.take_count(16); left > 0 && in.ok(); --left) {
    const std::string_view id = in.take_text();
    const auto at = in.take<std::uint64_t>();
    if (at >= frames_.size()) in.fail();
    by_id_.insert_or_assign(std::string(id), static_cast<std::size_t>(at));
  }
  return in.ok();
}

std::int64_t StackFrames::find(const std::string& id) const {
  const auto at = by_id_.find(id);
  return at == by_id_.end() ? -1 : static_cast<std::int64_t>(at->second);
}

std::vector<std::string> StackFrames::stack(const std::string& id) const {
  std::vector<std::string> names;
  std::int64_t at = find(id);
  while (at >= 0 && names.size() < frames_.size()) {
    const StackFrame& frame = frames_[static_cast<std::size_t>(at)];
    names.push_back(frame.name);
    if (frame.parent.empty()) break;
    at = find(frame.parent);
  }
  std::reverse(names.begin(), names.end());
  return names;
}

}  // namespace cinderscope::google_json
