#include "app/window/sql/sql_tracks.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

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

Result<AddedTrack> track_of_rows(const QueryTable& table, const Timeline& timeline,
                                 std::string name) {
  const TrackColumns at = columns_of(table);
  const ValueTable& values = *table.values;
  AddedTrack track{.name = std::move(name)};
  if (!at.time || (!at.duration && !at.value)) {
    return refused("A track is made of rows with ts and dur, or with ts and value.");
  }
  const std::vector<NamedPlace>* places = nullptr;
  for (const auto& column : table.places) {
    if (places == nullptr && !column.empty()) places = &column;
  }
  for (std::uint32_t row = 0; row < values.row_count; ++row) {
    const std::int64_t time_ns = values.columns[*at.time].numbers[row];
    if (time_ns == kNoNumber) continue;
    if (!at.duration) {
      const ValueColumn& value = values.columns[*at.value];
      if (is_null(values, value, row)) continue;
      track.values.push_back({time_ns, value.reals.empty() ? static_cast<double>(value.numbers[row])
                                                           : value.reals[row]});
      continue;
    }
    const std::int64_t duration_ns = values.columns[*at.duration].numbers[row];
    if (duration_ns == kNoNumber) continue;
    std::string called;
    if (at.name) called = text_in(values, values.columns[*at.name], row);
    const bool named = called.empty() && places != nullptr && (*places)[row].name != kNoName;
    if (named) called = timeline.text((*places)[row].name);
    track.slices.push_back({time_ns, duration_ns, called.empty() ? track.name : called});
  }
  if (track.slices.empty() && track.values.empty())
    return refused("There are no rows for a track.");
  return track;
}

SqlTracks::SqlTracks() : runner_([] { Window::wake(); }) {}

void SqlTracks::add(Session& session, AddedTrack track, std::string query) {
  std::vector<AddedTrack> tracks = session.added_tracks();
  std::erase_if(tracks, [&](const AddedTrack& each) { return each.name == track.name; });
  std::erase_if(queries_, [&](const SavedQuery& each) { return each.name == track.name; });
  queries_.push_back({track.name, std::move(query)});
  tracks.push_back(std::move(track));
  if (tracks.size() > kMostTracks) {
    tracks.erase(tracks.begin());
    queries_.erase(queries_.begin());
  }
  session.set_added_tracks(std::move(tracks));
}

Status SqlTracks::close(Session& session, const std::string& name) {
  std::vector<AddedTrack> tracks = session.added_tracks();
  const auto gone = [&](const auto& each) { return name.empty() || each.name == name; };
  const std::size_t closed = std::erase_if(tracks, gone);
  std::erase_if(queries_, gone);
  std::erase_if(waiting_, gone);
  if (closed == 0) return refused(fmt::format("There is no track \"{}\" of a query.", name));
  session.set_added_tracks(std::move(tracks));
  return ok();
}

void SqlTracks::add_later(SavedQuery query) {
  waiting_.push_back(std::move(query));
}

void SqlTracks::cancel() {
  waiting_.clear();
  runner_.cancel();
}

bool SqlTracks::poll(Session& session, std::string& message) {
  bool changed = runner_.poll();
  const QueryAnswer* answer = runner_.answer();
  if (changed && !runner_.running() && answer != nullptr) {
    if (!answer->outcome.ok() || answer->tables.empty()) {
      message = fmt::format("{}: {}", running_.name,
                            answer->tables.empty() ? std::string("The query gives no rows.")
                                                   : answer->outcome.text());
    } else {
      Result<AddedTrack> track =
          track_of_rows(*answer->tables.back(), session.timeline(), running_.name);
      if (track) {
        add(session, std::move(*track), running_.text);
      } else {
        message = fmt::format("{}: {}", running_.name, track.error().text);
      }
    }
    runner_.forget();
  }
  if (!runner_.running() && !waiting_.empty() && session.has_trace() && !session.loading()) {
    running_ = waiting_.front();
    waiting_.erase(waiting_.begin());
    runner_.run(session, {.text = running_.text, .even_if_slow = true, .window = {}});
    changed = true;
  }
  return changed;
}

}  // namespace cinderscope
