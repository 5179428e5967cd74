// Copying where one is as a place, and going to places.
#pragma once

#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/commands.h"
#include "app/places/find_place.h"
#include "app/places/place.h"
#include "app/places/trace_identity.h"
#include "app/window/status_message.h"

namespace cinderscope {

class AppContext;
struct Tab;

// UI thread only.
class PlacesController {
 public:
  explicit PlacesController(AppContext& app) : app_(app) {}

  // Three lines to the clipboard, once the file's identity is known.
  Status copy(bool as_markdown);
  // Looks for the place's trace among open tabs, recent files and in the current folder. A page
  // asks where it is if it is nowhere.
  Status go_to(std::string_view text);
  Status paste();  // what is on the clipboard, if it is a place

  bool busy() const { return copying_.has_value() || going_.has_value(); }
  void poll();

 private:
  struct Copying {
    Place place;
    std::string title, file;  // the first line; the base name
    std::string command;      // of Markdown, empty: plain text
    bool as_markdown = false;
    MessageOwner owner;
    std::future<std::optional<TraceIdentity>> identity;
    std::future<std::optional<TraceIdentity>> other;  // of a comparison
  };
  struct Going {
    Place place;
    std::future<std::optional<FoundPlace>> found;
  };
  void take_copied();
  void take_found();

  AppContext& app_;
  std::optional<Copying> copying_;
  std::optional<Going> going_;
};

std::span<const Command> place_commands();

}  // namespace cinderscope
