#include "app/store/settings_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <utility>

#include "app/store/merge_view_state.h"
#include "ingest/base/json/json_value.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/base/parallel.h"
#include "ingest/base/path_text.h"
#include "ingest/base/text_hash.h"
#include "ingest/os/file.h"
#include "ingest/os/folder.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostSettingsBytes = 1 << 20, kMostStateBytes = 16 << 20;
constexpr std::uint64_t kHeadBytes = 64 << 10;

std::string recent_path(const UserFolders& folders) {
  return folders.state + "/recent.json";
}
std::string mappings_path(const UserFolders& folders) {
  return folders.state + "/mappings.json";
}
std::string view_state_path(const UserFolders& folders, const std::string& path) {
  return fmt::format("{}/files/{:016x}.json", folders.state, text_hash(path));
}

// The members of a file of ours; none if there is no file. What is no JSON object is said, and set
// aside so that its owner can mend it.
StoredMembers read_members(const std::string& path, std::vector<std::string>& problems,
                           bool sets_aside = true) {
  const Result<std::string> text = read_small_file(path, kMostSettingsBytes);
  if (text && text->empty()) return {};
  if (text) {
    if (auto members = json_members(*text)) return std::move(*members);
  } else if (text.error().code != ErrorCode::damaged) {
    problems.push_back(text.error().text + " Defaults are used.");
    return {};
  }
  if (!sets_aside) {
    problems.push_back(path + " is broken; it is not used.");
    return {};
  }
  const std::string aside = path + ".broken";
  std::error_code failed;
  fs::rename(path_of(path), path_of(aside), failed);
  problems.push_back(
      fmt::format("{} is broken; {}", path,
                  !failed ? "it was set aside as " + aside + "." : "it is not used."));
  return {};
}

// Of a trace: the folder that it is or lies in.
std::string folder_of(const std::string& path) {
  std::error_code unknown;
  const fs::path whole = path_of(path);
  const fs::path folder = fs::is_directory(whole, unknown) ? whole / "" : whole;
  return utf8_of(folder.parent_path());
}

// What the file of mappings has for a folder; nothing if it cannot be read, which is said once
// something is to be written into it.
std::string mapping_of(const std::string& mappings, const std::string& folder) {
  const Result<std::string> text = read_small_file(mappings, kMostSettingsBytes);
  const auto members = text ? json_members(*text) : std::nullopt;
  const StoredMember* known = members ? member_named(*members, folder) : nullptr;
  if (known == nullptr) return {};
  const Result<JsonValue> path = read_json(known->json);
  return path ? path->text : std::string();
}

// None where another trace lies there now. One that cannot be read is no loss that anybody has to
// be told of.
std::optional<SavedViewState> saved_on_disk(const UserFolders& folders, const std::string& path) {
  const Result<std::string> text = read_small_file(view_state_path(folders, path), kMostStateBytes);
  if (!text || text->empty()) return std::nullopt;
  auto remembered = view_state_from(*text);
  const bool same = remembered && remembered->path == path && same_file(remembered->identity, path);
  return same ? std::optional(std::move(remembered->saved)) : std::nullopt;
}

// Removes the oldest view states where there are more than enough.
void prune(const std::string& folder) {
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (fs::directory_iterator each(path_of(folder), error), end; !error && each != end;
       each.increment(error)) {
    if (each->path().extension() != ".json") continue;
    std::error_code ignored;
    files.emplace_back(each->last_write_time(ignored), each->path());
  }
  if (files.size() <= kMostFilesRemembered) return;
  std::ranges::sort(files, std::greater());
  for (std::size_t i = kMostFilesRemembered; i < files.size(); ++i) {
    fs::remove(files[i].second, error);
  }
}

}  // namespace

std::string settings_file(const UserFolders& folders) {
  return folders.config + "/settings.json";
}

StoredSettings read_settings(const UserFolders& folders) {
  StoredSettings stored;
  if (!folders.config.empty()) {
    stored.settings = settings_from(read_members(settings_file(folders), stored.problems));
  }
  stored.members = members_of(stored.settings);
  if (!folders.state.empty()) {
    stored.settings.recent = recent_from(read_members(recent_path(folders), stored.problems));
  }
  return stored;
}

StoredSettings look_at_settings(const UserFolders& folders) {
  StoredSettings stored;
  if (folders.config.empty()) return stored;
  stored.settings = settings_from(read_members(settings_file(folders), stored.problems, false));
  return stored;
}

std::optional<FileIdentity> identity_of(const std::string& path, std::uint64_t head_bytes) {
  std::error_code error;
  const UniqueFd file = open_to_read(path_of(path), error);
  const auto status = file ? file_status(file, error) : std::nullopt;
  if (!status) return std::nullopt;
  FileIdentity identity{.modified_ns = status->modified_ns};
  if (status->kind == FileKind::folder) return identity;
  if (status->kind != FileKind::regular) return std::nullopt;
  identity.size_bytes = status->size_bytes;
  std::string head(static_cast<std::size_t>(std::min(head_bytes, kHeadBytes)), '\0');
  head.resize(read_all(file, std::as_writable_bytes(std::span(head)), error));
  identity.head_bytes = head.size();
  identity.head_hash = text_hash(head);
  return identity;
}

bool same_file(const FileIdentity& then, const std::string& path) {
  const auto now = identity_of(path, then.head_bytes);
  if (!now) return false;
  if (now->size_bytes == then.size_bytes && now->modified_ns == then.modified_ns) return true;
  // Touched, copied, or grown: a trace that is recorded anew begins at another time.
  return then.head_bytes > 0 && now->head_bytes == then.head_bytes &&
         now->head_hash == then.head_hash;
}

