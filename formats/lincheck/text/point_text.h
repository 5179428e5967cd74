// A trace point as one line of text, as the recorder's own printer writes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "formats/lincheck/lookup.h"
#include "formats/lincheck/objects.h"
#include "ingest/model/ids.h"

namespace cinderscope::lincheck {

// " at File.java:12"
void append_place(std::string& out, std::int32_t location, const Lookup& names);

struct LineOptions {
  bool with_places = false;
  bool mark_unchanged = false;  // in a diff: two blanks before what has no mark of its own
  // The method that the innermost call around the point is of; kNoId where there is none. Without
  // it the point's place in the source tells who calls.
  std::optional<std::int32_t> caller;
  // The call in whose place the point is shown: it was made where that call was.
  RecordOffset instead_of = kNoRecord;
  bool fewer_iterations = false;  // of a loop: its last one is not counted
};
// The point whose kind byte is at `record`; of a container, `footer` is the one of its footer,
// kNoRecord if the data end before. Empty if there is no trace point.
void append_line(std::string& out, RecordOffset record, RecordOffset footer, const Lookup& names,
                 LineOptions options);

}  // namespace cinderscope::lincheck
