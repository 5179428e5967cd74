// Pictures of what the window shows: the sheet that asks how, and writing them.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/commands/commands.h"
#include "app/commands/keys.h"
#include "app/picture/picture_options.h"
#include "app/questions/background_task.h"
#include "render/base/actions.h"
#include "render/base/rect.h"

namespace cinderscope {

class AppContext;
struct Tab;

// Of the shown tab. UI thread only; pictures are drawn and written on a thread of their own.
class PicturesController {
 public:
  explicit PicturesController(AppContext& app);

  // Writes to `path` by its ending; empty: asks by the sheet.
  Status save(const std::string& path, bool replace);
  // A setting of the sheet, which opens: "of timeline", "format png", "width 1200", "theme dark",
  // "title …"; "close" closes it.
  Status set(std::string_view word, const std::string& value);

  void poll();
  bool busy() const { return saving_.busy() || drawing_.busy(); }  // scripts wait for it
  bool open() const { return open_; }
  bool take_key(const KeyChord& chord);
  float height_px(const Rect& area, float panel_px) const;
  void draw(const Rect& area, Actions& actions);

 private:
  struct Saved {
    std::string path;
    std::uint64_t bytes = 0;
    std::string error, note;
    bool exists = false;  // and is not replaced unasked
  };
  struct Drawn {
    std::shared_ptr<const DrawList> list;
    std::string error;
  };
  // All that a picture depends on, as values.
  struct Question;
  Result<std::shared_ptr<const Question>> question() const;
  static Result<DrawList> answer(const Question& question);
  std::string path_now() const;
  void draw_preview(const Rect& area) const;
  void draw_fields(const Rect& area, Actions& actions);
  void preview_again();
  Status start(const std::string& path, bool replace);

  AppContext& app_;
  PictureOptions options_;
  std::string path_;  // as typed; empty: beside the trace
  bool open_ = false, ask_to_replace_ = false, preview_due_ = false;
  std::optional<bool> save_due_;  // asked for in the sheet; true: an older file is replaced
  std::string said_, saved_path_;
  std::string shown_key_;  // what the preview was drawn for
  std::optional<Drawn> preview_;
  BackgroundTask<Saved> saving_;
  BackgroundTask<Drawn> drawing_;
};

std::span<const Command> picture_commands();

}  // namespace cinderscope
