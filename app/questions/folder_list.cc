#include "app/questions/folder_list.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <future>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

#include "ingest/base/ascii.h"
#include "ingest/base/path_text.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kLook{5};  // how soon a newer question is noticed

bool goes_before(const FolderEntry& a, const FolderEntry& b) {
  if (a.is_folder != b.is_folder) return a.is_folder;
  const auto lower = [](char x, char y) { return ascii_lower(x) < ascii_lower(y); };
  if (std::ranges::lexicographical_compare(a.name, b.name, lower)) return true;
  if (std::ranges::lexicographical_compare(b.name, a.name, lower)) return false;
  return a.name < b.name;
}

}  // namespace

FolderList list_folder(const std::string& folder, const std::atomic<bool>& cancelled,
                       std::size_t most) {
  FolderList list;
  std::error_code error;
  fs::directory_iterator entry(path_of(folder), error);
  while (!error && entry != fs::directory_iterator() && !cancelled) {
    if (list.entries.size() == most) {
      list.cut = true;
      break;
    }
    std::error_code unknown;  // the folder tells what most entries are; links are followed
    const bool is_folder = entry->is_directory(unknown);
    list.entries.push_back({utf8_of(entry->path().filename()), is_folder});
    entry.increment(error);
  }
  if (error) list.problem = error.message();
  std::ranges::sort(list.entries, goes_before);
  return list;
}

std::optional<FolderList> list_folder_aside(std::string folder,
                                            const std::atomic<bool>& cancelled) {
  const auto stop = std::make_shared<std::atomic<bool>>(false);
  std::packaged_task<FolderList()> task(
      [folder = std::move(folder), stop] { return list_folder(folder, *stop); });
  std::future<FolderList> list = task.get_future();
  try {
    std::thread(std::move(task)).detach();
  } catch (const std::system_error& error) {
    return FolderList{.entries = {}, .cut = false, .problem = error.what()};
  }
  while (list.wait_for(kLook) != std::future_status::ready) {
    if (cancelled) {
      stop->store(true);
      return std::nullopt;
    }
  }
  return list.get();
}

}  // namespace cinderscope
