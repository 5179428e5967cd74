// Starting comparisons, what their tabs show beside lanes and panels, and the commands about them.
#pragma once

#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/commands.h"
#include "app/commands/menu_entries.h"
#include "app/compare/side_text.h"
#include "app/questions/background_task.h"
#include "app/window/comparison/compare_answers.h"
#include "ingest/base/result.h"
#include "ingest/compare/compared_names.h"
#include "render/base/actions.h"
#include "render/base/rect.h"
#include "render/views/chrome/status_bar.h"

namespace cinderscope {

class AppContext;
class ComparePage;
class Session;
struct Tab;

// UI thread only.
class CompareController {
 public:
  explicit CompareController(AppContext& app);

  // SIDEs as they are typed: an Error where one cannot be read as such. Asks the disk, so it is for
  // who has no window yet.
  static Status check(std::string_view a, std::string_view b);
  // Of SIDEs as they are typed. Their traces are opened where they are not, and the comparison once
  // it is known which these are. `pair_by`: as ComparePage::set_pair_by().
  Status start(std::string_view a, std::string_view b, std::string_view pair_by = {});
  // `opened` is given the comparison's tab once there is one; null: it cannot be.
  void start(SideText a, SideText b, std::function<void(Tab*)> opened = {});
  // What to do with two traces that do not fit into memory together: compare without timelines, so
  // that each is measured and let go again; load both all the same; neither. An Error: nothing is
  // asked.
  enum class TooLargeAnswer : std::uint8_t { numbers, anyway, cancel };
  Status answer_too_large(TooLargeAnswer answer);
  bool asks_about_memory() const { return too_large_.has_value(); }
  // The runs of a comparison without timelines are being read; once that is stopped, it will not
  // come. False: none are.
  bool measuring() const { return !to_measure_.empty(); }
  bool stop_measuring();
  void set_free_memory(std::uint64_t bytes) { free_bytes_ = bytes; }  // instead of the machine's
  // The shown comparison; null: a trace or nothing is shown.
  ComparePage* shown() const;
  bool comparing() const;  // some comparison is to come, or is being worked out

  // A range that waits for another one to be compared with.
  Status keep_range();
  bool has_kept_range() const { return kept_range_.has_value(); }
  void forget_range() { kept_range_.reset(); }
  Status compare_kept_range();
  Status compare_range_with_rest();
  Status compare_range_with_before();

  Status swap();
  Status add_runs(Side side, const std::vector<std::string>& paths);
  // Another run of a side, from 0, in its lane: it becomes the first.
  Status show_run(Side side, std::size_t run);

  // How many comparisons show that trace.
  std::size_t users_of(const Session& trace) const;
  // Asks in the tab's place whether these are to be closed, too. False: there are none, or it was
  // asked before.
  bool asks_before_closing(std::size_t tab);
  bool stop_asking();  // Escape: no question of those above is left
  void close_users_of(const Session& trace);

  // Why what was typed is no comparison, once: for scripts, which saw it begin.
  std::string take_failed() { return std::exchange(failed_, {}); }
  void poll();

  // What stands above, between and over the lanes.
  void draw_head(ComparePage& page, const Rect& area, Actions& actions);
  // Sentences about the comparison; what is left below them.
  Rect draw_notes(ComparePage& page, const Rect& area, Actions& actions);
  void draw_strip(ComparePage& page, const Rect& area);
  void draw_zero(ComparePage& page, const Rect& a, const Rect& b);
  Rect draw_question(const Rect& area, Actions& actions);  // before a trace is closed
  void fill(StatusFrame& status, const ComparePage& page) const;
  // Of "context-menu compare-…".
  std::vector<MenuEntry> menu(std::string_view target) const;
  // What other menus have of it, at their ends.
  std::vector<MenuEntry> offers(const MenuTarget& target) const;
  std::string state_json() const;
  std::vector<std::string> notes(const ComparePage& page) const;

 private:
  using Found = Result<std::vector<CompareRun>>;  // the runs that paths stand for
  struct LookedUp {
    SideText side;
    Found runs;
    bool is_misspelt = false;  // then `runs` says how
  };
  struct Pending {
    OfSides<SideText> sides;
    std::function<void(Tab*)> opened;
    OfSides<std::future<LookedUp>> looking;
    OfSides<std::optional<Found>> found;
    std::future<std::optional<Error>> fitting;  // what says that both do not
    bool numbers_only = false;                  // was measured to be compared without timelines
  };
  // How far the runs of a comparison without timelines are measured.
  struct Measured {
    std::size_t run = 0, runs = 0;  // of both sides; the one that is read now counts
    std::string path;
    std::optional<OfSides<Found>> sides;  // once all are
  };
  struct TooLarge {
    Pending pending;
    std::string text;
  };
  struct Adding {
    const ComparePage* page = nullptr;  // may be closed by now
    Side side = side_a;
    std::future<Found> looking;
  };
  struct KeptRange {
    std::string side;  // as text
    std::optional<TimeRange> range_here;
  };
  static Found runs_of(const std::vector<std::string>& paths);
  static Found runs_to_add(const std::vector<std::string>& paths, bool is_part);
  static std::future<LookedUp> look_for(SideText side);
  static std::future<LookedUp> look_for(std::string typed_side);
  void start(OfSides<std::future<LookedUp>> looking, std::function<void(Tab*)> opened);
  static Measured measured(const OfSides<std::vector<CompareRun>>& sides,
                           const OfSides<ComparedPart>& parts,
                           const BackgroundQuestion<Measured>& asked);
  static Found usable(std::vector<CompareRun> runs);
  void measure_next();
  void take_measured();
  bool is_open(const std::string& path) const;
  void ask_whether_they_fit(Pending& pending);
  bool take_found(Pending& pending);
  void take_added();
  void make_first(std::size_t place, Side side, std::size_t run);
  static std::optional<std::size_t> stand_in(const ComparePage& page, Side side);
  void replace_unreadable();
  void open(const Pending& pending);
  std::unique_ptr<Tab> tab_of(OfSides<CompareSource> sources);
  Session& trace_of(const std::string& path);
  std::string side_of_range(std::int64_t begin_ns, std::int64_t end_ns) const;

  AppContext& app_;
  std::string failed_;
  std::vector<Pending> pending_;
  std::vector<Adding> adding_;
  std::optional<TooLarge> too_large_;
  std::vector<Pending> to_measure_;  // the first one is
  Measured measured_;
  BackgroundTask<Measured> measure_;
  std::optional<std::uint64_t> free_bytes_;
  std::optional<KeptRange> kept_range_;
  std::optional<std::size_t> asked_to_close_;  // a tab
};

// For commands, which are only run where a comparison is shown.
CompareController& compare_of(AppContext& app);
ComparePage& page_of(AppContext& app);

std::span<const Command> compare_commands();       // sides, parts, rules, measures, and:
std::span<const Command> compare_run_commands();   // runs, threads, what is read
std::span<const Command> compare_view_commands();  // what is shown of it

}  // namespace cinderscope
