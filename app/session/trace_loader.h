// The loader thread of one trace: opens it, loads it, later reads children; the UI thread takes the
// results.
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

#include "app/session/opened_source.h"
#include "ingest/format/trace_source.h"

namespace cinderscope {

struct PrecomputedTotals;

// A request for children. `key` comes back with the answer; the loader does not read it.
struct ChildRequest {
  std::uint64_t key = 0;
  ChildQuery query;
};

// The loader's events come in this order: opened, snapshots, then loaded or failed; children and
// symbols any time after loaded.
struct SourceOpened {
  OpenedSource opened;
};
struct SnapshotReady {
  Timeline timeline;
};
struct TraceLoaded {
  Timeline timeline;
  double seconds = 0;                               // wall clock from open to finish
  bool prepared = false;                            // taken from a prepared copy
  std::shared_ptr<const PrecomputedTotals> totals;  // of all its slices, as the copy has them
};
struct LoadFailed {
  Error error;
};
// A request for symbols of another file, or for other colours.
struct RenameRequest {
  Timeline shown;
  SymbolOptions names;
};
struct RenameDone {
  Result<Timeline> timeline;
  SymbolOptions names;  // of the request
};
struct ChildrenReady {
  std::uint64_t key = 0;
  Result<LoadedChildren> children;
};
// What happened on disk to the files that were loaded; only where it is news.
struct FilesChanged {
  DiskChange change;
};
using LoadEvent = std::variant<SourceOpened, SnapshotReady, TraceLoaded, LoadFailed, ChildrenReady,
                               RenameDone, FilesChanged>;

// UI thread only. Only the destructor waits for the loader thread.
class TraceLoader {
 public:
  // Starts at once. `wake` is called on the loader thread when there is something to take().
  TraceLoader(SourceOpener open, const LoadOptions& options, std::function<void()> wake);
  ~TraceLoader();  // cancels and waits; see idle()
  TraceLoader(const TraceLoader&) = delete;
  TraceLoader& operator=(const TraceLoader&) = delete;

  // Events since the last call. Only the newest of several snapshots is kept.
  std::vector<LoadEvent> take();

  void request(ChildRequest request);
  // Call after the load. A request that was not begun yet is replaced.
  void rename(RenameRequest request);
  // Looks at the files on disk now and every two seconds, once they are loaded, until told not to.
  void watch_files(bool watch);
  // Looks at them once.
  void look_at_files();
  // Forgets requests for children that were not begun; their keys get no answer.
  void forget_requests();

  // Ends the load, or the reading of children, soon: sources look at the flag between two pieces of
  // input.
  void cancel();
  // Frees a timeline and a source that are not shown any more on the loader thread: freeing a
  // hundred million slices or unmapping their input takes longer than a frame. Either may be empty.
  void discard(Timeline timeline, std::shared_ptr<TraceSource> source);
  // Cancels, and frees on the loader thread all that it holds. No events come any more.
  void close();
  // True if the thread has ended or waits for requests: destroying takes no time.
  bool idle() const;

  const LoadContext& control() const { return control_; }

 private:
  void run();
  void load();
  void load_children(const ChildRequest& request);
  void do_rename(const RenameRequest& request);
  void report_changes();
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
  // The timeline with the newest symbols, which the UI thread may not have taken yet. Loader
  // thread.
  std::optional<Timeline> renamed_;
  bool loaded_ = false;      // loader thread
  DiskChange known_change_;  // loader thread

  mutable std::mutex mutex_;
  // For the children or symbols being read; a new one for each answer, since a cancel is final.
  std::optional<LoadContext> child_control_;
  std::condition_variable changed_;
  std::vector<LoadEvent> events_;
  std::deque<ChildRequest> requests_;
  std::optional<RenameRequest> rename_;
  std::vector<Discarded> discarded_;
  bool watches_ = false, looks_ = false;  // at the files: every while; as soon as it can
  bool stop_ = false;
  bool close_ = false;  // the trace is not needed any more
  bool idle_ = false;
  std::shared_ptr<TraceSource> stoppable_;  // whose input is to be stopped on cancel
  std::thread thread_;
};

}  // namespace cinderscope
