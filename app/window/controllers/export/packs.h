// Packs: the sheet that asks what goes into one, writing it, and unpacking an opened one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/commands.h"
#include "app/pack/pack.h"
#include "app/questions/background_task.h"
#include "app/questions/latest.h"
#include "app/window/controllers/export/sheet.h"
#include "ingest/model/typed_time.h"
#include "render/base/actions.h"
#include "render/base/rect.h"

namespace cinderscope {

class AppContext;

// UI thread only; packs are measured and written on threads of their own.
class PacksController : public ExportSheet {
 public:
  explicit PacksController(AppContext& app);
  ~PacksController() override;

  // Packs all tabs as `path`; empty: asks by the sheet.
  Status save(const std::string& path, bool replace);
  // A setting of the sheet, which opens: "whole", "view", "selected", "anonymous on"; "close"
  // closes it, "cancel" ends the writing.
  Status set(std::string_view word, std::string_view value);
  // The opened pack as files in a folder; empty: beside the pack.
  Status unpack(const std::string& folder, bool replace);

  void poll();
  bool busy() const { return writing_.busy() || measuring_.busy(); }  // scripts wait for it
  void close() override;      // what is being written goes on
  std::string sizes() const;  // as the sheet says them

 private:
  struct Written {
    std::string text;
    std::string path;    // empty: there is none
    std::string exists;  // the path of what is there, and is not replaced unasked
    bool from_sheet = false;
  };
  struct Sizes {
    std::uint64_t whole_bytes = 0, view_bytes = 0, selected_bytes = 0;
    bool has_selected = false;  // some trace has a selected range
  };
  // What the sizes depend on, of each tab.
  struct Shown {
    std::uint64_t session = 0, version = 0;
    TimeRange view;
    std::optional<TimeRange> selected;
    bool operator==(const Shown&) const = default;
  };
  using Question = std::vector<Shown>;
  struct Measured;
  std::string path_now() const;
  std::string offered_path() const;
  Status start(const std::string& path, bool replace, bool from_sheet);
  Question question() const;
  void measure(const Question& question);
  void draw_inside(const Rect& area, Actions& actions) override;
  void draw_saved(SheetRows& rows, Actions& actions) override;

  PackPart part_ = PackPart::whole;
  bool anonymous_ = false;
  // Of whole traces by their paths, read once; the thread that measures has them.
  std::shared_ptr<std::map<std::string, std::uint64_t>> whole_bytes_;
  std::shared_ptr<PackControl> control_;  // of what is being written
  BackgroundTask<Written> writing_;
  Latest<Question, Sizes> measuring_;
};

std::span<const Command> pack_commands();

}  // namespace cinderscope
