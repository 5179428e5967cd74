#include "app/compare/side_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cinderscope {

namespace {

// The place of the last # that begins a THREAD, quoted or not.
std::size_t last_thread(std::string_view text) {
  if (text.ends_with('"')) {
    std::size_t quote = text.size() - 1;
    while (quote > 0) {
      quote = text.rfind('"', quote - 1);
      if (quote == std::string_view::npos || quote == 0) break;
      if (text[quote - 1] == '#') return quote - 1;
    }
  }
  return text.rfind('#');
}

Result<SideText> with_part(std::string_view path, std::string_view range,
                           const std::vector<std::string_view>& threads) {
  SideText side{.paths = {std::string(path)}, .part = {}};
  if (!range.empty()) {
    const std::size_t dots = range.find("..");
    if (dots == std::string_view::npos) {
      return refused(fmt::format("\"{}\" is no range; write it as @+1s..+2s.", range));
    }
    Result<TypedTime> from = typed_time(range.substr(0, dots));
    if (!from) return from.error();
    Result<TypedTime> to = typed_time(range.substr(dots + 2));
    if (!to) return to.error();
    side.part.from = std::move(*from);
    side.part.to = std::move(*to);
  }
  for (const std::string_view text : threads) {
    Result<TypedThread> thread = typed_thread(text);
    if (!thread) return thread.error();
    side.part.threads.push_back(std::move(*thread));
  }
  return side;
}

}  // namespace

Result<StatisticsQuery> query_of(const Timeline& timeline, const ComparedPart& part) {
  StatisticsQuery query{.scope = {}, .whole_calls = part.whole_calls};
  const Result<TypedRange> range = range_in(time_context(timeline), part.from, part.to);
  if (!range) return range.error();
  query.scope.begin_ns = range->begin_ns;
  query.scope.end_ns = range->end_ns;
  if (!part.threads.empty()) {
    Result<std::vector<TrackId>> tracks = tracks_meant(timeline, part.threads);
    if (!tracks) return tracks.error();
    query.scope.tracks = std::move(*tracks);
  }
  query.scope.slices = part.slices.value_or(slices_worth_measuring(timeline, query.scope));
  return query;
}

Result<SideText> parse_side(std::string_view text,
                            const std::function<bool(const std::string&)>& exists) {
  std::string_view rest = text;
  std::vector<std::string_view> threads;
  while (!rest.empty()) {
    if (exists(std::string(rest))) return with_part(rest, {}, threads);
    const std::size_t at = rest.rfind('@');
    const bool has_range =
        at != std::string_view::npos && at > 0 && rest.find('#', at) == std::string_view::npos;
    if (has_range && exists(std::string(rest.substr(0, at)))) {
      return with_part(rest.substr(0, at), rest.substr(at + 1), threads);
    }
    const std::size_t hash = last_thread(rest);
    if (hash == std::string_view::npos || hash == 0) break;
    threads.insert(threads.begin(), rest.substr(hash + 1));
    rest = rest.substr(0, hash);
  }
  return with_part(text, {}, {});  // whoever opens it says that it is not there
}

}  // namespace cinderscope
