#include "app/pack/pack_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/session/merge_offset.h"
#include "app/session/open_source.h"
#include "ingest/base/ascii.h"
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

// All files of a folder, from there, sorted. Links are not followed.
std::vector<std::string> files_below(const std::string& folder) {
  if (const auto place = path_in_archive(folder)) {
    const auto archive = Archive::open(place->archive);
    return archive ? (*archive)->files_in(place->inner, true) : std::vector<std::string>();
  }
  std::vector<std::string> names;
  std::error_code error;
  for (fs::recursive_directory_iterator each(folder, error), end; !error && each != end;
       each.increment(error)) {
    std::error_code gone;
    if (!each->is_regular_file(gone) || each->is_symlink(gone)) continue;
    names.push_back(each->path().lexically_relative(folder).generic_string());
    if (names.size() > kMostFiles) break;
  }
  std::ranges::sort(names);
  return names;
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
  const Result<StoredBytes> bytes = StoredBytes::open(path);
  if (!bytes || bytes->packing() != Packing::none) return false;
  std::array<std::byte, 4> head{};
  std::error_code error;
  bytes->read(0, head, error);
  return !begins_as_zip(head);
}

void WholeTraces::add(std::size_t trace) {
  const std::string& path = request_.input.paths[trace];
  const Result<Input> input = Input::from_path(path);
  if (!input) {
    plan_.notes.push_back(fmt::format("{}: {}", shown_file_name(path), input.error().text));
    plan_.session.traces[trace].path.clear();
    return;
  }
  ++plan_.traces;
  if (input->is_folder()) return add_folder(trace);
  add_file(trace);
}

void WholeTraces::add_folder(std::size_t trace) {
  const std::string& path = request_.input.paths[trace];
  const std::string folder =
      names_.unique(std::string(kFolder) + name_in_pack(shown_file_name(path)));
  std::vector<std::string> names = files_below(path);
  if (names.size() > kMostFiles) {
    names.resize(kMostFiles);
    plan_.notes.push_back(fmt::format("{}: it has more than {} files; the others were left out.",
                                      shown_file_name(path), kMostFiles));
  }
  for (const std::string& name : names) {
    const std::string source = (fs::path(path) / name).string();
    const Result<StoredBytes> bytes = StoredBytes::open(source);
    if (!bytes) {
      plan_.notes.push_back(fmt::format("{}: {}", name, bytes.error().text));
      continue;
    }
    // Formats find files of a folder by their names, which have to stay.
    plan_.files.push_back(
        {source, fmt::format("{}/{}", folder, valid_utf8(name)), false, bytes->size(), kNoTrace});
  }
  SessionTrace& packed = plan_.session.traces[trace];
  packed.path = folder;
  if (const auto identity = trace_identity(path)) packed.identity = *identity;
  packed.ids = add_ids(trace, packed.ids);
}

void WholeTraces::add_file(std::size_t trace) {
  const std::string& path = request_.input.paths[trace];
  const Result<StoredBytes> bytes = StoredBytes::open(path);
  SessionTrace& packed = plan_.session.traces[trace];
  if (!bytes) {
    plan_.notes.push_back(fmt::format("{}: {}", shown_file_name(path), bytes.error().text));
    packed.path.clear();
    --plan_.traces;
    return;
  }
  const bool compress = request_.compress && is_worth_packing(path);
  std::string base = name_in_pack(shown_file_name(path)) + (compress ? ".zst" : "");
  const std::vector<std::string> beside = companions(path, base);
  std::string folder(kFolder);
  // What belongs together is found by its names: where one is taken all go into a folder.
  const auto is_free = [&] {
    return std::ranges::all_of(
               beside,
               [&](const std::string& each) {
                 return names_.is_free(folder + name_in_pack(shown_file_name(each)));
               }) &&
           (beside.empty() || names_.is_free(folder + base));
  };
  for (std::size_t number = 2; !is_free(); ++number) {
    folder = fmt::format("{}{}/", kFolder, number);
  }
  const std::string name = names_.unique(folder + base);
  packed.path = name;
  plan_.files.push_back({path, name, compress, bytes->size(), trace});
  for (const std::string& each : beside) {
    const Result<StoredBytes> content = StoredBytes::open(each);
    if (!content) continue;
    const std::string companion = folder + name_in_pack(shown_file_name(each));
    names_.take(companion);
    plan_.files.push_back({each, companion, false, content->size(), kNoTrace});
  }
  packed.ids = add_ids(trace, packed.ids);
}

// Those that the trace's format reads beside it. Others it would read stay outside, which is said.
std::vector<std::string> WholeTraces::companions(const std::string& path,
                                                 const std::string& shown) {
  std::vector<std::string> found;
  const LoadContext context(request_.load);
  const Result<OpenedSource> opened = open_source(path, context);
  if (!opened) return found;  // whoever opens the pack is told so, as here
  const fs::path folder = fs::path(path).parent_path().lexically_normal();
  for (const fs::path& file : opened->source->files()) {
    const fs::path whole = fs::absolute(file).lexically_normal();
    if (whole == fs::path(path).lexically_normal()) continue;
    if (whole.parent_path() == folder) {
      found.push_back(whole.string());
    } else {
      plan_.notes.push_back(
          fmt::format("{} needs {}, which lies elsewhere and was left out; pack its folder.", shown,
                      whole.filename().string()));
    }
  }
  return found;
}

std::string WholeTraces::add_ids(std::size_t trace, const std::string& ids) {
  if (ids.empty()) return {};
  const fs::path folder = fs::path(request_.input.text_path).parent_path();
  const std::string path = (folder / ids).lexically_normal().string();
  const Result<StoredBytes> bytes = StoredBytes::open(path);
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
