// What the user chose once and for all: theme, size, keys, recent files.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/store/json_members.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

enum class ThemeChoice : std::uint8_t { dark, light, system };
// What becomes of a trace that took long to load (app/session/prepared_copies.h).
enum class PreparedChoice : std::uint8_t { ask, always, never };

struct RecentFile {
  std::string path;  // absolute
  std::uint64_t size_bytes = 0;
  std::int64_t opened_s = 0;  // since 1970

  bool operator==(const RecentFile&) const = default;
};

struct Settings {
  ThemeChoice theme = ThemeChoice::dark;
  bool colour_blind = false;
  bool colours_by_package = false;  // of methods, where a format knows packages
  float scale = 1;                  // times that of the screen
  bool reduced_motion = false;
  bool wheel_scrolls = false;
  bool fit_rows = true;  // threads are as high as what is in view needs
  bool hand_over = false;
  bool ask_on_drop = true;         // what to do with two traces
  bool spreadsheet_texts = false;  // in tables that are taken away no text becomes a formula
  TimeShown time_shown = TimeShown::from_start;
  PreparedChoice prepared_copies = PreparedChoice::ask;
  std::uint64_t prepared_most_mb = 10'000;  // all copies together
  int prepared_percent = 10;                // of what the disk has free, the most they take
  std::uint64_t lazy_above_mb = 1000;  // larger traces are read piece by piece, where a format can
  std::uint64_t lazy_memory_mb = 0;    // for those; 0: a quarter of the machine's
  float panel_px = 0, gutter_px = 0;   // at scale 1; 0: never dragged
  int window_width = 0, window_height = 0;  // at scale 1, not maximised; 0: never resized
  bool maximised = false;
  std::vector<std::string> trace_folders;   // where traces of sessions are looked for, too
  std::map<std::string, std::string> keys;  // command -> chords, where they are not the table's
  std::vector<RecentFile> recent;           // newest first; kept in a file of its own
};

inline constexpr float kSmallestScale = 0.5F, kLargestScale = 4;

// Megabytes of "500MB", "2 GB" or "1000" (MB); nullopt for other text and above a million.
std::optional<std::uint64_t> megabytes_from(std::string_view text);

// All settings but the recent files, in the order of the file.
StoredMembers members_of(const Settings& settings);
// Settings from a file's members. Unknown members and invalid values change nothing.
Settings settings_from(const StoredMembers& members);

// The file of recent files: newest first, at most kMostRecent, each path once.
inline constexpr std::size_t kMostRecent = 30;
std::string recent_json(const std::vector<RecentFile>& files);
std::vector<RecentFile> recent_from(const StoredMembers& members);
void add_recent(std::vector<RecentFile>& files, RecentFile file);

}  // namespace cinderscope
