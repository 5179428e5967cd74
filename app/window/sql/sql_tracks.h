// Rows of queries as tracks of the timeline.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/questions/query_answer.h"
#include "app/session/session.h"
#include "app/store/saved_queries.h"
#include "ingest/base/result.h"
#include "render/tables/query_table.h"

namespace cinderscope {

// Where the tracks of one tab are seen: its trace, or both lanes of a comparison, A first.
using TrackLanes = std::vector<Session*>;

// Rows with a time and a duration, or with a time and a value; each row in the track of the lane
// that it leads to, so one track a lane, in their order, of which some may be empty. An Error says
// what is missing. Slices without a name of their own are called as the track is, or as the slice
// that they name. The lanes are those that were asked for `table`, which is one of `answer`'s.
Result<std::vector<AddedTrack>> tracks_of_rows(const QueryAnswer& answer, const QueryTable& table,
                                               const TrackLanes& lanes, std::string_view name);

// The tracks that queries gave in one tab. UI thread only.
class SqlTracks {
 public:
  SqlTracks();
  // One a lane, all of one name: in place of those of that name.
  void add(const TrackLanes& lanes, std::vector<AddedTrack> tracks, std::string query);
  Status close(const TrackLanes& lanes, const std::string& name);  // empty: all
  // Runs the query for it, after those that run already.
  void add_later(SavedQuery query);

  // Of all tracks, in order; those that are still being worked out count.
  std::vector<SavedQuery> queries() const;
  std::vector<std::string> names() const;
  bool busy() const { return runner_.running() || !waiting_.empty(); }
  void cancel();
  bool poll(const TrackLanes& lanes, const QueriedTraces& traces, std::string& message);

 private:
  std::vector<SavedQuery> queries_, waiting_;
  SavedQuery running_;
  QueryRunner runner_;
};

}  // namespace cinderscope
