// What of a session is of use where its traces were cut or made anonymous.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session_file/session_file.h"
#include "ingest/model/typed_time.h"

namespace cinderscope {

// By traces' ids; what is not in it is whole.
using CutRanges = std::map<std::string, TypedRange, std::less<>>;

struct LeftOut {
  std::size_t views = 0, bookmarks = 0, selections = 0;
  std::string sentence() const;  // empty: nothing was
};

// Views, bookmarks, ranges and selected calls that lie outside are left out.
LeftOut cut_session(SessionFile& session, const CutRanges& ranges);

// For `view` and `selected`: what the tabs of a trace show, or have selected, taken together.
std::optional<TypedRange> shown_range(const SessionFile& session, std::string_view trace,
                                      bool selected);

// Without anything that names what the traces name, or that somebody wrote: views, ranges and
// bookmarks' times are left.
void make_anonymous(SessionFile& session);

// What the session's text has said of the paths that its traces had, in members beside "path", is
// forgotten: in a pack they have others.
void forget_old_paths(SessionFile& session);

// Traces without a path are gone, and with them the tabs that show nothing else.
void drop_traces_without_path(SessionFile& session);

}  // namespace cinderscope
