// Steps over the objects of a trace: how long each is, and the few fields that loading needs.
#pragma once

#include <cstdint>

#include "formats/lincheck/java_reader.h"
#include "formats/lincheck/lincheck_wire.h"

namespace cinderscope::lincheck {

// The common head of a trace point.
struct PointHead {
  PointClass point = PointClass::call;
  std::int8_t diff_status = -1;  // below 0: the trace is no diff
  std::int32_t location = kNoId, thread = 0, event = 0;
};

// What the reader stands behind afterwards is the whole object; check cut() then. False: it holds a
// tag that the format does not have, so that its length cannot be told.

bool skip_type(JavaReader& in);
bool skip_value(JavaReader& in, const Layout& layout);  // of any nesting, without recursion

// After the kind byte of one of the reference kinds.
bool skip_reference(JavaReader& in, const Layout& layout, Kind kind, std::int32_t& id);

// After the kind byte of a trace point: up to the part that its class decides.
bool read_head(JavaReader& in, const Layout& layout, PointHead& head);
// After the head. `first` is the id of the method, field, variable or loop where there is one.
bool skip_body(JavaReader& in, const Layout& layout, PointClass point, std::int32_t& first);

// After the kind byte of the footer of a container. `unfinished`: the recording ended inside.
bool skip_footer(JavaReader& in, const Layout& layout, PointClass container, bool& unfinished);

}  // namespace cinderscope::lincheck
