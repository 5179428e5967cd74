#include "app/pack/pack_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/session/merge_offset.h"
#include "app/session/open_source.h"
#include "ingest/base/ascii.h"
#include "ingest/base/path_text.h"
#include "ingest/base/utf8.h"
#include "ingest/format/load_context.h"
#include "ingest/format/trace_source.h"
#include "ingest/input/archive.h"
#include "ingest/input/stored_bytes.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFolder = "traces/";
constexpr std::size_t kMostFiles = 10'000;  // of a trace that is a folder

bool is_below(const fs::path& file, const fs::path& folder) {
  const fs::path relative = file.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

// All files of a folder, from there, sorted. A link counts as the file that it leads to, if that
// lies in the folder as well; others go to `links`, since what they lead to stays outside.
std::vector<std::string> files_below(const std::string& folder, std::vector<std::string>& links) {
  if (const auto place = path_in_archive(path_of(folder))) {
    const auto archive = Archive::open(place->archive);
    return archive ? (*archive)->files_in(place->inner, true) : std::vector<std::string>();
  }
  std::vector<std::string> names;
  std::error_code error;
  const fs::path real_folder = fs::canonical(path_of(folder), error);
  for (fs::recursive_directory_iterator each(path_of(folder), error), end; !error && each != end;
       each.increment(error)) {
    std::error_code gone;
    const std::string name = utf8_of(each->path().lexically_relative(path_of(folder)));
    if (each->is_symlink(gone)) {
      const fs::path target = fs::canonical(each->path(), gone);
      if (gone || !is_below(target, real_folder) || !each->is_regular_file(gone)) {
        links.push_back(name);
        continue;
      }
    }
    if (!each->is_regular_file(gone)) continue;
    names.push_back(name);
    if (names.size() > kMostFiles) break;
  }
  std::ranges::sort(names);
  return names;
}

fs::path whole_path(const fs::path& path) {
  std::error_code unknown;
  fs::path whole = fs::absolute(path, unknown).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

bool is_file(const fs::path& path) {
  return StoredBytes::open(path).operator bool();
}

// An index lies beside its trace, NAME.idx, also beside a packed copy.
void add_indices(const fs::path& trace, std::vector<fs::path>& files) {
  for (const std::string_view packing : {"", ".gz", ".zst", ".lz4"}) {
    const std::string path = utf8_of(trace);
    if (!path.ends_with(packing)) continue;
    fs::path index = path_of(path.substr(0, path.size() - packing.size()) + ".idx");
    if (is_file(index)) files.push_back(std::move(index));
  }
}

// "traces/page.json" as "traces/page-2.json".
std::string numbered(const std::string& name, std::size_t number) {
  const std::size_t slash = name.rfind('/');
  const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
  const std::size_t dot = std::min(name.find('.', begin + 1), name.size());
  return fmt::format("{}-{}{}", name.substr(0, dot), number, name.substr(dot));
}

}  // namespace

std::string name_in_pack(std::string_view file_name) {
  constexpr std::size_t kMostBytes = 200;
  std::string name = valid_utf8(file_name);
  for (char& c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\\' || c == ':' || c == '/') {
      c = '_';
    }
  }
  if (name.size() > kMostBytes) {
    name = valid_utf8(std::string_view(name).substr(name.size() - kMostBytes));
  }
  return name.empty() || name == "." || name == ".." ? "trace" : name;
}

std::string PackNames::unique(const std::string& name) {
  std::string found = name;
  for (std::size_t number = 2; !is_free(found); ++number) found = numbered(name, number);
  take(found);
  return found;
}

bool PackNames::is_free(const std::string& name) const {
  return !taken_.contains(ascii_lower(name));
}

void PackNames::take(const std::string& name) {
  taken_.insert(ascii_lower(name));
}

bool is_worth_packing(const std::string& path) {
  const Result<StoredBytes> bytes = StoredBytes::open(path_of(path));
  if (!bytes || bytes->packing() != Packing::none) return false;
  std::array<std::byte, 4> head{};
  std::error_code error;
  bytes->read(0, head, error);
  return !begins_as_zip(head);
}

void WholeTraces::add(std::size_t trace) {
  const std::string& path = request_.input.paths[trace];
  const Result<Input> input = Input::from_path(path_of(path));
  SessionTrace& packed = plan_.session.traces[trace];
  if (!input) {
    plan_.notes.push_back(fmt::format("{}: {}", shown_file_name(path), input.error().text));
    packed.path.clear();
    return;
  }
  const Group group = group_of(path, input->is_folder());
  if (group.is_tree) {
    add_tree(trace, group);
  } else {
    add_beside(trace, group);
  }
  if (packed.path.empty()) return;
  ++plan_.traces;
  packed.ids = add_ids(trace, packed.ids);
}

