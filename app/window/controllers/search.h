// Searching: the field and its keys, steps through the matches, and the way to what was found.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "app/commands/commands.h"
#include "app/questions/disk_matches.h"
#include "app/script/input_event.h"
#include "ingest/search/match_set.h"
#include "render/views/chrome/search_field.h"

namespace cinderscope {

class AppContext;
class ComparePage;
struct Tab;

// The search itself is the shown tab's. UI thread only.
class SearchController {
 public:
  explicit SearchController(AppContext& app) : app_(app) {}

  void set_text(std::string text);
  bool clear();  // false if nothing is searched for
  void focus() { field_.focus(); }
  // While the field is typed into, keys are text but for some. True if it takes this one.
  bool take_key(const KeyChord& chord);
  bool typing() const { return field_.focused(); }
  // Keys that ImGui is not to hear of: it would leave the field on them.
  bool hides(const InputEvent& event) const;
  bool searching() const;  // something may still be found, in any tab

  void poll();
  // Selects the match and brings it into sight, unfolding what hides it.
  void show_match(const MatchRef& match);
  void zoom_to_match(const MatchRef& match);
  // The same of what may be on disk: reads it first.
  void show_on_disk(const DiskMatch& match, bool zooms);
  void draw_field(const Rect& toolbar);
  // What else there is on the tab's timeline is dimmed. Null: nothing is, since there is no search,
  // or nothing matches, which the field says.
  const MatchSet* lit(const Tab& tab) const;

 private:
  void step(Tab& tab);
  void step_both(ComparePage& page, Tab& tab);
  bool step_on_disk(Tab& tab);
  void locate_on_disk(Tab& tab);
  void scroll_to(const MatchRef& match);
  void note_matched_tracks(Tab& tab);

  AppContext& app_;
  SearchField field_;
  std::optional<MatchRef> scroll_due_;  // after the next frame
  // That the matched tracks were taken from.
  std::shared_ptr<const MatchSet> noted_;
  DiskMatchesPointer noted_on_disk_;
};

std::span<const Command> search_commands();

}  // namespace cinderscope
