#include "app/questions/match_text.h"

#include <utility>
#include <vector>

#include "render/layout/track_list.h"
#include "render/text/time_text.h"

namespace cinderscope {

namespace {

struct Cells {
  std::string_view name, label;
  std::int64_t begin_ns, duration_ns;
  TrackId track;
  bool instant;
};

Cells cells_of(const MatchOrder& order, std::uint64_t line) {
  const MatchRef match = match_on_line(order, line);
  const Slice slice = slice_of(*order.matches, match);
  const StringPool& strings = *order.matches->slices->strings;
  return {strings.text(slice.name),
          strings.label(slice.name),
          slice.begin_ns,
          slice.duration_ns,
          match.track,
          match.instant};
}

Cells cells_of(const DiskLines& lines, std::uint64_t line) {
  const DiskMatch& match = lines.on_line(line);
  const StringPool& strings = *lines.matches->strings;
  return {strings.text(match.name),
          strings.label(match.name),
          match.begin_ns,
          match.duration_ns,
          match.track,
          match.instant};
}

template <class Lines>
TakenTable taken(std::shared_ptr<const Lines> lines, std::uint64_t count, TimeAxis axis,
                 const Timeline& timeline, const TimestampFormat& times) {
  TakenTable table{.word = "search",
                   .columns = {{.key = "name", .title = "Name"},
                               {.key = "begin", .title = "Begin", .numbers = true},
                               {.key = "duration", .title = "Duration", .numbers = true},
                               {.key = "thread", .title = "Thread"}},
                   .row_count = count};
  std::vector<std::string> threads;
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    threads.push_back(match_thread(timeline, TrackId{i}));
  }
  table.write_row = [lines = std::move(lines), threads = std::move(threads), axis, times](
                        std::uint64_t row, TableWriter& out) {
    const Cells cells = cells_of(*lines, row);
    if (out.for_people()) {
      out.shown(cells.label.empty() ? cells.name : cells.label);
      out.shown(timestamp_text(cells.begin_ns, times));
      out.shown(cells.instant ? std::string() : duration_text(cells.duration_ns, axis));
    } else {
      out.text(cells.name);
      out.number(cells.begin_ns);
      cells.instant ? out.null() : out.number(cells.duration_ns);
    }
    const std::size_t track = index(cells.track);
    track < threads.size() ? out.text(threads[track]) : out.null();
  };
  return table;
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

TakenTable taken_matches(std::shared_ptr<const MatchOrder> order, const Timeline& timeline,
                         const TimestampFormat& times) {
  const std::uint64_t count = order->matches->count();
  const TimeAxis axis = order->matches->slices->axis;
  return taken(std::move(order), count, axis, timeline, times);
}

TakenTable taken_matches(std::shared_ptr<const DiskLines> lines, const Timeline& timeline,
                         const TimestampFormat& times) {
  const DiskMatches& matches = *lines->matches;
  const std::uint64_t listed = matches.listed.size();
  const TimeAxis axis = matches.axis;
  const std::uint64_t left_out = matches.count() - listed;
  TakenTable table = taken(std::move(lines), listed, axis, timeline, times);
  table.left_out = left_out;
  return table;
}

std::string row_as_text(const TakenTable& table, std::uint64_t row) {
  std::string text;
  TableWriter out(text, {.text = TableText::tsv}, table.columns);
  table.write_row(row, out);
  text.pop_back();
  return text;
}

}  // namespace cinderscope
