// What a session says of a tab, put on another trace: threads, search and panel, by their names.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/session_file/session_file.h"
#include "ingest/base/result.h"
#include "ingest/model/timeline.h"

namespace cinderscope {

struct SessionLayout {
  std::string path;
  SessionTab tab;
};

// Of the session's first tab of a trace or a merged timeline. Reads the disk.
Result<SessionLayout> read_layout(const std::string& path);

// What tells for which layouts a trace is.
struct LayoutSubject {
  std::string format;                  // as it is registered, "google_json"
  std::vector<std::string> processes;  // their names
};

// The one of the folder's files NAME.cinder that is for such a trace: one whose "for" fits, else
// the one named after the format, else "default.cinder"; of several the first by name. One whose
// "for" does not fit is not for it. Looks at 100 files at most. Reads the disk.
std::optional<SessionLayout> default_layout(const std::string& folder,
                                            const LayoutSubject& subject);

// What the threads and processes of `tab` that `timeline` lacks are called, each once; without a
// name by their ids. UI thread.
std::vector<std::string> lost_threads(const Timeline& timeline, const SessionTab& tab,
                                      bool names_alone);

}  // namespace cinderscope
