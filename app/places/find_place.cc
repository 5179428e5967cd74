#include "app/places/find_place.h"

#include <filesystem>

#include "app/places/trace_identity.h"
#include "ingest/base/path_text.h"
#include "ingest/os/file.h"

namespace cinderscope {
namespace {

constexpr std::size_t kMostLooks = 2000;

bool has_name(const std::string& path, const std::string& name) {
  return path_of(path).filename() == path_of(name);
}

bool is_that(const std::string& path, const PlacedTrace& trace) {
  const std::optional<TraceIdentity> identity = trace_identity(path);
  return identity && (!trace.size_bytes || identity->size_bytes == *trace.size_bytes) &&
         (trace.head.empty() || identity->head.starts_with(trace.head));
}

}  // namespace

std::optional<FoundPlace> find_place(const PlaceSearch& search) {
  const PlacedTrace& trace = search.trace;
  const bool is_known = trace.size_bytes || !trace.head.empty();
  std::optional<FoundPlace> named;
  std::size_t looks = 0;
  for (const bool open : {true, false}) {
    for (const std::string& path : open ? search.open : search.others) {
      if (++looks > kMostLooks) return named;
      const bool same_name = has_name(path, trace.name);
      if (!same_name && (!open || !is_known)) continue;
      if (!open && !file_status(path_of(path))) continue;
      if (is_known ? is_that(path, trace) : same_name) return FoundPlace{path, false};
      if (same_name && !named) named = FoundPlace{path, true};
    }
  }
  return named;
}

}  // namespace cinderscope
