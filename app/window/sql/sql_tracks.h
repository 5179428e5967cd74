// Rows of queries as tracks of the timeline.
#pragma once

#include <string>
#include <vector>

#include "app/questions/query_answer.h"
#include "app/session/session.h"
#include "app/store/saved_queries.h"
#include "ingest/base/result.h"
#include "render/tables/query_table.h"

namespace cinderscope {

// Rows with a time and a duration, or with a time and a value. An Error says what is missing.
// Slices without a name of their own are called as the track is, or as the slice that they name.
Result<AddedTrack> track_of_rows(const QueryTable& table, const Timeline& timeline,
                                 std::string name);

// The tracks that queries gave in one tab. UI thread only.
class SqlTracks {
 public:
  SqlTracks();
  // In place of the one of that name.
  void add(Session& session, AddedTrack track, std::string query);
  Status close(Session& session, const std::string& name);  // empty: all
  // Runs the query for it, after those that run already.
  void add_later(SavedQuery query);

  const std::vector<SavedQuery>& queries() const { return queries_; }  // of all tracks, in order
  bool busy() const { return runner_.running() || !waiting_.empty(); }
  void cancel();
  bool poll(Session& session, std::string& message);

 private:
  std::vector<SavedQuery> queries_, waiting_;
  SavedQuery running_;
  QueryRunner runner_;
};

}  // namespace cinderscope
