#include "render/text/file_name.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "ingest/base/ascii.h"

namespace cinderscope {
namespace {

constexpr std::size_t kMostBytes = 160;  // of a title
constexpr std::size_t kMostFolders = 4;  // before a name that is not the only one of its kind

std::string_view without_slashes(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path;
}

// Where the last `parts` parts of a path begin.
std::size_t begin_of_last(std::string_view path, std::size_t parts) {
  std::size_t begin = path.size();
  for (; parts > 0 && begin > 0; --parts) {
    const std::size_t slash = begin < 2 ? std::string_view::npos : path.rfind('/', begin - 2);
    if (slash == std::string_view::npos) return 0;
    begin = slash + 1;
  }
  return begin;
}

std::string cut_to(std::string_view text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return std::string(text);
  while (most_bytes > 0 && (static_cast<unsigned char>(text[most_bytes]) & 0xc0) == 0x80) {
    --most_bytes;
  }
  return std::string(text.substr(0, most_bytes));
}

// The fewest folders before each name of a group of equal ones that tell them all apart.
void tell_apart(std::span<const NamedPath> tabs, const std::vector<std::size_t>& group,
                std::vector<TabTitle>& titles) {
  for (std::size_t parts = 2; parts <= kMostFolders + 1; ++parts) {
    std::map<std::string_view, int> counts;
    for (const std::size_t tab : group) {
      const std::string_view path = without_slashes(tabs[tab].path);
      const std::string_view end = path.substr(begin_of_last(path, parts));
      ++counts[end];
      titles[tab].text = cut_to(end, kMostBytes);
    }
    if (counts.size() == group.size()) return;
  }
}

// "run.json.gz" -> "run"; a version or a date behind a point is no ending.
std::string_view without_endings(std::string_view name) {
  constexpr std::size_t kMost = 10;
  const auto ending = [&] {
    const std::size_t point = name.rfind('.');
    if (point == std::string_view::npos || point == 0) return std::string_view();
    const std::string_view found = name.substr(point + 1);
    const bool is_word = !found.empty() && found.size() <= kMost && is_letter(found[0]) &&
                         std::ranges::all_of(found, is_letter_or_digit);
    return is_word ? found : std::string_view();
  };
  const auto drop = [&](std::string_view found) { name.remove_suffix(found.size() + 1); };
  constexpr std::string_view kPacked[] = {"gz", "zst", "lz4"};
  if (std::ranges::find(kPacked, ending()) != std::end(kPacked)) drop(ending());
  if (!ending().empty()) drop(ending());
  return name;
}

bool begins_word(std::string_view text, std::size_t at) {
  return at == 0 || (is_letter_or_digit(text[at]) && !is_letter_or_digit(text[at - 1]) &&
                     static_cast<unsigned char>(text[at - 1]) < 0x80);
}

std::size_t common_begin(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

}  // namespace

std::string telling_name(std::string_view path) {
  path = without_slashes(path);
  std::string name(path.substr(begin_of_last(path, 1)));
  if (!is_number(name)) return name;
  for (std::size_t parts = 2;; ++parts) {
    const std::size_t begin = begin_of_last(path, parts);
    const std::string_view rest = path.substr(begin);
    const std::string_view folder = rest.substr(0, rest.find('/'));
    if (folder.empty()) return name;
    if (!is_number(folder)) {
      return std::string(folder).append(parts == 2 ? "/" : "/…/").append(name);
    }
    if (begin == 0) return name;
  }
}

std::string_view folder_above_name(std::string_view path) {
  path = without_slashes(path);
  const std::string_view folder = path.substr(0, begin_of_last(path, 1));
  return folder.size() > 1 ? folder.substr(0, folder.size() - 1) : folder;
}

std::vector<std::string> short_file_names(std::span<const std::string> paths) {
  // A path that comes twice is told apart by a number alone.
  std::map<std::string_view, std::string> names;
  std::map<std::string_view, int> stem_counts;
  for (const std::string& path : paths) names.try_emplace(path, telling_name(path));
  for (const auto& [path, name] : names) ++stem_counts[without_endings(name)];
  std::vector<NamedPath> named;
  for (const auto& [path, name] : names) {
    const std::string_view stem = without_endings(name);
    named.push_back({stem_counts[stem] == 1 ? stem : std::string_view(name), path});
  }
  const std::vector<TabTitle> titles = tab_titles(named);
  for (std::size_t i = 0; i < named.size(); ++i) names[named[i].path] = titles[i].text;
  std::vector<std::string> out;
  std::set<std::string> taken;
  for (const std::string& path : paths) {
    std::string name = names[path];
    for (int copy = 2; !taken.insert(name).second; ++copy) {
      name = names[path] + " (" + std::to_string(copy) + ")";
    }
    out.push_back(std::move(name));
  }
  return out;
}

std::vector<TabTitle> tab_titles(std::span<const NamedPath> tabs) {
  std::vector<TabTitle> titles(tabs.size());
  std::map<std::string_view, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < tabs.size(); ++i) {
    titles[i].text = cut_to(tabs[i].name, kMostBytes);
    groups[tabs[i].name.substr(0, kMostBytes)].push_back(i);
  }
  for (const auto& [name, group] : groups) {
    if (group.size() > 1) tell_apart(tabs, group, titles);
  }
  // In order each title's neighbours are those that are most like it.
  std::vector<std::size_t> order(tabs.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t i) -> const std::string& { return titles[i].text; });
  for (std::size_t i = 1; i < order.size(); ++i) {
    TabTitle &a = titles[order[i - 1]], &b = titles[order[i]];
    const std::size_t common = common_begin(a.text, b.text);
    a.tells_from = std::max(a.tells_from, common);
    b.tells_from = std::max(b.tells_from, common);
  }
  for (TabTitle& title : titles) {
    std::size_t& from = title.tells_from;
    from = std::min(from, title.text.empty() ? 0 : title.text.size() - 1);
    while (from > 0 && !begins_word(title.text, from)) --from;
  }
  return titles;
}

}  // namespace cinderscope
