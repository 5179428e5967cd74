// A tab that a session made: what is to be put back in it, and how far that is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "app/session_file/session_file.h"
#include "render/base/viewport.h"

namespace cinderscope {

struct SessionPart {
  SessionTab saved;
  std::size_t place = 0;        // among the tabs of its session
  bool at_once = false;         // the view and the bookmarks were put back
  bool restored = false;        // all else, too
  bool scrolled = false;        // so was what needs a picture first
  std::uint64_t key = 0;        // what change_key() gave then
  bool is_change = false;       // it is another recording than the session's
  bool may_be_another = false;  // packed in another way: its facts tell whether it is that one
  Viewport restored_view;
  std::size_t frames_to_scroll = 3;
  // Of a trace in place of another one: where that began.
  std::optional<std::int64_t> shift_from_ns;
};

}  // namespace cinderscope
