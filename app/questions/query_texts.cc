#include "app/questions/query_texts.h"

#include "render/text/time_text.h"

namespace cinderscope {

std::string shown_time(const Timeline& timeline, std::int64_t time_ns) {
  return timestamp_text(time_ns, timestamp_format(timeline, TimelineState{}));
}

std::string shown_duration(const Timeline& timeline, std::int64_t ns) {
  return duration_text(ns, timeline.axis);
}

}  // namespace cinderscope
