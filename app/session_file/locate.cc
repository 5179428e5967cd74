#include "app/session_file/locate.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "app/session_file/same_letters.h"
#include "ingest/base/path_text.h"
#include "ingest/os/file.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLooks = 2000;
constexpr int kLevelsAbove = 3;
constexpr std::size_t kMostBeside = 10'000;  // names of the session's folder
constexpr std::size_t kMostParts = 32;       // of a path, that are tried near others
constexpr std::array<std::string_view, 3> kPackings = {".gz", ".zst", ".lz4"};

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<signed char>(c) > 0; });
}

// As Windows writes it, too.
fs::path with_slashes(std::string text) {
  std::ranges::replace(text, '\\', '/');
  return path_of(text);
}

class Locator {
 public:
  explicit Locator(const LocateQuestion& question)
      : question_(question),
        folder_(path_of(question.session_path).parent_path()),
        located_(question.traces.size()) {}

  // The rules in their order, each for all that were not found before: so what lies where it is
  // said to be costs one look, however many others are missing.
  std::vector<LocatedTrace> locate() {
    for_missing([this](const SessionTrace& trace) { return look_as_named(trace); });
    for_missing([this](const SessionTrace& trace) { return look_beside(trace); });
    while (for_missing([this](const SessionTrace& trace) { return look_near_others(trace); })) {
    }
    for_missing([this](const SessionTrace& trace) { return look_in_folders(trace); });
    for_missing([this](const SessionTrace& trace) { return look_at_recent(trace); });
    while (for_missing([this](const SessionTrace& trace) { return look_near_others(trace); })) {
    }
    for_missing([this](const SessionTrace& trace) { return look_packed(trace); });
    return std::move(located_);
  }

 private:
  // True: another one was found, near which others may lie.
  template <class Rule>
  bool for_missing(Rule rule) {
    bool found = false;
    for (std::size_t i = 0; i < located_.size(); ++i) {
      if (is_there(located_[i]) || looks_ >= kMostLooks) continue;
      best_ = located_[i];
      const SessionTrace& trace = question_.traces[i];
      if (rule(trace)) {
        found = true;
        note_found(with_slashes(trace.path), path_of(best_.path));
      }
      located_[i] = best_;
    }
    return found;
  }

  // Of these each is true once the identity fits. Else the best of what was seen is in best_.
  bool look_as_named(const SessionTrace& trace) {
    const fs::path path = path_of(trace.path), other = with_slashes(trace.path);
    if (look_at(trace, folder_ / path)) return true;  // an absolute one stays what it is
    return other != path && look_at(trace, folder_ / other);
  }

  bool look_beside(const SessionTrace& trace) {
    const fs::path name = with_slashes(trace.path).filename();
    if (look_at(trace, folder_ / name)) return true;
    if (is_ascii(utf8_of(name))) return false;
    // Other file systems write the same letters in other ways.
    if (!knows_beside_) list_beside();
    const auto [first, last] = beside_.equal_range(composed(utf8_of(name)));
    return std::any_of(first, last, [&](const auto& each) { return look_at(trace, each.second); });
  }

  void list_beside() {
    knows_beside_ = true;
    std::error_code error;
    for (fs::directory_iterator each(folder_, error), end;
         !error && each != end && beside_.size() < kMostBeside; each.increment(error)) {
      const std::string name = utf8_of(each->path().filename());
      if (!is_ascii(name)) beside_.emplace(composed(name), each->path());
    }
  }

