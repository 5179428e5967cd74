#include "app/places/show_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace cinderscope {
namespace {

constexpr char kBetween = '\x1f';  // words of an option that is handed over

constexpr std::array<std::pair<std::string_view, std::size_t>, 9> kOptions = {{
    {"--view", 2},
    {"--range", 2},
    {"--select", 1},
    {"--search", 1},
    {"--pin", 1},
    {"--only", 1},
    {"--panel", 1},
    {"--layout", 1},
    {"--sql", 1},
}};

// A time as in the file.
TypedTime absolute(std::int64_t ns) {
  return {.ns = ns, .note = {}, .text = fmt::to_string(ns)};
}

std::optional<std::pair<TypedTime, TypedTime>> times_of(const std::optional<TimeRange>& range) {
  if (!range) return std::nullopt;
  return std::pair(absolute(range->begin_ns), absolute(range->end_ns));
}

Status take(const ShowWord& word, ShowOptions& to) {
  const std::string& first = word.values.front();
  if (word.option == "--view" || word.option == "--range") {
    Result<TypedTime> begin = typed_time(first), end = typed_time(word.values.back());
    if (!begin) return begin.error();
    if (!end) return end.error();
    (word.option == "--view" ? to.view : to.range) = std::pair(std::move(*begin), std::move(*end));
  } else if (word.option == "--select") {
    Result<TypedSlice> slice = typed_slice(first);
    if (!slice) return slice.error();
    to.select = std::move(*slice);
  } else if (word.option == "--search") {
    to.search = first;
  } else if (word.option == "--panel") {
    to.panel = first;
  } else if (word.option == "--layout") {
    to.layout = first;
  } else if (word.option == "--sql") {
    to.sql = first;
    to.runs_sql = true;
  } else {
    Result<TypedThread> thread = typed_thread(first);
    if (!thread) return thread.error();
    (word.option == "--pin" ? to.pins : to.only).push_back(std::move(*thread));
  }
  return ok();
}

}  // namespace

std::size_t values_of_show_option(std::string_view option) {
  const auto* found =
      std::ranges::find(kOptions, option, &std::pair<std::string_view, std::size_t>::first);
  return found == kOptions.end() ? 0 : found->second;
}

Result<ShowOptions> show_options(const std::vector<ShowWord>& words) {
  ShowOptions options;
  for (const ShowWord& word : words) {
    const std::size_t values = values_of_show_option(word.option);
    if (values == 0 || values != word.values.size()) {
      return refused(fmt::format("{} is no such option.", word.option));
    }
    if (const Status taken = take(word, options); !taken) {
      return refused(fmt::format("{}: {}", word.option, taken.error().text));
    }
  }
  return options;
}

ShowOptions show_options(const Place& place) {
  ShowOptions options{.view = times_of(place.view), .range = times_of(place.range)};
  options.slice = place.slice;
  if (!place.search.empty()) options.search = place.search;
  options.thread = place.thread;
  options.panel = place.panel;
  options.sql = place.sql;
  if (!place.unread.empty()) {
    options.problems.push_back(
        fmt::format("The place's {} could not be read.", fmt::join(place.unread, ", ")));
  }
  return options;
}

std::string handed_over(const ShowWord& word) {
  std::string text = word.option;
  for (const std::string& value : word.values) text += kBetween + value;
  return text;
}

std::optional<ShowWord> show_word_from(std::string_view text) {
  ShowWord word;
  for (bool first = true;; first = false) {
    const std::size_t end = text.find(kBetween);
    const std::string_view part = text.substr(0, end);
    if (first) {
      word.option = part;
    } else {
      word.values.emplace_back(part);
    }
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  const std::size_t values = values_of_show_option(word.option);
  if (values == 0 || values != word.values.size()) return std::nullopt;
  return word;
}

}  // namespace cinderscope
