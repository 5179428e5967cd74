#include "formats/google_json/text/container_note.h"

#include <fmt/format.h>

#include <algorithm>

#include "ingest/base/json/json_writer.h"
#include "ingest/base/json/raw_json.h"
#include "ingest/base/number_text.h"

namespace cinderscope::google_json {
namespace {

constexpr std::int64_t kMostTime = std::int64_t{1} << 62;

std::int64_t time_of(std::string_view value) {
  const auto number = parse_number<std::int64_t>(value);
  return number ? std::clamp(*number, -kMostTime, kMostTime) : 0;
}

}  // namespace

std::string ContainerNote::json() const {
  return fmt::format(
      "{{\"version\":1,\"format\":{},\"axis\":\"{}\",\"begin\":{},\"tolerance\":{},"
      "\"range\":[{},{}]}}",
      json_quoted(format), are_events ? "events" : "ns", begin, tolerance_ns, range[0], range[1]);
}

std::optional<ContainerNote> ContainerNote::from(std::string_view value) {
  if (!json::is_object(value) || json::member(value, "version") != "1") return std::nullopt;
  ContainerNote note;
  note.format = json::text_of(json::member(value, "format"));
  note.are_events = json::text_of(json::member(value, "axis")) == "events";
  note.begin = time_of(json::member(value, "begin"));
  note.tolerance_ns = std::clamp<std::int64_t>(time_of(json::member(value, "tolerance")), 0, 1000);
  return note;
}

}  // namespace cinderscope::google_json
