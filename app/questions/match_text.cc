#include "app/questions/match_text.h"

#include <fmt/format.h>

#include "render/layout/track_list.h"

namespace cinderscope {

namespace {

struct Cells {
  std::string_view name;
  std::int64_t begin_ns, duration_ns;
  TrackId track;
};

Cells cells_of(const MatchOrder& order, std::uint64_t line) {
  const MatchRef match = match_on_line(order, line);
  const Slice slice = slice_of(*order.matches, match);
  return {order.matches->slices->strings->text(slice.name), slice.begin_ns, slice.duration_ns,
          match.track};
}

Cells cells_of(const DiskLines& lines, std::uint64_t line) {
  const DiskMatch& match = lines.on_line(line);
  return {lines.matches->strings->text(match.name), match.begin_ns, match.duration_ns, match.track};
}

void append_cell(std::string& out, std::string_view text) {
  for (const char c : text) out += c == '\t' || c == '\n' || c == '\r' ? ' ' : c;
}

void append_line(std::string& out, const Cells& cells, const Timeline& timeline) {
  append_cell(out, cells.name);
  out += fmt::format("\t{}\t{}\t", cells.begin_ns, cells.duration_ns);
  append_cell(out, match_thread(timeline, cells.track));
  out += '\n';
}

template <class Lines>
CopiedMatches copied_lines(const Lines& lines, std::uint64_t count, TimeAxis axis,
                           const Timeline& timeline, const CopyLimits& limits) {
  CopiedMatches copied;
  copied.text = axis == TimeAxis::events ? "name\tbegin\tduration\tthread\n"
                                         : "name\tbegin_ns\tduration_ns\tthread\n";
  for (; copied.lines < count; ++copied.lines) {
    if (copied.lines == limits.lines || copied.text.size() >= limits.bytes) break;
    append_line(copied.text, cells_of(lines, copied.lines), timeline);
  }
  copied.all = copied.lines == count;
  return copied;
}

std::string one_line(const Cells& cells, const Timeline& timeline) {
  std::string text;
  append_line(text, cells, timeline);
  text.pop_back();
  return text;
}

}  // namespace

std::string match_thread(const Timeline& timeline, TrackId of) {
  if (index(of) >= timeline.tracks.size()) return {};
  const Track& track = timeline.tracks[index(of)];
  std::string label = track_label(timeline, track);
  if (const std::string_view id = track_id_text(timeline, track); !id.empty()) {
    label.append(" ").append(id);
  }
  return label;
}

CopiedMatches matches_as_text(const MatchOrder& order, const Timeline& timeline,
                              const CopyLimits& limits) {
  return copied_lines(order, order.matches->count(), order.matches->slices->axis, timeline, limits);
}

std::string match_as_text(const MatchOrder& order, const Timeline& timeline, std::uint64_t line) {
  return one_line(cells_of(order, line), timeline);
}

CopiedMatches matches_as_text(const DiskLines& lines, const Timeline& timeline,
                              const CopyLimits& limits) {
  const DiskMatches& matches = *lines.matches;
  CopiedMatches copied = copied_lines(lines, matches.listed.size(), matches.axis, timeline, limits);
  copied.all = copied.all && matches.all_listed();
  return copied;
}

std::string match_as_text(const DiskLines& lines, const Timeline& timeline, std::uint64_t line) {
  return one_line(cells_of(lines, line), timeline);
}

}  // namespace cinderscope
