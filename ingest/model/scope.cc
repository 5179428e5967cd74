#include "ingest/model/scope.h"

#include <fmt/format.h>

#include <optional>

#include "ingest/base/number_text.h"

namespace cinderscope {
namespace {

Error not_understood(std::string_view what) {
  return {ErrorCode::damaged, fmt::format("\"{}\" is not part of a scope.", what),
          "A scope is \"trace\" or some of \"range BEGIN..END\", \"threads TRACK…\", \"calls\", "
          "\"samples\", \"both\" and \"set NAME\"."};
}

// The next word, taken off the text; empty at its end.
std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size());
  return word;
}

// "1500..2500", either end of which may be missing.
bool read_range(std::string_view word, Scope& scope) {
  const std::size_t dots = word.find("..");
  if (dots == std::string_view::npos) return false;
  const std::string_view first = word.substr(0, dots), last = word.substr(dots + 2);
  const auto begin_ns = parse_number<std::int64_t>(first),
             end_ns = parse_number<std::int64_t>(last);
  if ((!first.empty() && !begin_ns) || (!last.empty() && !end_ns)) return false;
  scope.begin_ns = begin_ns.value_or(INT64_MIN);
  scope.end_ns = end_ns.value_or(INT64_MAX);
  return scope.begin_ns <= scope.end_ns;
}

// Words up to the first that is no number.
bool read_tracks(std::string_view& text, Scope& scope) {
  for (;;) {
    std::string_view rest = text;
    const auto track = parse_number<std::uint32_t>(take_word(rest));
    if (!track) break;
    scope.tracks.push_back(TrackId{*track});
    text = rest;
  }
  std::sort(scope.tracks.begin(), scope.tracks.end());
  scope.tracks.erase(std::unique(scope.tracks.begin(), scope.tracks.end()), scope.tracks.end());
  return !scope.tracks.empty();
}

}  // namespace

std::string_view word_of(SlicesOf slices) {
  return slices == SlicesOf::calls ? "calls" : slices == SlicesOf::samples ? "samples" : "both";
}

std::optional<SlicesOf> slices_of_word(std::string_view word) {
  for (const SlicesOf slices : {SlicesOf::calls, SlicesOf::samples, SlicesOf::both}) {
    if (word == word_of(slices)) return slices;
  }
  return std::nullopt;
}

Status check_scope(const Scope& scope) {
  if (scope.has_set() && scope.set != kConnectedSet) {
    return Error{ErrorCode::damaged, fmt::format("There is no set of slices \"{}\".", scope.set),
                 fmt::format("The set that there is: \"{}\".", kConnectedSet)};
  }
  return ok();
}

std::string scope_text(const Scope& scope) {
  std::string text;
  const auto add = [&text](std::string_view more) {
    if (!text.empty()) text += ' ';
    text += more;
  };
  if (scope.has_range()) {
    const auto end_text = [](std::int64_t ns, std::int64_t none) {
      return ns == none ? std::string() : fmt::to_string(ns);
    };
    add(fmt::format("range {}..{}", end_text(scope.begin_ns, INT64_MIN),
                    end_text(scope.end_ns, INT64_MAX)));
  }
  if (scope.names_tracks()) add("threads");
  for (const TrackId track : scope.tracks) add(fmt::to_string(index(track)));
  if (scope.slices != SlicesOf::calls) add(word_of(scope.slices));
  if (!scope.set.empty()) add("set " + scope.set);
  return text.empty() ? "trace" : text;
}

Result<Scope> parse_scope(std::string_view text) {
  Scope scope;
  while (true) {
    const std::string_view word = take_word(text);
    if (word.empty()) break;
    if (word == "trace") continue;
    if (word == "range") {
      const std::string_view range = take_word(text);
      if (!read_range(range, scope)) return not_understood(range);
    } else if (word == "threads") {
      if (!read_tracks(text, scope)) return not_understood("threads");
    } else if (const std::optional<SlicesOf> slices = slices_of_word(word)) {
      scope.slices = *slices;
    } else if (word == "set") {
      scope.set = take_word(text);
      if (scope.set.empty()) return not_understood("set");
    } else {
      return not_understood(word);
    }
  }
  if (const Status status = check_scope(scope); !status) return status.error();
  return scope;
}

}  // namespace cinderscope
