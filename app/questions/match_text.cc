#include "app/questions/match_text.h"

#include <fmt/format.h>

#include "render/layout/track_list.h"

namespace cinderscope {

namespace {

void append_cell(std::string& out, std::string_view text) {
  for (const char c : text) out += c == '\t' || c == '\n' || c == '\r' ? ' ' : c;
}

void append_line(std::string& out, const MatchOrder& order, const Timeline& timeline,
                 std::uint64_t line) {
  const MatchRef match = match_on_line(order, line);
  const Slice slice = slice_of(*order.matches, match);
  append_cell(out, order.matches->slices->strings->text(slice.name));
  out += fmt::format("\t{}\t{}\t", slice.begin_ns, slice.duration_ns);
  append_cell(out, match_thread(timeline, match));
  out += '\n';
}

}  // namespace

std::string match_thread(const Timeline& timeline, const MatchRef& match) {
  if (index(match.track) >= timeline.tracks.size()) return {};
  const Track& track = timeline.tracks[index(match.track)];
  std::string label = track_label(timeline, track);
  if (const std::string_view id = track_id_text(timeline, track); !id.empty()) {
    label.append(" ").append(id);
  }
  return label;
}

CopiedMatches matches_as_text(const MatchOrder& order, const Timeline& timeline,
                              const CopyLimits& limits) {
  const bool events = order.matches->slices->axis == TimeAxis::events;
  CopiedMatches copied;
  copied.text =
      events ? "name\tbegin\tduration\tthread\n" : "name\tbegin_ns\tduration_ns\tthread\n";
  const std::uint64_t count = order.matches->count();
  for (; copied.lines < count; ++copied.lines) {
    if (copied.lines == limits.lines || copied.text.size() >= limits.bytes) break;
    append_line(copied.text, order, timeline, copied.lines);
  }
  copied.all = copied.lines == count;
  return copied;
}

std::string match_as_text(const MatchOrder& order, const Timeline& timeline, std::uint64_t line) {
  std::string text;
  append_line(text, order, timeline, line);
  text.pop_back();
  return text;
}

}  // namespace cinderscope
