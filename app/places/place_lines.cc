#include "app/places/place_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "ingest/base/saturating.h"
#include "ingest/search/typed_slice.h"
#include "render/layout/track_list.h"
#include "render/text/label.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return text;
}

std::string thread_text(const Timeline& timeline, TrackId track) {
  const Track& of = timeline.tracks[index(track)];
  const std::string label(track_label(timeline, of));
  const std::string_view id = track_id_text(timeline, of);
  return id.empty() || label.find(id) != std::string::npos ? label
                                                           : fmt::format("{} {}", label, id);
}

// "+788.543ms", exact.
std::string typed_from_begin(const Timeline& timeline, std::int64_t time_ns) {
  const std::int64_t since = saturating_difference(time_ns, timeline.begin_ns);
  if (timeline.axis != TimeAxis::nanoseconds) return fmt::format("+{}", since);
  const std::int64_t ms = since / 1'000'000;
  std::string decimals = fmt::format("{:06}", since % 1'000'000);
  decimals.erase(decimals.find_last_not_of('0') + 1);
  return fmt::format("+{}{}{}ms", ms, decimals.empty() ? "" : ".", decimals);
}

std::string for_shell(std::string_view word) {
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + '\'';
}

bool is_plain(std::string_view word) {
  return !word.empty() && !word.starts_with('-') &&
         word.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
             "._-+,:=@%/") == std::string_view::npos;
}

// As code of Markdown, whatever is in it.
std::string as_code(const std::string& text) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return longest == 0 ? fence + text + fence : fence + " " + text + " " + fence;
}

std::string as_bold(const std::string& text) {
  std::string out = "**";
  for (const char c : text) {
    if (std::string_view("\\`*_[]<>").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out + "**";
}

std::string in_file(const PlaceLines& lines) {
  return lines.size_bytes
             ? fmt::format("in {}, {} bytes", lines.file, count_text(*lines.size_bytes))
             : fmt::format("in {}", lines.file);
}

}  // namespace

std::string place_title(const Timeline& timeline, const TimelineState& state) {
  TimestampFormat format = timestamp_format(timeline, state);
  if (block_of(timeline, state.selected) != nullptr) {
    const Slice slice = slice_at(timeline, state.selected);
    return one_line(fmt::format("{}  {} at {}, {}", display_name(timeline, slice.name),
                                duration_text(slice.duration_ns, timeline.axis),
                                timestamp_text(slice.begin_ns, format),
                                thread_text(timeline, state.selected.track)));
  }
  if (state.range) {
    const std::int64_t length = saturating_difference(state.range->end_ns, state.range->begin_ns);
    return fmt::format("{} from {}", exact_text(length, timeline.axis),
                       timestamp_text(state.range->begin_ns, format));
  }
  return fmt::format("{} – {}", timestamp_text(state.view.begin_ns, format),
                     timestamp_text(state.view.end_ns(), format));
}

std::string place_command(const Timeline& timeline, const TimelineState& state,
                          const std::string& file) {
  std::string command = fmt::format("cinderscope {}", is_plain(file) ? file : for_shell(file));
  if (block_of(timeline, state.selected) == nullptr) {
    const TimeRange shown =
        state.range.value_or(TimeRange{state.view.begin_ns, state.view.end_ns()});
    return fmt::format("{} {} {} {}", command, state.range ? "--range" : "--view", shown.begin_ns,
                       shown.end_ns);
  }
  const Slice slice = slice_at(timeline, state.selected);
  const Track& track = timeline.tracks[index(state.selected.track)];
  std::string thread(track_label(timeline, track));
  if (track.kind == TrackKind::thread && track.thread != kNoThread) {
    const Thread& of = timeline.threads[index(track.thread)];
    thread = timeline.text(of.name).empty()
                 ? fmt::format("{}/{}", timeline.text(timeline.processes[index(of.process)].pid),
                               timeline.text(of.tid))
                 : std::string(timeline.text(of.name));
  } else {
    thread = timeline.text(track.name);
  }
  const std::string name(display_name(timeline, slice.name));
  const std::string path =
      thread.empty() ? typed_name(name) : fmt::format("{}/{}", thread, typed_name(name));
  const std::string typed = fmt::format("{}@{}", path, typed_from_begin(timeline, slice.begin_ns));
  return one_line(fmt::format("{} --select {}", command, for_shell(typed)));
}

std::string as_text(const PlaceLines& lines) {
  return fmt::format("{}\n{}\n{}\n", lines.title, in_file(lines), lines.place);
}

std::string as_markdown(const PlaceLines& lines) {
  return fmt::format("{}\n{}\n{}\n{}\n", as_bold(lines.title), in_file(lines), as_code(lines.place),
                     as_code(lines.command));
}

}  // namespace cinderscope
