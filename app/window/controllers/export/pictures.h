// Pictures of what the window shows: the sheet that asks how, and writing them.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/commands/commands.h"
#include "app/picture/picture_options.h"
#include "app/questions/background_task.h"
#include "app/window/app_context.h"
#include "app/window/controllers/export/sheet.h"

namespace cinderscope {

// Of the shown tab. UI thread only; pictures are drawn and written on a thread of their own.
class PicturesController : public ExportSheet {
 public:
  explicit PicturesController(AppContext& app);

  // Writes to `path` by its ending; empty: asks by the sheet.
  Status save(const std::string& path, bool replace);
  // To the clipboard, in the form that save() has; of that word, if it is one.
  Status copy(std::string_view of);
  // A setting of the sheet, which opens: "of timeline", "format png", "width 1200", "theme dark",
  // "title …"; "close" closes it.
  Status set(std::string_view word, const std::string& value);

  void poll();
  // Scripts wait for it.
  bool busy() const { return saving_.busy() || copying_.busy() || drawing_.busy(); }
  void close() override;

 private:
  struct Saved {
    std::string path;
    std::uint64_t bytes = 0;
    std::string error, note;
    bool exists = false;  // and is not replaced unasked
    bool from_sheet = false;
  };
  struct Copied {
    CopiedPicture picture;
    std::string error;
  };
  struct Drawn {
    std::shared_ptr<const DrawList> list;
    std::string error;
  };
  // All that a picture depends on, as values.
  struct Question;
  Result<std::shared_ptr<const Question>> question(const PictureOptions& options) const;
  static Result<DrawList> answer(const Question& question);
  std::string path_now() const;
  void draw_preview(const Rect& area) const;
  void draw_fields(const Rect& area, Actions& actions);
  void draw_inside(const Rect& area, Actions& actions) override;
  void draw_saved(SheetRows& rows, Actions& actions) override;
  void poll_saved();
  void poll_copied();
  void preview_again();
  Status start(const std::string& path, bool replace, bool from_sheet);

  PictureOptions options_;
  bool preview_due_ = false;
  std::string shown_key_;  // what the preview was drawn for
  std::optional<Drawn> preview_;
  BackgroundTask<Saved> saving_;
  BackgroundTask<Copied> copying_;
  MessageOwner saving_for_, copying_for_;
  BackgroundTask<Drawn> drawing_;
};

std::span<const Command> picture_commands();

}  // namespace cinderscope
