#include "app/window/sql/sql_tracks.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "app/window/sql/sql_places.h"
#include "app/window/window.h"

namespace cinderscope {
namespace {

constexpr std::size_t kMostTracks = 50;

struct TrackColumns {
  std::optional<std::size_t> time, duration, name, value;
};

TrackColumns columns_of(const QueryTable& table) {
  TrackColumns found;
  const auto take = [](std::optional<std::size_t>& to, std::size_t column, bool surely) {
    if (surely || !to) to = column;
  };
  for (std::size_t i = table.columns.size(); i-- > 0;) {
    const std::string& name = table.columns[i].name;
    const bool text = table.values->columns[i].head.kind == CellKind::text;
    if (text) {
      // The first text, unless one says that it is the name.
      const bool named = found.name && table.columns[*found.name].name == "name";
      if (name == "name" || !named) found.name = i;
    } else if (table.shown[i] == ShownAs::time) {
      found.time = i;
    } else if (table.shown[i] == ShownAs::duration) {
      const bool named = found.duration && table.columns[*found.duration].name == "dur";
      if (name == "dur" || !named) found.duration = i;
    } else if (table.shown[i] == ShownAs::number) {
      take(found.value, i, name == "value");
    }
  }
  return found;
}

}  // namespace

Result<std::vector<AddedTrack>> tracks_of_rows(const QueryAnswer& answer, const QueryTable& table,
                                               const TrackLanes& lanes, std::string_view name) {
  const TrackColumns at = columns_of(table);
  const ValueTable& values = *table.values;
  if (!at.time || (!at.duration && !at.value)) {
    return refused("A track is made of rows with ts and dur, or with ts and value.");
  }
  std::vector<AddedTrack> tracks(lanes.size(), AddedTrack{.name = std::string(name)});
  const std::vector<NamedPlace>* places = nullptr;
  for (const auto& column : table.places) {
    if (places == nullptr && !column.empty()) places = &column;
  }
  bool any = false;
  for (std::uint32_t row = 0; row < values.row_count; ++row) {
    const std::int64_t time_ns = values.columns[*at.time].numbers[row];
    if (time_ns == kNoNumber) continue;
    std::size_t lane = 0;
    if (lanes.size() > 1) {
      if (const auto place = place_of(answer, table, row)) lane = place->input;
    }
    // A side of which only numbers are known has no timeline.
    if (lane >= lanes.size() || !lanes[lane]->has_trace()) continue;
    AddedTrack& track = tracks[lane];
    if (!at.duration) {
      const ValueColumn& value = values.columns[*at.value];
      if (is_null(values, value, row)) continue;
      track.values.push_back({time_ns, value.reals.empty() ? static_cast<double>(value.numbers[row])
                                                           : value.reals[row]});
      any = true;
      continue;
    }
    const std::int64_t duration_ns = values.columns[*at.duration].numbers[row];
    if (duration_ns == kNoNumber) continue;
    std::string called;
    if (at.name) called = text_in(values, values.columns[*at.name], row);
    const NamedPlace* named = places == nullptr ? nullptr : &(*places)[row];
    if (called.empty() && named != nullptr && named->name != kNoName &&
        named->input < lanes.size()) {
      called = lanes[named->input]->timeline().text(named->name);
    }
    track.slices.push_back({time_ns, duration_ns, called.empty() ? track.name : called});
    any = true;
  }
  if (!any) return refused("There are no rows for a track.");
  return tracks;
}

SqlTracks::SqlTracks() : runner_([] { Window::wake(); }) {}

void SqlTracks::add(const TrackLanes& lanes, std::vector<AddedTrack> tracks, std::string query) {
  const std::string name = tracks.front().name;
  std::erase_if(queries_, [&](const SavedQuery& each) { return each.name == name; });
  queries_.push_back({name, std::move(query)});
  std::string oldest;
  if (queries_.size() > kMostTracks) {
    oldest = queries_.front().name;
    queries_.erase(queries_.begin());
  }
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    std::vector<AddedTrack> now = lanes[i]->added_tracks();
    std::erase_if(now, [&](const AddedTrack& each) {
      return each.name == name || (!oldest.empty() && each.name == oldest);
    });
    const bool any = !tracks[i].slices.empty() || !tracks[i].values.empty();
    if (any) now.push_back(std::move(tracks[i]));
    lanes[i]->set_added_tracks(std::move(now));
  }
}

Status SqlTracks::close(const TrackLanes& lanes, const std::string& name) {
  const auto gone = [&](const auto& each) { return name.empty() || each.name == name; };
  std::size_t closed = std::erase_if(queries_, gone);
  closed += std::erase_if(waiting_, gone);
  if (closed == 0) {
    return refused(name.empty() ? "No query's rows are shown as a track."
                                : fmt::format("There is no track \"{}\" of a query.", name));
  }
  for (Session* lane : lanes) {
    std::vector<AddedTrack> tracks = lane->added_tracks();
    if (std::erase_if(tracks, gone) > 0) lane->set_added_tracks(std::move(tracks));
  }
  return ok();
}

std::vector<SavedQuery> SqlTracks::queries() const {
  std::vector<SavedQuery> all = queries_;
  if (runner_.running()) all.push_back(running_);
  all.insert(all.end(), waiting_.begin(), waiting_.end());
  return all;
}

std::vector<std::string> SqlTracks::names() const {
  std::vector<std::string> names;
  for (const SavedQuery& query : queries_) names.push_back(query.name);
  if (runner_.running()) names.push_back(running_.name);
  for (const SavedQuery& query : waiting_) names.push_back(query.name);
  return names;
}

void SqlTracks::add_later(SavedQuery query) {
  waiting_.push_back(std::move(query));
}

void SqlTracks::cancel() {
  waiting_.clear();
  runner_.cancel();
}

bool SqlTracks::poll(const TrackLanes& lanes, const QueriedTraces& traces, std::string& message) {
  bool changed = runner_.poll();
  const QueryAnswer* answer = runner_.answer();
  if (changed && !runner_.running() && answer != nullptr) {
    if (!answer->outcome.ok() || answer->tables.empty()) {
      message = fmt::format(
          "{}: {}", running_.name,
          answer->outcome.ok() ? std::string("The query gives no rows.") : answer->outcome.text());
    } else if (!are_asked(answer->of, traces)) {
      waiting_.push_back(running_);  // the trace was read again meanwhile
    } else {
      Result<std::vector<AddedTrack>> tracks =
          tracks_of_rows(*answer, *answer->tables.back(), lanes, running_.name);
      if (tracks) {
        add(lanes, std::move(*tracks), running_.text);
      } else {
        message = fmt::format("{}: {}", running_.name, tracks.error().text);
      }
    }
    runner_.forget();
  }
  const bool there = std::ranges::any_of(lanes, &Session::has_trace) &&
                     std::ranges::none_of(lanes, &Session::loading);
  if (!runner_.running() && !waiting_.empty() && there) {
    running_ = waiting_.front();
    waiting_.erase(waiting_.begin());
    runner_.run(traces, {.text = running_.text, .even_if_slow = true, .window = {}});
    changed = true;
  }
  return changed;
}

}  // namespace cinderscope
