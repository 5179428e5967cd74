#include "app/session_file/locate.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <utility>

#include "ingest/os/file.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLooks = 2000;
constexpr int kLevelsAbove = 3;
constexpr std::array<std::string_view, 3> kPackings = {".gz", ".zst", ".lz4"};

class Locator {
 public:
  explicit Locator(const LocateQuestion& question)
      : question_(question), folder_(fs::path(question.session_path).parent_path()) {}

  std::vector<LocatedTrace> locate() {
    std::vector<LocatedTrace> located(question_.traces.size());
    for (std::size_t i = 0; i < located.size(); ++i) located[i] = find(question_.traces[i], false);
    // Where one was found the others may be, too.
    for (std::size_t i = 0; i < located.size(); ++i) {
      if (located[i].location == Location::missing || located[i].location == Location::another) {
        const LocatedTrace again = find(question_.traces[i], true);
        if (again.location != Location::missing) located[i] = again;
      }
    }
    return located;
  }

 private:
  LocatedTrace find(const SessionTrace& trace, bool near_others) {
    best_ = {};
    std::string text = trace.path;
    std::ranges::replace(text, '\\', '/');  // as Windows writes it
    const fs::path path(trace.path), other(text);
    const bool known =
        near_others ? look_near_others(trace, other) : look_around(trace, path, other);
    if (known && best_.location != Location::missing) note_found(other, best_.path);
    return best_;
  }

  // True once its identity fits. Else the best of what was seen is in best_.
  bool look_around(const SessionTrace& trace, const fs::path& path, const fs::path& other) {
    if (look_at(trace, folder_ / path)) return true;  // an absolute one stays what it is
    if (other != path && look_at(trace, folder_ / other)) return true;
    const fs::path name = other.filename();
    if (look_at(trace, folder_ / name)) return true;
    for (const std::string& folder : question_.look_in) {
      if (look_below(trace, folder, name)) return true;
    }
    for (const std::string& recent : question_.recent) {
      if (fs::path(recent).filename() == name && look_at(trace, recent)) return true;
    }
    return look_packed(trace, folder_ / other) || look_packed(trace, folder_ / name);
  }

  // The last two, three … parts of its path below the folders where others were found.
  bool look_near_others(const SessionTrace& trace, const fs::path& path) {
    for (const fs::path& folder : found_in_) {
      fs::path end;
      std::vector<fs::path> parts(path.begin(), path.end());
      for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
        if (*part == "/" || *part == "..") break;
        end = end.empty() ? *part : *part / end;
        if (look_at(trace, folder / end)) return true;
      }
    }
    return false;
  }

  bool look_below(const SessionTrace& trace, const std::string& folder, const fs::path& name) {
    if (look_at(trace, fs::path(folder) / name)) return true;
    std::error_code error;
    for (fs::directory_iterator each(folder, error), end; !error && each != end;
         each.increment(error)) {
      std::error_code ignored;
      if (looks_ >= kMostLooks) return false;
      if (each->is_directory(ignored) && look_at(trace, each->path() / name)) return true;
    }
    return false;
  }

  // The same name with another packing, or none.
  bool look_packed(const SessionTrace& trace, const fs::path& path) {
    std::vector<fs::path> candidates;
    fs::path plain = path;
    const bool packed = std::ranges::find(kPackings, path.extension().string()) != kPackings.end();
    if (packed) candidates.push_back(plain.replace_extension());
    for (const std::string_view packing : kPackings) {
      fs::path with = plain;
      with += packing;
      if (with != path) candidates.push_back(std::move(with));
    }
    for (const fs::path& candidate : candidates) {
      if (!may_look()) return false;
      const auto status = file_status(candidate);
      if (!status || status->kind != FileKind::regular || !trace.facts) continue;
      best_ = {Location::packed, candidate.lexically_normal().string(), status->size_bytes};
      return true;
    }
    return false;
  }

  bool may_look() { return ++looks_ <= kMostLooks; }

  bool look_at(const SessionTrace& trace, const fs::path& path) {
    if (!may_look()) return false;
    const std::optional<TraceIdentity> identity = trace_identity(path.string());
    if (!identity) return false;
    const std::string found = path.lexically_normal().string();
    if (trace.identity.head.empty() || is_same(*identity, trace.identity)) {
      best_ = {Location::found, found, identity->size_bytes};
      return true;
    }
    if (has_grown(trace.identity, *identity)) {
      best_ = {Location::grown, found, identity->size_bytes};
      return true;
    }
    if (best_.location == Location::missing) {
      best_ = {Location::another, found, identity->size_bytes};
    }
    return false;
  }

  // All folders of the path that was found, from which the others' paths may go on.
  void note_found(const fs::path& asked, const fs::path& found) {
    fs::path folder = found.parent_path();
    const auto parts = std::distance(asked.begin(), asked.end());
    for (std::ptrdiff_t i = 0; i < parts && !folder.empty(); ++i) {
      if (std::ranges::find(found_in_, folder) == found_in_.end() && found_in_.size() < 64) {
        found_in_.push_back(folder);
      }
      if (folder == folder.parent_path()) break;
      folder = folder.parent_path();
    }
  }

  const LocateQuestion& question_;
  fs::path folder_;
  std::vector<fs::path> found_in_;
  std::size_t looks_ = 0;
  LocatedTrace best_;
};

}  // namespace

std::vector<LocatedTrace> locate_traces(const LocateQuestion& question) {
  return Locator(question).locate();
}

std::string path_in_session(const std::string& session_path, const std::string& path) {
  const fs::path folder = fs::path(session_path).parent_path().lexically_normal();
  const fs::path relative = fs::path(path).lexically_normal().lexically_relative(folder);
  const auto above = std::ranges::count(relative, fs::path(".."));
  const auto at_folder = file_status(folder), at_trace = file_status(path);
  const bool same_disk = !at_folder || !at_trace || at_folder->device == at_trace->device;
  if (relative.empty() || above > kLevelsAbove || !same_disk) return path;
  return relative.generic_string();
}

}  // namespace cinderscope
