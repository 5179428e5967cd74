// The page that the window shows without a trace: recent files, and a sample.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/commands/keys.h"
#include "app/store/file_check.h"
#include "render/base/actions.h"
#include "render/views/chrome/start_page.h"

namespace cinderscope {

class AppContext;

// UI thread only.
class StartController {
 public:
  explicit StartController(AppContext& app);

  const std::string& sample_path() const { return sample_path_; }  // empty: there is none
  // Digits open a recent file at once, the arrows go to one that Enter opens and Delete forgets.
  // True if it was one of these.
  bool take_key(const KeyChord& chord);
  void poll();
  void draw(const Rect& area, Actions& actions);

 private:
  std::vector<RecentRow> recent_rows();

  AppContext& app_;
  std::string sample_path_;
  std::optional<std::size_t> chosen_;  // of the recent files, by the keys
  FileCheck file_check_;
  std::vector<std::string> checked_paths_;  // of the recent files that are shown
  std::map<std::string, FileFacts> file_facts_;
};

}  // namespace cinderscope
