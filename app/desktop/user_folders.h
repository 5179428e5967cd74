// The user's folders in which the program keeps files of its own.
#pragma once

#include <string>

namespace cinderscope {

// An empty one means that nothing of the kind is kept.
struct UserFolders {
  std::string config;  // settings.json
  std::string state;   // recent.json, and files/ with the saved view state of each trace
};

// $XDG_CONFIG_HOME/cinderscope and $XDG_STATE_HOME/cinderscope, by default below ~/.config and
// ~/.local/state. A scripted window (--play) uses only the variables, so that a script does the
// same for every user. Variables without an absolute path are ignored.
UserFolders user_folders(bool scripted);

// Where prepared copies of traces lie: cinderscope/prepared in $XDG_CACHE_HOME, by default in
// ~/.cache. Empty if there is no such place; a script needs the variable, as above.
std::string prepared_folder(bool scripted);

std::string home_folder();  // of the user; empty if it is not known

// Where recordings of live agents go: cinderscope/collected in $XDG_DATA_HOME, by default in
// ~/.local/share.
std::string recordings_folder();

}  // namespace cinderscope
