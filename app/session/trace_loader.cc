#include "app/session/trace_loader.h"

#include <chrono>
#include <exception>
#include <new>
#include <utility>

#include "app/session/prepared_copies.h"
#include "ingest/base/parallel.h"
#include "ingest/base/self_trace.h"
#include "ingest/base/self_trace_thread.h"
#include "ingest/base/ui_priority.h"
#include "ingest/format/symbols.h"
#include "ingest/os/memory.h"

namespace cinderscope {
namespace {

constexpr std::chrono::seconds kWatchPause{
    2};  // a file system that is asked so seldom feels it not

Error no_memory_error() {
  return {.code = ErrorCode::no_memory,
          .text = "There is not enough memory to read this trace.",
          .expected = "Close other traces or programs, or open a smaller part of it."};
}

Error no_thread_error() {
  return {.code = ErrorCode::no_memory,
          .text = "The system starts no more threads, so this trace cannot be read.",
          .expected = "Close other programs, or raise the limit on processes (ulimit -u)."};
}

// Formats report errors by Result; an exception comes from the standard library below them.
Error thrown_error(const std::exception& thrown) {
  return {.code = ErrorCode::damaged,
          .text = std::string("Reading this trace failed: ") + thrown.what() + ".",
          .expected = "Please report this together with the file."};
}

}  // namespace

TraceLoader::TraceLoader(SourceOpener open, const LoadOptions& options, std::function<void()> wake)
    : open_(std::move(open)), options_(options), control_(options), wake_(std::move(wake)) {
  thread_ = started_thread([this] { run(); });
  if (!thread_.joinable()) hand_over(LoadFailed{no_thread_error()});
}

TraceLoader::~TraceLoader() {
  cancel();
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

std::vector<LoadEvent> TraceLoader::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(events_, {});
}

void TraceLoader::request(ChildRequest request) {
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
    idle_ = false;
  }
  changed_.notify_all();
}

void TraceLoader::rename(RenameRequest request) {
  {
    const std::lock_guard lock(mutex_);
    rename_ = std::move(request);
    idle_ = false;
  }
  changed_.notify_all();
}

void TraceLoader::watch_files(bool watch) {
  {
    const std::lock_guard lock(mutex_);
    if (watches_ == watch) return;
    watches_ = watch;
    looks_ = looks_ || watch;
  }
  changed_.notify_all();
}

void TraceLoader::look_at_files() {
  {
    const std::lock_guard lock(mutex_);
    looks_ = true;
  }
  changed_.notify_all();
}

void TraceLoader::report_changes() {
  if (!loaded_) return;
  try {
    const DiskChange change = opened_.source->change_on_disk();
    if (change == known_change_) return;
    known_change_ = change;
    hand_over(FilesChanged{change});
  } catch (const std::exception&) {
    return;  // cannot be told now
  }
}

void TraceLoader::forget_requests() {
  const std::lock_guard lock(mutex_);
  requests_.clear();
}

void TraceLoader::cancel() {
  control_.cancel();
  std::shared_ptr<TraceSource> source;
  {
    const std::lock_guard lock(mutex_);
    requests_.clear();
    rename_.reset();
    if (child_control_) child_control_->cancel();
    source = stoppable_;
  }
  // A source that waits for bytes of a pipe or of a packed file does not look at the flag.
  if (source) source->stop();
}

void TraceLoader::discard(Timeline timeline, std::shared_ptr<TraceSource> source) {
  if (timeline.empty() && source == nullptr) return;
  {
    const std::lock_guard lock(mutex_);
    discarded_.push_back({std::move(timeline), std::move(source)});
    idle_ = false;
  }
  changed_.notify_all();
}

void TraceLoader::close() {
  cancel();
  {
    const std::lock_guard lock(mutex_);
    close_ = true;
    idle_ = false;
  }
  changed_.notify_all();
}

bool TraceLoader::idle() const {
  const std::lock_guard lock(mutex_);
  return idle_ || !thread_.joinable();
}

void TraceLoader::hand_over(LoadEvent event) {
  // Freed outside the lock: the UI thread must not wait for it.
  std::optional<LoadEvent> outdated;
  std::vector<Discarded> discarded;
  {
    const std::lock_guard lock(mutex_);
    discarded.swap(discarded_);
    const bool replaces = !events_.empty() &&
                          std::holds_alternative<SnapshotReady>(events_.back()) &&
                          (std::holds_alternative<SnapshotReady>(event) ||
                           std::holds_alternative<TraceLoaded>(event));
    if (replaces) {
      outdated = std::exchange(events_.back(), std::move(event));
    } else {
      events_.push_back(std::move(event));
    }
  }
  if (wake_) wake_();
}

