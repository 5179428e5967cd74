#include "app/window/sessions/session_traces.h"

#include "app/session/session.h"
#include "ingest/format/format.h"

namespace cinderscope {

std::optional<TraceFacts> facts_of(const Session& session) {
  if (session.loading() || !session.has_trace() || session.format() == nullptr) return std::nullopt;
  const Timeline& timeline = session.timeline();
  return TraceFacts{.format = std::string(session.format()->name()),
                    .slices = timeline.slice_count,
                    .begin_ns = timeline.begin_ns,
                    .end_ns = timeline.end_ns};
}

}  // namespace cinderscope
