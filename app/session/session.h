// One open trace, as its tab holds it: source, timeline, what is shown of it, its loads.
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
#include "ingest/model/slice_set.h"
#include "ingest/model/timeline.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

enum class SessionPhase : std::uint8_t {
  loading,  // also while there are snapshots to look at
  ready,
  stopped,  // cancelled; shows what had been read
  failed,   // there is only an error to show
};

struct SessionOptions {
  LoadOptions load;
  std::uint64_t child_budget_bytes = 1ull << 30;
  std::function<void()> wake;  // called on the loader thread when poll() has something to do
};

// UI thread only. The timeline changes in poll() and nowhere else, so between two polls every view
// of it may keep references.
class Session {
 public:
  // `path` names it and is what a reload opens again; "-" is standard input, which cannot be.
  Session(std::string path, SourceOpener open, SessionOptions options);
  ~Session();

  const std::string& path() const { return path_; }
  const std::string& title() const { return title_; }  // file name
  void set_title(std::string title) { title_ = std::move(title); }
  SessionPhase phase() const { return phase_; }
  const Error& error() const { return error_; }  // of a failed or stopped session
  const Timeline& timeline() const { return timeline_; }
  // For questions on other threads. The same one until the timeline or its blocks change, as long
  // as somebody holds it: a question for each key costs nothing that grows with the number of
  // threads.
  std::shared_ptr<const SliceSet> slices() const;
  TimelineState& state() { return state_; }
  const TimelineState& state() const { return state_; }
  ViewHistory& history() { return history_; }
  // What describes slices; null until everything has been read.
  const TraceSource* source() const;
  // The same for those that go on without the session; its describe() takes calls of any thread.
  std::shared_ptr<const TraceSource> shared_source() const;
  const Format* format() const { return opened_.format; }

  bool loading() const { return phase_ == SessionPhase::loading; }
  bool has_trace() const { return has_timeline_; }
  double load_fraction() const;                             // [0, 1]; 0 while unknown
  std::uint64_t done_bytes() const;                         // of this load
  double load_seconds() const { return load_seconds_; }     // of the finished load
  double loading_seconds() const;                           // since the load began
  std::uint64_t generation() const { return generation_; }  // grows when the timeline is replaced
  std::uint64_t children_generation() const { return children_generation_; }  // ... or child blocks

  // Takes what the loader has handed over; true if anything is to be drawn again.
  bool poll();
  // False for standard input, which is there once only; reload() then does nothing.
  bool can_reload() const { return path_ != "-"; }
  void reload();
  // The same in another way: another part of the trace, or all of it whatever memory that takes.
  void reload_with(LoadOptions load);
  const LoadOptions& load_options() const { return options_.load; }
  // Reads something else in its place, the picture staying until that is there: further files on
  // the same timeline.
  void replace(std::string path, std::string title, SourceOpener open);
  void cancel();
  // Takes the names of a trace from another file, or colours by something else, without reading the
  // trace again; what is shown stays until that is done. False where names are in the trace itself,
  // or it is not loaded yet; then they are taken once it is.
  bool rename(SymbolOptions names);
  bool renaming() const { return renaming_; }
  const SymbolOptions& names() const { return options_.load.names; }
  // What became of the last one, once.
  std::optional<Status> take_rename_result() { return std::exchange(rename_result_, std::nullopt); }
  // For good: the loader threads end, and free what was loaded; nothing is shown any more. Call
  // nothing but idle() afterwards.
  void close();
  // Loader threads are done or waiting; destroying the session takes no time.
  bool idle() const;

  // Asks for the deferred children of a slice that is on screen; cheap to repeat in every frame.
  // Those in the view, or in `range`. True if anything is to be read now.
  bool request_children(const SliceRef& parent, std::optional<TimeRange> range = {});
  // Asks for the selected slice's block again if that was evicted; true if it is there.
  bool restore_selection();
  // Tells the child cache what is on screen. Once a frame.
  void note_visible();
  bool children_full() const { return children_.full(); }
  void limit_children(std::uint64_t bytes) { children_.set_budget(bytes); }
  const ChildCache& children() const { return children_; }

  // The whole trace fits the view until somebody moves it.
  void set_width(float width_px);
  ViewportLimits limits() const;
  void view_was_moved() { follows_load_ = false; }
  bool shows_whole() const { return follows_load_; }  // nobody has moved the view
  void show_ns_unit(bool show) { timeline_.show_ns_unit = show; }

 private:
  void start();
  void take_timeline(Timeline timeline);
  void take(LoadEvent event);
  void take_renamed(RenameDone done);

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
  std::int64_t started_ms_ = 0;
  std::uint64_t generation_ = 0, children_generation_ = 0;
  // What slices() handed out last, and what it was made of.
  mutable std::weak_ptr<const SliceSet> slices_;
  mutable std::uint64_t slices_generation_ = 0, slices_children_ = 0;
  bool follows_load_ = true;
  bool renaming_ = false;
  SymbolOptions shown_names_;  // of the timeline that is shown or being loaded
  std::optional<Status> rename_result_;
  std::unique_ptr<TraceLoader> queue_;
  std::vector<std::unique_ptr<TraceLoader>> ending_;  // of loads that a reload replaced
};

}  // namespace cinderscope