void TraceLoader::run() {
  lower_this_thread();
  const SelfTraceThread named("loader");
  try {
    load();
  } catch (const std::bad_alloc&) {
    hand_over(LoadFailed{no_memory_error()});
  } catch (const std::exception& thrown) {
    hand_over(LoadFailed{thrown_error(thrown)});
  }
  std::unique_lock lock(mutex_);
  if (!close_) {
    lock.unlock();
    give_back_free_memory();  // memory that only the load needed
    lock.lock();
  }
  for (;;) {
    const auto has_work = [this] {
      return close_ || rename_ || looks_ || !requests_.empty() || !discarded_.empty();
    };
    const auto wakes = [&] { return stop_ || has_work(); };
    const bool was_watching = watches_;
    idle_ = !has_work();
    if (was_watching) {
      if (!changed_.wait_for(lock, kWatchPause, wakes)) looks_ = watches_;
    } else {
      changed_.wait(lock, wakes);
    }
    if (stop_ || close_) break;
    if (std::exchange(looks_, false)) {
      idle_ = false;
      lock.unlock();
      report_changes();
    } else if (rename_) {
      const RenameRequest request = *std::exchange(rename_, std::nullopt);
      child_control_.emplace(options_);
      lock.unlock();
      do_rename(request);
    } else if (requests_.empty() && discarded_.empty()) {
      continue;  // nothing but the time to look has passed
    } else if (requests_.empty()) {
      std::vector<Discarded> discarded = std::exchange(discarded_, {});
      lock.unlock();
      discarded.clear();
      give_back_free_memory();
    } else {
      const ChildRequest request = requests_.front();
      requests_.pop_front();
      child_control_.emplace(options_);
      lock.unlock();
      load_children(request);
    }
    lock.lock();
  }
  std::vector<LoadEvent> events = std::exchange(events_, {});
  std::vector<Discarded> discarded = std::exchange(discarded_, {});
  stoppable_.reset();
  lock.unlock();
  // Giving our own memory back keeps one core busy while others unmap a large input.
  const std::future<void> unmapped = in_background([this, &discarded] {
    opened_ = {};
    for (Discarded& one : discarded) one.source.reset();
  });
  events.clear();
  for (Discarded& one : discarded) one.timeline = {};
  strings_.reset();
  renamed_.reset();
  give_back_free_memory();
  unmapped.wait();
  give_back_free_memory();
  lock.lock();
  idle_ = true;
}

void TraceLoader::load() {
  const SelfTraceMark mark("load");
  const auto started = std::chrono::steady_clock::now();
  // It may keep what is read on alive, which is needed no longer.
  Result<OpenedSource> opened = std::exchange(open_, nullptr)(control_);
  if (!opened) return hand_over(LoadFailed{opened.error()});
  opened_ = *opened;
  {
    const std::lock_guard lock(mutex_);
    stoppable_ = opened_.source;
  }
  // A cancel() between opening and the line above found no source to stop.
  if (control_.cancelled()) opened_.source->stop();
  hand_over(SourceOpened{opened_});

  control_.on_snapshot(
      [this](Timeline snapshot) { hand_over(SnapshotReady{std::move(snapshot)}); });
  Result<LoadedTimeline> loaded = load_timeline(opened_, control_);
  if (!loaded) return hand_over(LoadFailed{loaded.error()});
  strings_ = loaded->timeline.strings;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
  loaded_ = true;
  hand_over(TraceLoaded{std::move(loaded->timeline), took.count(), loaded->prepared,
                        std::move(loaded->totals)});
}

void TraceLoader::do_rename(const RenameRequest& request) {
  Result<Timeline> renamed = no_memory_error();
  try {
    if (opened_.source && opened_.source->symbols() != nullptr) {
      const Timeline& newest = renamed_ ? *renamed_ : request.shown;
      renamed =
          cinderscope::renamed(newest, *opened_.source->symbols(), request.names, *child_control_);
    }
    if (renamed) {
      strings_ = renamed->strings;
      renamed_ = *renamed;
    }
  } catch (const std::bad_alloc&) {
    renamed = no_memory_error();
  } catch (const std::exception& thrown) {
    renamed = thrown_error(thrown);
  }
  hand_over(RenameDone{std::move(renamed), request.names});
}

void TraceLoader::load_children(const ChildRequest& request) {
  const SelfTraceMark mark("load children", "count",
                           static_cast<std::int64_t>(request.query.count));
  Result<LoadedChildren> children = no_memory_error();
  try {
    if (opened_.source && strings_) {
      children = read_children(*opened_.source, request.query, *strings_, *child_control_);
    }
  } catch (const std::bad_alloc&) {
    children = no_memory_error();
  } catch (const std::exception& thrown) {
    children = thrown_error(thrown);
  }
  const bool stays = opened_.source == nullptr || opened_.source->records_stay();
  hand_over(ChildrenReady{request.key, std::move(children)});
  if (!stays) report_changes();
}

}  // namespace cinderscope
