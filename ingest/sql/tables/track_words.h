// Kinds of tracks as queries spell them: not as files of views do (app/store/track_names).
#pragma once

#include <string_view>

#include "ingest/model/timeline.h"

namespace cinderscope {

inline std::string_view kind_word(TrackKind kind) {
  switch (kind) {
    case TrackKind::thread:
      return "thread";
    case TrackKind::async:
      return "async";
    case TrackKind::samples:
      return "samples";
    case TrackKind::counter:
      return "counter";
    case TrackKind::calls:
      return "calls";
    case TrackKind::lifetimes:
      return "object";
    case TrackKind::marks:
      return "marks";
  }
  return "";
}

}  // namespace cinderscope
