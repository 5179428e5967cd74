// A place for people: the lines around it that tell what is there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "render/base/timeline_state.h"

namespace cinderscope {

struct PlaceLines {
  std::string title;  // "ProxyMain::BeginMainFrame  87.48 ms at 0.788 543 s, CrRendererMain 19064"
  std::string file;
  std::optional<std::uint64_t> size_bytes;
  std::string place;
  std::string command;  // opens it, where a call is selected
};

// Of the selected call, else of the range, else of the view.
std::string place_title(const Timeline& timeline, const TimelineState& state);
// For a shell; without a selected call it shows the view.
std::string place_command(const Timeline& timeline, const TimelineState& state,
                          const std::string& file);

std::string as_text(const PlaceLines& lines);
// Names in bold and the place as code: issue trackers take links away whose scheme they do not
// know.
std::string as_markdown(const PlaceLines& lines);

}  // namespace cinderscope
