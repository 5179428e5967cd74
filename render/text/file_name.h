// Names of files and folders as they are shown: in tabs, lists and titles.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cinderscope {

// The part of a path that tells it from others: the last one; before a number, as dump folders have
// for a name, the next part that is none ("shop/…/1795226708389").
std::string telling_name(std::string_view path);
// The folder that it lies in; "/" of a file in the root, empty of a bare name.
std::string_view folder_above_name(std::string_view path);

// A short name for each of several files that tells it from the others: without its endings, or
// with them, or with folders, or with a number, as it needs.
std::vector<std::string> short_file_names(std::span<const std::string> paths);

struct NamedPath {
  std::string_view name, path;
};
struct TabTitle {
  std::string text;
  // Where it begins to differ from the title that is most like it, at the begin of a word: what is
  // to stay visible where there is little room.
  std::size_t tells_from = 0;
};
// Names that several paths share get the folders before them that differ. Long ones are cut.
std::vector<TabTitle> tab_titles(std::span<const NamedPath> tabs);

}  // namespace cinderscope
