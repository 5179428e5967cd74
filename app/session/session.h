// One open trace of a tab: source, timeline, view state and loads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/session/child_cache.h"
#include "app/session/trace_loader.h"
#include "app/session/view_history.h"
#include "ingest/build/added_tracks.h"
#include "ingest/model/slice_set.h"
#include "ingest/model/timeline.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

struct PrecomputedTotals;

enum class SessionPhase : std::uint8_t {
  held,     // begins once begin() is called
  loading,  // snapshots may be shown already
  ready,
  stopped,  // cancelled; shows what was read until then
  failed,   // has only an error to show
};

struct SessionOptions {
  LoadOptions load;
  bool held = false;  // is not read before begin()
  std::uint64_t child_budget_bytes = 1ull << 30;
  std::function<void()> wake;  // called on the loader thread when poll() has something to do
};

// UI thread only. The timeline changes in poll() alone, so views may keep references to it between
// two polls.
class Session {
 public:
  // `path` names the trace and is opened again by a reload; "-" is standard input, which cannot be.
  Session(std::string path, SourceOpener open, SessionOptions options);
  // Another view of the trace of `of`, which outlives it, with a state of its own: nothing is read
  // or kept twice. What it needs from disk `of` reads, and what happens to `of` happens to it.
  explicit Session(Session& of);
  ~Session();
  // Null for a session that reads its trace itself.
  Session* viewed() const { return of_; }

  const std::string& path() const { return path_; }
  const std::string& title() const { return title_; }  // file name
  void set_title(std::string title) { title_ = std::move(title); }
  SessionPhase phase() const { return phase_; }
  const Error& error() const { return error_; }  // of a failed or stopped session
  const Timeline& timeline() const { return timeline_; }
  // The slices for questions on other threads. The same set until the timeline or its blocks
  // change, as long as it is held somewhere, so a search at every key press does not build it anew.
  std::shared_ptr<const SliceSet> slices() const;
  // What stretches of these slices add up to, where a prepared copy knew; null once the slices are
  // others than it has.
  std::shared_ptr<const PrecomputedTotals> totals() const;
  TimelineState& state() { return state_; }
  const TimelineState& state() const { return state_; }
  ViewHistory& history() { return history_; }
  // The source, which describes slices; null until everything has been read.
  const TraceSource* source() const;
  // Shares the source with other threads and beyond the session's life; its describe() may be
  // called on any thread.
  std::shared_ptr<const TraceSource> shared_source() const;
  // The same for who writes the trace; null where that needs more than was loaded: calls are left
  // on disk, which the loader alone reads, a part was loaded, or the file has changed since.
  std::shared_ptr<TraceSource> source_to_write() const;
  // The source, if the timeline is one of several files; null until everything has been read.
  const MergedSource* merged_source() const;
  const Format* format() const { return opened_.format; }
  // The trace is several files, merged or in one folder.
  bool several_files() const;

  bool held() const { return phase_ == SessionPhase::held; }
  void begin();  // reads what was held back
  bool loading() const { return phase_ == SessionPhase::loading; }
  // What is loaded is more of files that grow, which is there soon and no news.
  bool reading_on() const;
  bool has_trace() const { return has_timeline_; }
  double load_fraction() const;                          // [0, 1]; 0 while unknown
  std::uint64_t done_bytes() const;                      // of this load
  double load_seconds() const { return load_seconds_; }  // of the finished load
  bool prepared() const { return prepared_; }            // the finished load took a prepared copy
  // What was opened, for who writes a prepared copy of it (app/session/prepared_copies.h).
  const OpenedSource& opened() const { return opened_; }
  double loading_seconds() const;                           // since the load began
  std::uint64_t generation() const { return generation_; }  // grows when the timeline is replaced
  // Grows whenever anything of it changes: child blocks have come, too. Equal versions of one
  // session have equal answers.
  std::uint64_t version() const { return version_; }