// The trace, what its format reads beside it or in the folders around it, and where all of that
// lies. What lies further away stays outside, which is said.
WholeTraces::Group WholeTraces::group_of(const std::string& path, bool is_folder) {
  constexpr int kMostLevels = 2;
  const fs::path own = whole_path(path_of(path));
  Group group{.root = is_folder ? own : own.parent_path(), .files = {}, .is_tree = is_folder};
  if (is_folder) {
    std::vector<std::string> links;
    for (const std::string& name : files_below(path, links))
      group.files.push_back(own / path_of(name));
    if (!links.empty()) {
      plan_.notes.push_back(fmt::format(
          "{}: {} a link to a folder or to what lies elsewhere, and was left out.",
          shown_file_name(path),
          links.size() == 1
              ? links.front() + " is"
              : fmt::format("each of {} and {} more is", links.front(), links.size() - 1)));
    }
  }
  const LoadContext context(request_.load);
  const Result<OpenedSource> opened = open_source(path, context);
  if (!opened && opened.error().code == ErrorCode::not_recognised) {
    plan_.notes.push_back(fmt::format("{}: {}", shown_file_name(path), opened.error().text));
  }
  if (opened) {
    // A file may stand for all of its folder.
    group.is_tree |= opened->source->input().is_folder();
    for (const fs::path& file : opened->source->files()) group.files.push_back(whole_path(file));
    if (opened->source->index_file() != nullptr && !is_folder) add_indices(own, group.files);
  }
  std::ranges::sort(group.files);
  group.files.erase(std::unique(group.files.begin(), group.files.end()), group.files.end());
  if (group.files.size() > kMostFiles) {
    group.files.resize(kMostFiles);
    plan_.notes.push_back(fmt::format("{}: it has more than {} files; the others were left out.",
                                      shown_file_name(path), kMostFiles));
  }
  int levels = 0;
  std::erase_if(group.files, [&](const fs::path& file) {
    fs::path root = group.root;
    int up = levels;
    while (!is_below(file, root) && up < kMostLevels) {
      root = root.parent_path();
      ++up;
    }
    if (!is_below(file, root)) {
      plan_.notes.push_back(fmt::format("{} needs {}, which lies elsewhere and was left out.",
                                        shown_file_name(path), utf8_of(file.filename())));
      return true;
    }
    group.is_tree |= up > levels || (!is_folder && file.parent_path() != root);
    group.root = root;
    levels = up;
    return false;
  });
  std::erase(group.files, own);
  return group;
}

// Formats find files of a folder by their names, so these stay, and what is in them.
void WholeTraces::add_tree(std::size_t trace, const Group& group) {
  const fs::path own = whole_path(path_of(request_.input.paths[trace]));
  const std::string base =
      names_.unique(std::string(kFolder) + name_in_pack(utf8_of(group.root.filename())));
  const auto name_of = [&](const fs::path& file) {
    const fs::path relative = file.lexically_relative(group.root);
    return relative == "." ? base : fmt::format("{}/{}", base, valid_utf8(utf8_of(relative)));
  };
  SessionTrace& packed = plan_.session.traces[trace];
  packed.path = name_of(own);
  std::vector<fs::path> files = group.files;
  const bool is_one_file = is_file(own);
  if (is_one_file) files.insert(files.begin(), own);
  std::vector<FileSize> inside;  // of a folder: what of it is packed
  for (const fs::path& file : files) {
    if (!add_file(file, name_of(file), false, kNoTrace) || !is_below(file, own)) continue;
    inside.push_back({valid_utf8(utf8_of(file.lexically_relative(own))), plan_.files.back().bytes});
  }
  if (!is_one_file) {
    packed.identity = identity_of_files(inside);
  } else if (const auto identity = trace_identity(utf8_of(own))) {
    packed.identity = *identity;
  }
}

void WholeTraces::add_beside(std::size_t trace, const Group& group) {
  const std::string& path = request_.input.paths[trace];
  const bool compress = request_.compress && is_worth_packing(path);
  const std::string base = name_in_pack(shown_file_name(path)) + (compress ? ".zst" : "");
  std::string folder(kFolder);
  // What belongs together is found by its names: where one is taken all go into a folder.
  const auto is_free = [&] {
    return std::ranges::all_of(
               group.files,
               [&](const fs::path& each) {
                 return names_.is_free(folder + name_in_pack(utf8_of(each.filename())));
               }) &&
           (group.files.empty() || names_.is_free(folder + base));
  };
  for (std::size_t number = 2; !is_free(); ++number) folder = fmt::format("{}{}/", kFolder, number);
  std::string name = names_.unique(folder + base);
  SessionTrace& packed = plan_.session.traces[trace];
  packed.path = add_file(path_of(path), name, compress, trace) ? name : std::string();
  for (const fs::path& each : group.files) {
    if (!is_file(each)) continue;  // it may be there, and is not
    name = folder + name_in_pack(utf8_of(each.filename()));
    names_.take(name);
    add_file(each, name, false, kNoTrace);
  }
}

bool WholeTraces::add_file(const fs::path& source, const std::string& name, bool compress,
                           std::size_t trace) {
  const Result<StoredBytes> bytes = StoredBytes::open(source);
  if (!bytes) {
    plan_.notes.push_back(fmt::format("{}: {}", utf8_of(source.filename()), bytes.error().text));
    return false;
  }
  plan_.files.push_back({utf8_of(source), name, compress, bytes->size(), trace});
  return true;
}

std::string WholeTraces::add_ids(std::size_t trace, const std::string& ids) {
  if (ids.empty()) return {};
  const fs::path folder = path_of(request_.input.text_path).parent_path();
  const std::string path = utf8_of((folder / path_of(ids)).lexically_normal());
  const Result<StoredBytes> bytes = StoredBytes::open(path_of(path));
  if (!bytes) {
    plan_.notes.push_back(fmt::format("{}: its names are not there: {}",
                                      shown_file_name(request_.input.paths[trace]),
                                      bytes.error().text));
    return {};
  }
  const auto known = std::ranges::find(plan_.files, path, &PackFile::source);
  if (known != plan_.files.end()) return known->name;
  std::string name = names_.unique(std::string(kFolder) + name_in_pack(shown_file_name(path)));
  plan_.files.push_back({path, name, false, bytes->size(), kNoTrace});
  return name;
}

}  // namespace cinderscope
