// Saving a part of the shown trace as a file of any format: the sheet that asks what, and writing.
#pragma once

#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/commands.h"
#include "app/convert/estimate.h"
#include "app/questions/background_task.h"
#include "app/questions/latest.h"
#include "app/store/track_names.h"
#include "app/window/controllers/export/sheet.h"
#include "app/window/status_message.h"

namespace cinderscope {

class Session;

struct MergeFile;
struct Tab;

// UI thread only. One is saved at a time; a newer one cancels the one before, which leaves nothing
// behind.
class PartsController : public ExportSheet {
 public:
  explicit PartsController(AppContext& app);
  ~PartsController() override;

  // Writes to `path`, whose ending decides about the format; empty: asks by the sheet.
  Status save(const std::string& path, bool replace);
  // A setting of the sheet, which opens: "of range", "threads shown", "format json"; "close" closes
  // it.
  Status set(std::string_view word, const std::string& value);

  // Shows a file in its folder, if it is there.
  Status show_folder_of(const std::string& path);

  bool saving() const { return saving_.busy(); }
  // Scripts wait for it.
  bool busy() const { return saving_.busy() || foreseen_.busy() || showing_.valid(); }
  void poll();
  void close() override;

 private:
  enum class Threads : std::uint8_t { all, shown, pinned, chosen };
  // What of the trace, as values: of another load numbers of tracks may be others.
  struct What {
    std::optional<TimeRange> range;
    std::vector<std::uint32_t> tracks;  // ascending; empty: all
    std::vector<TrackName> names;       // of these
    std::size_t track_count = 0;        // of the trace that they are of
    bool operator==(const What& other) const {
      return range == other.range && tracks == other.tracks;
    }
  };
  struct Question {
    std::uint64_t session = 0, generation = 0;
    What what;
    std::string path;
    bool operator==(const Question&) const = default;
  };
  struct Answer {
    Foreseen foreseen;
    std::string error;  // else nothing would be written
  };
  struct Saved {
    std::string path;
    Result<Converted> result;
    bool from_sheet = false;
    bool exists = false;  // and is not replaced unasked
    std::string text = {};
  };
  // The trace as writing needs it: what is loaded, or read once for all that the sheet asks. Any
  // thread, one at a time.
  struct Reading;

  Result<What> what() const;  // without names
  void add_names(What& what) const;
  Status start(const std::string& path, bool replace, bool from_sheet);
  std::shared_ptr<Reading> reading(const Tab& tab, const TraceWriter& writer, const What& what);
  std::string path_now() const;
  void ask_again();
  void take_saved();
  void take_shown_folder();
  std::string foreseen_text() const;  // part_sheet.cc
  void draw_inside(const Rect& area, Actions& actions) override;
  void draw_saved(SheetRows& rows, Actions& actions) override;

  std::string_view format_ = "json";
  bool of_range_ = true;  // where there is one
  Threads threads_ = Threads::all;
  std::vector<std::uint32_t> chosen_;
  const Session* chosen_in_ = nullptr;  // the trace they are of, as it was loaded then
  std::uint64_t chosen_generation_ = 0;
  std::string chosen_name_;
  std::shared_ptr<Reading> reading_;               // while the sheet is open
  std::shared_ptr<Reading> saved_from_;            // while something is saved
  std::shared_ptr<LoadContext> asking_, writing_;  // of the newest
  Latest<Question, Answer> foreseen_;
  BackgroundTask<Saved> saving_;
  MessageOwner saving_for_;
  std::future<std::string> showing_;  // a file in its folder: why not, or nothing
};

std::span<const Command> part_commands();

}  // namespace cinderscope
