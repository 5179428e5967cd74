#include "ingest/build/load_filter.h"

#include "ingest/base/number_text.h"

namespace cinderscope {

std::optional<LoadFilter> kept_part_from(std::string_view text) {
  const auto next_word = [&text] {
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    text.remove_prefix(end);
    return word;
  };
  const auto from = parse_number<std::int64_t>(next_word());
  const auto to = parse_number<std::int64_t>(next_word());
  if (!from || !to || *from >= *to) return std::nullopt;
  LoadFilter part{*from, *to, {}};
  const std::string_view thread = next_word();
  if (!thread.empty()) part.threads.emplace_back(thread);
  return part;
}

}  // namespace cinderscope