SettingsStore::SettingsStore(UserFolders folders, StoredMembers members, std::function<void()> wake)
    : folders_(std::move(folders)), members_(std::move(members)), wake_(std::move(wake)) {}

SettingsStore::~SettingsStore() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void SettingsStore::add(Job job) {
  {
    const std::lock_guard lock(mutex_);
    if (!thread_.joinable()) thread_ = started_thread([this] { run(); });
    if (thread_.joinable()) jobs_.push_back(std::exchange(job, nullptr));
  }
  changed_.notify_all();
  if (job) job();  // there is no thread to be had
}

void SettingsStore::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stop_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    const Job job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job();
    lock.lock();
  }
}

StoreNews SettingsStore::take() {
  const std::lock_guard lock(mutex_);
  StoreNews news = std::exchange(news_, {});
  // A list from before what was asked for since would undo that in the window for a moment.
  if (recent_due_ > 0) news_.recent = std::exchange(news.recent, std::nullopt);
  return news;
}

void SettingsStore::tell(const Status& status) {
  if (status) return;
  const std::string& problem = status.error().text;
  if (std::ranges::find(told_, problem) != told_.end()) return;
  told_.push_back(problem);
  {
    const std::lock_guard lock(mutex_);
    news_.problems.push_back(problem);
  }
  wake_();
}

void SettingsStore::save(const Settings& settings) {
  if (!keeps_settings()) return;
  add([this, wanted = members_of(settings)] { save_members(wanted); });
}

void SettingsStore::save_members(const StoredMembers& wanted) {
  StoredMembers changed;
  for (const StoredMember& member : wanted) {
    const StoredMember* known = member_named(members_, member.key);
    if (known == nullptr || known->json != member.json) changed.push_back(member);
  }
  if (changed.empty()) return;
  const FolderLock lock(path_of(folders_.config));
  std::vector<std::string> problems;
  StoredMembers in_file = read_members(settings_file(folders_), problems);
  for (const std::string& problem : problems) {
    tell(Error{.code = ErrorCode::damaged, .text = problem});
  }
  for (const StoredMember& member : changed) set_member(in_file, member);
  const Status written = write_small_file(settings_file(folders_), json_object(in_file));
  if (written) members_ = wanted;
  tell(written);
}

void SettingsStore::change_recent(const std::function<void(std::vector<RecentFile>&)>& change) {
  const FolderLock lock(path_of(folders_.state));
  std::vector<std::string> problems;
  std::vector<RecentFile> files = recent_from(read_members(recent_path(folders_), problems));
  for (const std::string& problem : problems) {
    tell(Error{.code = ErrorCode::damaged, .text = problem});
  }
  change(files);
  const Status written = write_small_file(recent_path(folders_), recent_json(files));
  tell(written);
  {
    const std::lock_guard news_lock(mutex_);
    --recent_due_;
    if (written) news_.recent = std::move(files);
  }
  if (written) wake_();
}

void SettingsStore::add_recent_change(std::function<void(std::vector<RecentFile>&)> change) {
  if (!keeps_state()) return;
  {
    const std::lock_guard lock(mutex_);
    ++recent_due_;
  }
  add([this, change = std::move(change)] { change_recent(change); });
}

void SettingsStore::add_recent(RecentFile file) {
  add_recent_change([file = std::move(file)](std::vector<RecentFile>& files) {
    cinderscope::add_recent(files, file);
  });
}

void SettingsStore::forget_recent(std::string path) {
  add_recent_change([path = std::move(path)](std::vector<RecentFile>& files) {
    std::erase_if(files,
                  [&path](const RecentFile& file) { return path.empty() || file.path == path; });
  });
}

void SettingsStore::recall(std::string path) {
  if (!keeps_state()) return;
  add([this, path = std::move(path)] {
    Recalled recalled{.path = path};
    const auto identity = identity_of(path, kHeadBytes);
    if (!identity) return;
    recalled.identity = *identity;
    recalled.saved = saved_on_disk(folders_, path);
    recalled.folder_mapping = mapping_of(mappings_path(folders_), folder_of(path));
    {
      const std::lock_guard lock(mutex_);
      news_.recalled.push_back(std::move(recalled));
    }
    wake_();
  });
}

void SettingsStore::remember_mapping(std::string path, std::string mapping_path) {
  if (!keeps_state()) return;
  add([this, path = std::move(path), mapping_path = std::move(mapping_path)] {
    const std::string folder = folder_of(path);
    const FolderLock lock(path_of(folders_.state));
    std::vector<std::string> problems;
    StoredMembers mappings = read_members(mappings_path(folders_), problems);
    for (const std::string& problem : problems) {
      tell(Error{.code = ErrorCode::damaged, .text = problem});
    }
    std::erase_if(mappings, [&](const StoredMember& known) { return known.key == folder; });
    if (!mapping_path.empty()) {
      mappings.push_back({folder, json_quoted(mapping_path)});  // the newest are last
    }
    if (mappings.size() > kMostMappingsRemembered) {
      mappings.erase(mappings.begin(), mappings.end() - kMostMappingsRemembered);
    }
    tell(write_small_file(mappings_path(folders_), json_object(mappings)));
  });
}

void SettingsStore::remember(std::string path, FileIdentity identity, SavedViewState before,
                             SavedViewState saved) {
  if (!keeps_state()) return;
  add([this, path = std::move(path), identity, before = std::move(before),
       saved = std::move(saved)] {
    const std::string file = view_state_path(folders_, path);
    const FolderLock lock(path_of(folders_.state));
    auto theirs = saved_on_disk(folders_, path);
    const std::string text =
        view_state_json(path, identity, theirs ? merged(before, saved, std::move(*theirs)) : saved);
    if (text.size() > kMostStateBytes) return;
    tell(write_small_file(file, text));
    prune(folders_.state + "/files");
  });
}

}  // namespace cinderscope
