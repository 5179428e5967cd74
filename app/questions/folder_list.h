// What a folder holds, listed in the background.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace cinderscope {

struct FolderEntry {
  std::string name;
  bool is_folder = false;
  bool operator==(const FolderEntry&) const = default;
};

struct FolderList {
  std::vector<FolderEntry> entries;  // folders first, each by name without regard to case
  bool cut = false;                  // there are more than were asked for
  std::string problem;               // why it cannot be read
};

inline constexpr std::size_t kMostEntries = 100'000;
FolderList list_folder(const std::string& folder, const std::atomic<bool>& cancelled,
                       std::size_t most = kMostEntries);

// The same on a thread that is left behind once `cancelled`: a dead network mount may hang it for
// ever, and neither the next question nor the end of the program waits for that. None if cancelled.
std::optional<FolderList> list_folder_aside(std::string folder, const std::atomic<bool>& cancelled);

}  // namespace cinderscope
