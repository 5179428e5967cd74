// Edits of whole lines: comments and indents.
#include <algorithm>
#include <string>
#include <string_view>

#include "render/editing/edited_text.h"

namespace cinderscope {

namespace {

constexpr std::string_view kIndent = "  ";

template <class EditLine>
std::string each_line(std::string_view lines, EditLine edit) {
  std::string all;
  for (std::size_t begin = 0; begin <= lines.size();) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    if (begin > 0) all += '\n';
    all += edit(lines.substr(begin, end - begin));
    begin = end + 1;
  }
  return all;
}

std::size_t blanks_before(std::string_view line) {
  const std::size_t text = line.find_first_not_of(" \t");
  return text == std::string_view::npos ? line.size() : text;
}

}  // namespace

void EditedText::toggle_comment(std::string_view mark) {
  const TextSpan part = whole_lines();
  const std::string lines = text_.substr(part.begin, part.size());
  std::size_t least = lines.size();  // blanks before the line that has fewest
  bool all = true, any = false;
  each_line(lines, [&](std::string_view line) {
    const std::size_t text = blanks_before(line);
    if (text < line.size()) {
      any = true;
      least = std::min(least, text);
      all &= line.substr(text).starts_with(mark);
    }
    return std::string();
  });
  if (!any) return;
  const std::string with_blank = std::string(mark) + " ";
  const bool had_selection = has_selection();
  const std::size_t from_end = part.end - std::min(caret_, part.end);
  change(part,
         each_line(lines,
                   [&](std::string_view line) {
                     const std::size_t text = blanks_before(line);
                     std::string edited(line);
                     if (text == line.size()) return edited;
                     if (!all) return edited.insert(least, with_blank);
                     const bool blank = line.substr(text).starts_with(with_blank);
                     return edited.erase(text, mark.size() + (blank ? 1 : 0));
                   }),
         false);
  const std::size_t end = caret_;
  if (had_selection) {
    select({part.begin, end});
  } else {
    place_caret(end - std::min(from_end, end - part.begin), false);
  }
  if (!done_.empty()) {
    done_.back().caret_after = caret_;
    done_.back().anchor_after = anchor_;
  }
}

void EditedText::indent(bool out) {
  const TextSpan part = whole_lines();
  const std::string lines = text_.substr(part.begin, part.size());
  change(part,
         each_line(lines,
                   [&](std::string_view line) {
                     if (!out)
                       return line.empty() ? std::string() : std::string(kIndent).append(line);
                     std::size_t gone = 0;
                     while (gone < kIndent.size() && gone < line.size() && line[gone] == ' ')
                       ++gone;
                     if (gone == 0 && line.starts_with('\t')) gone = 1;
                     return std::string(line.substr(gone));
                   }),
         false);
  select({part.begin, caret_});
  if (!done_.empty()) {
    done_.back().caret_after = caret_;
    done_.back().anchor_after = anchor_;
  }
}

}  // namespace cinderscope
