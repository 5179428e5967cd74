#include "app/questions/scope_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "ingest/base/json/json_value.h"

namespace cinderscope {
namespace {

void write_end(JsonWriter& out, std::int64_t ns, std::int64_t none) {
  if (ns == none) {
    out.null();
  } else {
    out.number(ns);
  }
}

Error not_understood(std::string_view key, std::string_view json) {
  return {ErrorCode::damaged, fmt::format("A scope's \"{}\" cannot be {}.", key, json), {}};
}

bool read_range(const JsonValue& json, Scope& scope) {
  if (json.kind == JsonKind::null) return true;
  if (json.kind != JsonKind::array || json.members.size() != 2) return false;
  const auto read_end = [](const JsonValue& value, std::int64_t& ns) {
    if (value.kind == JsonKind::null) return true;
    const std::optional<std::int64_t> number = value.number<std::int64_t>();
    ns = number.value_or(ns);
    return number.has_value();
  };
  return read_end(json.members[0].value, scope.begin_ns) &&
         read_end(json.members[1].value, scope.end_ns) && scope.begin_ns <= scope.end_ns;
}

bool read_tracks(const JsonValue& json, Scope& scope) {
  if (json.kind != JsonKind::array) return false;
  for (const JsonMember& member : json.members) {
    const std::optional<std::uint32_t> track = member.value.number<std::uint32_t>();
    if (!track) return false;
    scope.tracks.push_back(TrackId{*track});
  }
  std::sort(scope.tracks.begin(), scope.tracks.end());
  return true;
}

bool read_slices(const JsonValue& json, Scope& scope) {
  const std::optional<SlicesOf> slices = slices_of_word(json.text);
  scope.slices = slices.value_or(scope.slices);
  return slices.has_value();
}

bool read_set(const JsonValue& json, Scope& scope) {
  scope.set = json.text;
  return json.kind == JsonKind::null || !json.text.empty();
}

}  // namespace

void write_scope(JsonWriter& out, const Scope& scope) {
  out.begin_object().key("range");
  if (scope.has_range()) {
    out.begin_array();
    write_end(out, scope.begin_ns, INT64_MIN);
    write_end(out, scope.end_ns, INT64_MAX);
    out.end_array();
  } else {
    out.null();
  }
  out.key("threads").begin_array();
  for (const TrackId track : scope.tracks) out.number(std::uint64_t{index(track)});
  out.end_array().field("slices", word_of(scope.slices)).key("set");
  if (scope.set.empty()) {
    out.null();
  } else {
    out.text(scope.set);
  }
  out.end_object();
}

Result<Scope> scope_from_json(std::string_view json) {
  const Result<JsonValue> value = read_json(json);
  if (!value || value->kind != JsonKind::object) {
    return Error{ErrorCode::damaged, "A scope is a JSON object.", {}};
  }
  Scope scope;
  const auto read = [&](std::string_view key, auto reader) -> Status {
    const JsonValue* member = value->find(key);
    if (member == nullptr || reader(*member, scope)) return ok();
    return not_understood(key, member->raw);
  };
  for (const Status& status : {read("range", read_range), read("threads", read_tracks),
                               read("slices", read_slices), read("set", read_set)}) {
    if (!status) return status.error();
  }
  if (const Status status = check_scope(scope); !status) return status.error();
  return scope;
}

}  // namespace cinderscope
