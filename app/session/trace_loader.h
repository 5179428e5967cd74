// The loader thread of one trace: opens it, loads it, later loads children; results wait for the
// UI.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <variant>
#include <vector>

#include "ingest/format/format.h"

namespace cinderscope {

// An opened trace with the format that claimed it.
struct OpenedSource {
  std::shared_ptr<TraceSource> source;
  const Format* format = nullptr;  // null in tests
};
// Runs on the loader thread; may wait for a pipe. Must end soon after the control is cancelled.
using SourceOpener = std::function<Result<OpenedSource>(LoadContext&)>;

// Children asked for. `key` comes back with the answer and means something only to the asker.
struct ChildRequest {
  std::uint64_t key = 0;
  ChildQuery query;
};

// What the loader hands over, in this order: opened, snapshots, then loaded or failed; children any
// time after loaded.
struct SourceOpened {
  OpenedSource opened;
};
struct SnapshotReady {
  Timeline timeline;
};
struct TraceLoaded {
  Timeline timeline;
  double seconds = 0;  // wall clock from open to finish
};
struct LoadFailed {
  Error error;
};
// Names of another file or other colours, for a trace whose names lie apart.
struct RenameRequest {
  Timeline shown;
  SymbolOptions names;
};
struct RenameDone {
  Result<Timeline> timeline;
  SymbolOptions names;  // as they were asked for
};
struct ChildrenReady {
  std::uint64_t key = 0;
  Result<LoadedChildren> children;
};
using LoadEvent =
    std::variant<SourceOpened, SnapshotReady, TraceLoaded, LoadFailed, ChildrenReady, RenameDone>;

// All calls come from the UI thread and none of them waits for the loader, but for the destructor.
class TraceLoader {
 public:
  // Starts at once. `wake` is called on the loader thread when there is something to take().
  TraceLoader(SourceOpener open, LoadOptions options, std::function<void()> wake);
  ~TraceLoader();  // cancels and waits; see idle()
  TraceLoader(const TraceLoader&) = delete;
  TraceLoader& operator=(const TraceLoader&) = delete;

  // Events since the last call. Only the newest of several snapshots is kept.
  std::vector<LoadEvent> take();

  void request(ChildRequest request);
  // After the load. A later one takes the place of one that was not begun.
  void rename(RenameRequest request);
  // Forgets children that were asked for and not begun; their keys get no answer.
  void forget_requests();

  // Ends the load, or the children being read, soon: the source looks at this between two windows.
  void cancel();
  // Lets go of what is not shown any more, on the loader thread: freeing a hundred million slices
  // or unmapping their input takes longer than a frame. Either may be nothing.
  void discard(Timeline timeline, std::shared_ptr<TraceSource> source);
  // Cancels, and gives up on the loader thread all that the queue holds. Nothing comes any more.
  void close();
  // No thread runs any more or it is waiting for requests: destroying takes no time.
  bool idle() const;

  const LoadContext& control() const { return control_; }

 private:
  void run();
  void load();
  void load_children(const ChildRequest& request);
  void do_rename(const RenameRequest& request);
  void hand_over(LoadEvent event);

  struct Discarded {
    Timeline timeline;
    std::shared_ptr<TraceSource> source;
  };

  SourceOpener open_;
  LoadOptions options_;
  LoadContext control_;
  std::function<void()> wake_;
  OpenedSource opened_;                  // loader thread only
  std::shared_ptr<StringPool> strings_;  // loader thread only
  // With the newest names; the asker may not have taken it yet when it asks again. Loader thread.
  std::optional<Timeline> renamed_;

  mutable std::mutex mutex_;
  // Of the children being read or the names; one of its own for each answer, since a cancel lasts.
  std::optional<LoadContext> child_control_;
  std::condition_variable changed_;
  std::vector<LoadEvent> events_;
  std::deque<ChildRequest> requests_;
  std::optional<RenameRequest> rename_;
  std::vector<Discarded> discarded_;
  bool stop_ = false;
  bool close_ = false;  // nothing of the trace is needed any more
  bool idle_ = false;
  std::shared_ptr<TraceSource> stoppable_;  // whose input is to be stopped on cancel
  std::thread thread_;
};

}  // namespace cinderscope