  // The last two, three … parts of its path below the folders where others were found.
  bool look_near_others(const SessionTrace& trace) {
    const fs::path path = with_slashes(trace.path);
    const std::vector<fs::path> parts(path.begin(), path.end());
    for (std::size_t i = 0; i < found_in_.size(); ++i) {
      fs::path end;
      std::size_t tried = 0;
      for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
        if (*part == "/" || *part == ".." || ++tried > kMostParts || looks_ >= kMostLooks) break;
        end = end.empty() ? *part : *part / end;
        const fs::path place = found_in_[i] / end;
        if (look_at(trace, place)) return true;
      }
    }
    return false;
  }

  bool look_in_folders(const SessionTrace& trace) {
    const fs::path name = with_slashes(trace.path).filename();
    return std::ranges::any_of(question_.look_in, [&](const std::string& folder) {
      return look_below(trace, folder, name);
    });
  }

  // Whatever they are called: one that was renamed was opened since.
  bool look_at_recent(const SessionTrace& trace) {
    const fs::path name = with_slashes(trace.path).filename();
    return std::ranges::any_of(question_.recent, [&](const std::string& recent) {
      const bool same_name = path_of(recent).filename() == name;
      return (same_name || !trace.identity.head.empty()) &&
             look_at(trace, path_of(recent), same_name);
    });
  }

  bool look_below(const SessionTrace& trace, const std::string& folder, const fs::path& name) {
    if (look_at(trace, path_of(folder) / name)) return true;
    std::error_code error;
    for (fs::directory_iterator each(path_of(folder), error), end; !error && each != end;
         each.increment(error)) {
      std::error_code ignored;
      if (looks_ >= kMostLooks) return false;
      if (each->is_directory(ignored) && look_at(trace, each->path() / name)) return true;
    }
    return false;
  }

  bool look_packed(const SessionTrace& trace) {
    const fs::path path = with_slashes(trace.path);
    return look_packed(trace, folder_ / path) || look_packed(trace, folder_ / path.filename());
  }

  // The same name with another packing, or none.
  bool look_packed(const SessionTrace& trace, const fs::path& path) {
    std::vector<fs::path> candidates;
    fs::path plain = path;
    const bool packed = std::ranges::find(kPackings, utf8_of(path.extension())) != kPackings.end();
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
      best_ = {Location::packed, utf8_of(candidate.lexically_normal()), status->size_bytes};
      return true;
    }
    return false;
  }

  bool may_look() { return ++looks_ <= kMostLooks; }

  // `by_name`: a file of another content there may be meant, too.
  bool look_at(const SessionTrace& trace, const fs::path& path, bool by_name = true) {
    const auto [known, is_new] = identities_.try_emplace(utf8_of(path));
    if (is_new) {
      if (!may_look()) {
        identities_.erase(known);
        return false;
      }
      known->second = trace_identity(utf8_of(path));
    }
    const std::optional<TraceIdentity>& identity = known->second;
    if (!identity) return false;
    const std::string found = utf8_of(path.lexically_normal());
    if (trace.identity.head.empty() || is_same(*identity, trace.identity)) {
      best_ = {Location::found, found, identity->size_bytes};
      return true;
    }
    if (!by_name) return false;
    if (has_grown(trace.identity, utf8_of(path), *identity)) {
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
  std::vector<LocatedTrace> located_;
  std::vector<fs::path> found_in_;
  std::multimap<std::string, fs::path> beside_;  // names that are not ASCII, composed
  bool knows_beside_ = false;
  std::map<std::string, std::optional<TraceIdentity>> identities_;  // of what was looked at
  std::size_t looks_ = 0;
  LocatedTrace best_;
};

}  // namespace

bool is_there(const LocatedTrace& located) {
  return !located.path.empty() && located.location != Location::missing &&
         located.location != Location::another;
}

std::vector<LocatedTrace> locate_traces(const LocateQuestion& question) {
  return Locator(question).locate();
}

std::string path_in_session(const std::string& session_path, const std::string& path) {
  const fs::path folder = path_of(session_path).parent_path().lexically_normal();
  const fs::path relative = path_of(path).lexically_normal().lexically_relative(folder);
  const auto above = std::ranges::count(relative, path_of(".."));
  const auto at_folder = file_status(folder), at_trace = file_status(path_of(path));
  const bool same_disk = !at_folder || !at_trace || at_folder->device == at_trace->device;
  if (relative.empty() || above > kLevelsAbove || !same_disk) return path;
  return utf8_of(relative);
}

}  // namespace cinderscope
