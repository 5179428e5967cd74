#include "app/commands/path_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/commands/arguments.h"
#include "app/commands/palette_rows.h"
#include "formats/all_formats.h"
#include "ingest/base/ascii.h"
#include "ingest/base/path_text.h"
#include "render/base/actions.h"
#include "render/text/date_text.h"
#include "render/text/file_name.h"
#include "render/text/fuzzy_match.h"
#include "render/text/size_text.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

class PathRows {
 public:
  PathRows(const PathSource& source, std::string_view typed)
      : source_(source),
        typed_(typed),
        path_(typed_path(typed, source.home)),
        writes_(writes_path(source.command)) {}

  std::vector<PaletteRow> take() {
    if (typed_.empty()) {
      add_offers();
    } else {
      if (typed_.find('/') == std::string_view::npos && !writes_) add_recent();
      add_folder();
    }
    return std::move(rows_);
  }

 private:
  // "Open", "Save"
  std::string verb() const {
    return std::string(source_.command.help.substr(0, source_.command.help.find(' ')));
  }
  std::string whole(std::string_view name) const { return path_.folder + std::string(name); }

  void add_facts(PaletteRow& row, const std::string& path) const {
    const FileFacts* facts = source_.facts ? source_.facts(path) : nullptr;
    if (facts == nullptr) return;
    if (!facts->there) row.size = "missing";
    if (!facts->there) return;
    if (!facts->is_folder) row.size = size_text(facts->size_bytes);
    row.date = date_text(facts->modified_s, source_.now_s);
  }

  PaletteRow& add_run(std::string text, const std::string& path) {
    return rows_.emplace_back(PaletteRow{.text = std::move(text),
                                         .command = std::string(source_.command.name),
                                         .argument = quoted_argument(path)});
  }
  void add_note(std::string text) {
    rows_.emplace_back(PaletteRow{.text = std::move(text), .enabled = false});
  }

  void add_recent_row(const RecentFile& file, std::vector<std::uint32_t> offsets) {
    PaletteRow& row = add_run(std::string(telling_name(file.path)), file.path);
    row.offsets = std::move(offsets);
    row.note = folder_above_name(file.path);
    row.completes = std::string(source_.before) + file.path;
    add_facts(row, file.path);
    row.date = date_text(file.opened_s, source_.now_s);
  }

  void add_recent() {
    std::vector<RankedRow> found;
    for (const RecentFile& file : source_.recent) {
      auto match = fuzzy_match(typed_, telling_name(file.path));
      if (!match) continue;
      add_recent_row(file, std::move(match->offsets));
      found.push_back({std::move(rows_.back()), match->score});
      rows_.pop_back();
    }
    rows_ = best_rows(std::move(found));
  }

  void add_offers() {
    const std::vector<ArgumentForm> forms = argument_forms(source_.command);
    if (forms[0].optional) {  // it does something without a path as well
      rows_.emplace_back(PaletteRow{.text = std::string(source_.command.help),
                                    .note = "without a path",
                                    .command = std::string(source_.command.name)});
    }
    if (!writes_) {
      for (const RecentFile& file : source_.recent) add_recent_row(file, {});
      if (!source_.sample.empty()) add_run(verb() + " the sample", source_.sample);
    }
    for (const std::string& folder : source_.folders) {
      PaletteRow& row = rows_.emplace_back(PaletteRow{.text = folder, .note = "folder"});
      row.completes = std::string(source_.before) + folder;
    }
    if (source_.has_dialog) {
      rows_.emplace_back(PaletteRow{.text = "Browse…",
                                    .note = "the desktop's file dialog",
                                    .command = "browse",
                                    .argument = std::string(source_.command.name)});
    }
  }

  // What was typed as it stands, and the entries that it may become.
  void add_folder() {
    const FolderEntry* exact = nullptr;
    struct Found {
      const FolderEntry* entry;
      FuzzyMatch match;
    };
    std::vector<Found> found;
    if (source_.list != nullptr) {
      const bool hidden = path_.begin.starts_with('.');
      for (const FolderEntry& entry : source_.list->entries) {
        if (entry.name == path_.begin) exact = &entry;
        if (entry.name.starts_with('.') && !hidden) continue;
        if (auto match = part_match(path_.begin, entry.name)) {
          found.push_back({&entry, std::move(*match)});
        }
      }
      std::ranges::stable_sort(found, std::ranges::greater(),
                               [](const Found& each) { return each.match.score; });
    }
    if (typed_ == "~" || path_.begin == "." || path_.begin == "..") {
      add_entry({.name = std::string(path_.begin), .is_folder = true}, {});
    }
    // First the way into a folder, then all of it.
    if (exact != nullptr && exact->is_folder) add_entry(*exact, {});
    add_typed(exact, found.empty());
    const std::size_t shown = std::min(found.size(), kMostPathRows);
    for (std::size_t i = 0; i < shown; ++i) {
      if (found[i].entry != exact) add_entry(*found[i].entry, found[i].match.offsets);
    }
    if (found.size() > shown) {
      add_note(fmt::format("{} more: type some of the name", count_text(found.size() - shown)));
    }
    if (source_.list != nullptr && source_.list->cut) {
      add_note(fmt::format("Only {} entries of the folder are listed: type the whole name",
                           count_text(source_.list->entries.size())));
    }
  }

