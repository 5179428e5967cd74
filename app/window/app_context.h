// What commands, controllers and panels know of the window: the tabs, the settings, a word to the
// user, and each other.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/commands.h"
#include "app/window/status_message.h"
#include "ingest/base/result.h"

namespace cinderscope {

struct Controllers;
struct Settings;
struct Tab;
struct Theme;

// The open traces; one of them is shown.
struct TabList {
  std::vector<std::unique_ptr<Tab>> all;
  std::size_t shown_index = 0;
  // What commands are about; null if no trace is open. Of a comparison it is the lane used last.
  Tab* shown() const;
  // As the tab bar has it: the whole comparison.
  Tab* page() const { return all.empty() ? nullptr : all[shown_index].get(); }
  // With the second lanes of comparisons, which are in no list of their own.
  std::vector<Tab*> with_lanes() const;
};

// The same picture in the forms that other programs take.
struct CopiedPicture {
  std::string png, svg;  // empty: not in this form
};

// UI thread only.
class AppContext {
 public:
  virtual ~AppContext() = default;

  virtual TabList& tabs() = 0;
  virtual Settings& settings() = 0;
  virtual void settings_changed() = 0;  // applies them to the window and saves them soon
  virtual const Theme& theme() const = 0;
  virtual Controllers& controllers() = 0;

  virtual const CommandTable& commands() const = 0;
  virtual CommandState command_state() = 0;
  // A line of a script. An Error says why it cannot be.
  virtual Status run_command(std::string_view name, std::string_view arguments) = 0;
  // The same for the user: a command that needs an argument has it asked for, and an Error is said.
  virtual void ask_command(std::string_view name, std::string_view arguments) = 0;

  // In the status bar, whatever is shown.
  virtual void say(std::string text, std::chrono::seconds time = std::chrono::seconds(3)) = 0;
  // The same about one tab: seen only while that is shown; its time counts from then.
  virtual void say_of(Tab& tab, std::string text,
                      std::chrono::seconds time = std::chrono::seconds(3)) = 0;
  // About the shown tab, if there is one: what a command says at once.
  void say_of_shown(std::string text, std::chrono::seconds time = std::chrono::seconds(3));
  // What is said later: by whom it was asked for. Of a tab that was closed meanwhile the window
  // says it.
  MessageOwner shown_owner();
  void say_of(MessageOwner owner, std::string text,
              std::chrono::seconds time = std::chrono::seconds(3));
  virtual void copy(const std::string& text) = 0;  // to the clipboard
  virtual std::string clipboard() = 0;             // text, as it lies there
  virtual bool copies_pictures() const = 0;        // else the clipboard takes texts only
  virtual void copy_picture(CopiedPicture picture) = 0;
  virtual void draw_again(int frames = 3) = 0;
  virtual void quit() = 0;
};

}  // namespace cinderscope