  // Takes the loader's events; true if anything has to be drawn again.
  bool poll();
  // False for standard input, which can be read only once; reload() then does nothing.
  bool can_reload() const { return path_ != "-"; }
  void reload();
  // As reload(), but reads on from where the last load ended, where the source can.
  void read_on();
  // Reloads with other options: another part of the trace, or all of it whatever memory it takes.
  void reload_with(LoadOptions load);
  const LoadOptions& load_options() const { return options_.load; }
  // Reads another source instead, to put further files on the same timeline. The picture stays
  // until that is there.
  void replace(std::string path, std::string title, SourceOpener open);
  void cancel();
  // Tracks beside those of the trace, in place of those added before. They stay when it is read
  // again. Those of a view are seen in it alone.
  void set_added_tracks(std::vector<AddedTrack> tracks);
  const std::vector<AddedTrack>& added_tracks() const { return added_; }
  // What happened on disk to the files since they were read, as far as it was noticed: at once
  // where something is read from them again, else while they are watched.
  const DiskChange& disk_change() const { return disk_change_; }
  void watch_files(bool watch);
  // Takes symbols from another file, or colours by something else, without reading the trace again;
  // the picture stays until that is done. False if the names are in the trace itself, or if it is
  // not loaded yet; in that case they are taken once it is.
  bool rename(SymbolOptions names);
  bool renaming() const { return renaming_; }
  const SymbolOptions& names() const { return options_.load.names; }
  // The result of the last rename(); each is returned once.
  std::optional<Status> take_rename_result() { return std::exchange(rename_result_, std::nullopt); }
  // Ends the loader threads, which free what was loaded. Call nothing but idle() afterwards.
  void close();
  // True if the loader threads are done or waiting: destroying the session takes no time.
  bool idle() const;

  // Requests the deferred children of a slice in the view, or in `range`. Cheap to repeat in every
  // frame. True if there is anything to read.
  bool request_children(const SliceRef& parent, std::optional<TimeRange> range = {});
  // Requests the selected slice's block again if it was evicted; true if it is loaded.
  bool restore_selection();
  // Tells the child cache what is in the view. Call once a frame.
  void note_visible();
  bool children_full() const { return children_.full(); }
  void limit_children(std::uint64_t bytes) { children_.set_budget(bytes); }
  const ChildCache& children() const { return children_; }

  // The view shows the whole trace until the user moves it.
  void set_width(float width_px);
  ViewportLimits limits() const;
  void view_was_moved() { follows_load_ = false; }
  bool shows_whole() const { return follows_load_; }  // the view was not moved yet

 private:
  void start(SourceOpener open);
  void restart(SourceOpener open);
  void take_timeline(Timeline timeline);
  void take(LoadEvent event);
  void take_renamed(RenameDone done);
  bool request_children(const SliceRef& parent, TimeRange range, double shortest_ns);
  bool follow();  // takes what has changed of `of_`
  void show_with_tracks(Timeline with);

  std::string path_, title_;
  SourceOpener open_;
  SessionOptions options_;
  SessionPhase phase_ = SessionPhase::loading;
  Error error_;
  OpenedSource opened_;
  Timeline timeline_;
  bool has_timeline_ = false;
  TimelineState state_;
  ViewHistory history_;
  ChildCache children_;
  double load_seconds_ = 0;
  bool prepared_ = false;
  std::int64_t started_ms_ = 0;
  std::uint64_t generation_ = 0, version_ = 0;
  // The last result of slices(), and the version it was made of.
  mutable std::weak_ptr<const SliceSet> slices_;
  mutable std::uint64_t slices_version_ = 0;
  std::shared_ptr<const PrecomputedTotals> totals_;
  bool follows_load_ = true;
  std::vector<AddedTrack> added_;
  DiskChange disk_change_;
  bool watches_files_ = false;
  bool renaming_ = false, reads_on_ = false;
  SymbolOptions shown_names_;  // of the timeline that is shown or being loaded
  std::optional<Status> rename_result_;
  Session* of_ = nullptr;
  std::uint64_t followed_version_ = 0;                // of `of_`
  std::unique_ptr<TraceLoader> queue_;                // null: it views another one, or is held
  std::vector<std::unique_ptr<TraceLoader>> ending_;  // of loads that a reload replaced
};

}  // namespace cinderscope