  void add_typed(const FolderEntry* exact, bool nothing_found) {
    const std::string path = without_tilde(typed_, source_.home);
    const bool in_folder = path_.begin.empty();
    const bool unread = source_.list != nullptr && !source_.list->problem.empty();
    if (add_with_more()) return;
    if (unread) {
      add_note(fmt::format("{}: {}", path_.folder, source_.list->problem));
      if (!writes_ && !in_folder) add_run(fmt::format("{} {}", verb(), typed_), path);
      return;
    }
    if (writes_) {
      const bool is_folder = in_folder || (exact != nullptr && exact->is_folder);
      if (exact != nullptr && !is_folder) {
        add_note(fmt::format("{} exists: type another name, or replace it", exact->name));
        add_run("Replace " + exact->name, path).argument += " force";
      } else if (!is_folder) {
        add_run(fmt::format("{} as {}", verb(), typed_), path);
      }
      return;
    }
    if (in_folder || exact != nullptr) {
      const bool is_folder = in_folder || exact->is_folder;
      PaletteRow& row = add_run(fmt::format("{} {}", verb(), typed_), path);
      if (is_folder) row.note = "the whole folder";
      if (!is_folder) row.kind = kind_of(exact->name);
      if (!in_folder) add_facts(row, whole(exact->name));
    } else if (source_.list == nullptr || nothing_found || source_.list->cut) {
      PaletteRow& row = add_run(fmt::format("{} {}", verb(), typed_), path);
      if (source_.list != nullptr && !source_.list->cut) row.note = "there is no such file";
    }
  }

  // "PATH +12ms", "PATH force": a path with what may follow it.
  bool add_with_more() {
    if (argument_forms(source_.command).size() < 2) return false;
    const std::size_t blank = typed_.find_last_of(' ');
    if (blank == std::string_view::npos || blank + 1 == typed_.size()) return false;
    const std::string path = without_tilde(trimmed(typed_.substr(0, blank)), source_.home);
    const std::string argument =
        fmt::format("{} {}", quoted_argument(path), typed_.substr(blank + 1));
    if (path.empty() || !parse_arguments(source_.command, argument)) return false;
    rows_.emplace_back(PaletteRow{.text = fmt::format("{} {}", verb(), typed_),
                                  .command = std::string(source_.command.name),
                                  .argument = argument});
    return true;
  }

  static std::string kind_of(std::string_view name) {
    const Format* format = format_of_name(name);
    return format == nullptr ? std::string() : std::string(format->description());
  }

  void add_entry(const FolderEntry& entry, std::vector<std::uint32_t> offsets) {
    const std::string slash = entry.is_folder ? "/" : "";
    PaletteRow& row = rows_.emplace_back(PaletteRow{.text = entry.name + slash});
    row.offsets = std::move(offsets);
    row.completes = fmt::format("{}{}{}{}", source_.before, path_.before, entry.name, slash);
    add_facts(row, whole(entry.name));
    if (entry.is_folder) return;
    row.kind = kind_of(entry.name);
    if (writes_) return;  // goes into the field, where it is asked whether to replace it
    row.command = source_.command.name;
    row.argument = quoted_argument(whole(entry.name));
  }

  const PathSource& source_;
  const std::string_view typed_;
  const TypedPath path_;
  const bool writes_;
  std::vector<PaletteRow> rows_;
};

}  // namespace

std::string without_tilde(std::string_view typed, std::string_view home) {
  if (home.empty() || (typed != "~" && !typed.starts_with("~/"))) return std::string(typed);
  return std::string(home).append(typed.substr(1));
}

TypedPath typed_path(std::string_view typed, std::string_view home) {
  const std::size_t slash = typed.rfind('/');
  if (slash == std::string_view::npos) return {"./", {}, typed};
  const std::string_view before = typed.substr(0, slash + 1);
  return {without_tilde(before, home), before, typed.substr(slash + 1)};
}

std::string folder_above(std::string_view typed, std::string_view home) {
  std::string folder = typed == "~/" ? without_tilde(typed, home) : std::string(typed);
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  const std::size_t slash = folder.rfind('/');
  const std::string_view last = std::string_view(folder).substr(slash + 1);  // npos + 1 is 0
  if (last == "..") return folder + "/../";
  if (last == ".") return folder.substr(0, folder.size() - 1) + "../";
  return slash == std::string::npos ? std::string() : folder.substr(0, slash + 1);
}

bool looks_like_path(std::string_view typed) {
  return is_absolute_path(typed) || typed.starts_with("~/") || typed.starts_with("./") ||
         typed.starts_with("../");
}

bool takes_path(const Command& command) {
  const std::vector<ArgumentForm> forms = argument_forms(command);
  return !forms.empty() && forms[0].kind == ArgumentKind::path;
}

bool writes_path(const Command& command) {
  const std::vector<ArgumentForm> forms = argument_forms(command);
  return forms.size() > 1 && forms[0].kind == ArgumentKind::path &&
         std::ranges::find(forms[1].words, "force") != forms[1].words.end();
}

std::vector<PaletteRow> path_rows(const PathSource& source, std::string_view typed) {
  return PathRows(source, typed).take();
}

}  // namespace cinderscope
