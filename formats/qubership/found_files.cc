#include "formats/qubership/found_files.h"

#include <algorithm>
#include <filesystem>
#include <tuple>
#include <utility>

#include "ingest/base/ascii.h"
#include "ingest/base/number_text.h"
#include "ingest/base/path_text.h"

namespace cinderscope::qubership {

using cinderscope::utf8_of;  // of paths, beside that of WireText
namespace {

namespace fs = std::filesystem;

// The whole path, so that the folders above have names.
fs::path whole_path(const Input& input) {
  std::error_code error;
  fs::path path = fs::weakly_canonical(input.path(), error);
  if (error) path = input.path();
  return path;
}

// Adds the files of one stream's folder; false if it holds none.
bool add_rolled(FoundFiles& found, Input folder, Stream stream, std::string_view folder_name) {
  bool any = false;
  for (const std::string& file : folder.files()) {
    const auto number = rolled_index(file);
    if (!number) continue;
    any = true;
    found.files.push_back(
        {stream, *number, found.folders.size(), file, std::string(folder_name) + "/" + file});
  }
  if (any) found.folders.push_back(std::move(folder));
  return any;
}

bool add_incarnation(FoundFiles& found, const Input& folder) {
  bool any = false;
  for (const StreamName& known : kStreamNames) {
    if (known.stream == Stream::gc) continue;
    Result<Input> inner = folder.companion(known.name);
    if (!inner || !inner->is_folder()) continue;
    any = add_rolled(found, std::move(*inner), known.stream, known.name) || any;
  }
  return any;
}

bool add_loose(FoundFiles& found, Input folder) {
  bool any = false;
  for (const std::string& file : folder.files()) {
    const auto loose = loose_name(file);
    if (!loose || loose->stream == Stream::gc) continue;
    any = true;
    found.files.push_back({loose->stream, loose->index, found.folders.size(), file, file});
  }
  if (any) found.folders.push_back(std::move(folder));
  return any;
}

// What is shown; all else explains it.
bool is_content(Stream stream) {
  return stream == Stream::suspend || stream == Stream::calls || stream == Stream::call_ranges ||
         stream == Stream::trace;
}

// Only `stream` is to be shown, and only `file` of it if it is not empty.
void keep_only(FoundFiles& found, Stream stream, std::string_view folder_name,
               std::string_view file) {
  if (!is_content(stream)) return;
  const std::string prefix = folder_name.empty() ? "" : std::string(folder_name) + "/";
  std::erase_if(found.files, [&](const FoundFile& f) {
    if (!is_content(f.stream)) return false;
    if (f.stream != stream || !f.name.starts_with(prefix)) return true;
    return !file.empty() && f.file != file;
  });
}

// Words of a lesser source and copies of calls are of use only where there is nothing better.
void drop_copies(FoundFiles& found) {
  const auto has = [&](Stream stream) {
    return std::ranges::any_of(found.files, [&](const FoundFile& f) { return f.stream == stream; });
  };
  const bool words = has(Stream::dictionary) || has(Stream::pos_dictionary);
  const bool calls = has(Stream::calls);
  std::erase_if(found.files, [&](const FoundFile& f) {
    return (words && f.stream == Stream::calls_dictionary) ||
           (calls && f.stream == Stream::call_ranges);
  });
  std::ranges::stable_sort(found.files, [](const FoundFile& a, const FoundFile& b) {
    return std::tie(a.stream, a.index) < std::tie(b.stream, b.index);
  });
}

FoundFiles find_in_folder(const Input& input) {
  FoundFiles found;
  if (add_incarnation(found, input)) return found;
  Result<Input> again = Input::from_path(input.path(), input.disk_share());
  if (again && add_loose(found, std::move(*again))) return found;
  const fs::path path = whole_path(input);
  const std::string name = utf8_of(path.filename());
  const auto stream = stream_named(name);
  if (!stream || *stream == Stream::gc) return found;
  Result<Input> parent = Input::from_path(path.parent_path(), input.disk_share());
  if (!parent || !parent->is_folder()) return found;
  add_incarnation(found, *parent);
  keep_only(found, *stream, name, {});
  const bool own = std::ranges::any_of(
      found.files, [&](const FoundFile& f) { return f.name.starts_with(name + "/"); });
  return own ? std::move(found) : FoundFiles{};
}

FoundFiles find_beside_file(const Input& input) {
  FoundFiles found;
  const std::string_view file = input.name();
  const fs::path folder = whole_path(input).parent_path();
  if (const auto loose = loose_name(file)) {
    Result<Input> around = Input::from_path(folder, input.disk_share());
    if (!around || loose->stream == Stream::gc) return found;
    add_loose(found, std::move(*around));
    keep_only(found, loose->stream, {}, file);
    return found;
  }
  const std::string name = utf8_of(folder.filename());
  const auto stream = stream_named(name);
  if (!rolled_index(file) || !stream || *stream == Stream::gc) return found;
  Result<Input> around = Input::from_path(folder.parent_path(), input.disk_share());
  if (!around || !around->is_folder()) return found;
  add_incarnation(found, *around);
  keep_only(found, *stream, name, file);
  return found;
}

}  // namespace

std::optional<Stream> stream_named(std::string_view name) {
  const auto* const known = std::ranges::find(kStreamNames, name, &StreamName::name);
  return known == kStreamNames.end() ? std::nullopt : std::optional(known->stream);
}

std::optional<std::uint32_t> rolled_index(std::string_view file_name) {
  constexpr std::size_t kLeastDigits = 6;
  if (file_name.ends_with(".gz")) file_name.remove_suffix(3);
  if (file_name.size() < kLeastDigits || !is_number(file_name)) return std::nullopt;
  return parse_number<std::uint32_t>(file_name);
}

std::optional<LooseName> loose_name(std::string_view file_name) {
  for (const std::string_view ending : {".gz", ".zst", ".lz4"}) {
    if (file_name.ends_with(ending)) file_name.remove_suffix(ending.size());
  }
  if (!file_name.ends_with(".bin")) return std::nullopt;
  file_name.remove_suffix(4);
  std::uint32_t index = 1;
  const std::size_t dot = file_name.rfind('.');
  if (dot != std::string_view::npos) {
    const std::string_view digits = file_name.substr(dot + 1);
    const auto number = is_number(digits) ? parse_number<std::uint32_t>(digits) : std::nullopt;
    if (!number || *number == UINT32_MAX) return std::nullopt;
    index = *number + 1;
    file_name = file_name.substr(0, dot);
  }
  const auto stream = stream_named(file_name);
  if (!stream) return std::nullopt;
  return LooseName{*stream, index};
}

FoundFiles find_files(const Input& input) {
  if (input.path().empty()) return {};
  FoundFiles found = input.is_folder() ? find_in_folder(input) : find_beside_file(input);
  drop_copies(found);
  return found;
}

FolderFacts folder_facts(const Input& input) {
  if (input.path().empty()) return {};
  // Below: 2026/11/21/STARTMS, from there up at most two more levels (a stream's folder and file).
  fs::path path = whole_path(input);
  for (int level = 0; level < 3 && path.has_relative_path(); ++level, path = path.parent_path()) {
    const std::string start = utf8_of(path.filename());
    const fs::path day = path.parent_path(), month = day.parent_path(), year = month.parent_path();
    const bool dated = start.size() > 8 && is_number(start) &&
                       utf8_of(day.filename()).size() == 2 && is_number(utf8_of(day.filename())) &&
                       utf8_of(month.filename()).size() == 2 &&
                       is_number(utf8_of(month.filename())) &&
                       utf8_of(year.filename()).size() == 4 && is_number(utf8_of(year.filename()));
    if (dated) return {utf8_of(year.parent_path().filename()), start};
  }
  return {std::string(input.name()), {}};
}

}  // namespace cinderscope::qubership
