#include "app/session/trace_loader.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <new>
#include <stdexcept>
#include <thread>

#include "tests/support/synthetic_source.h"
#include "tests/support/wakes.h"

namespace cinderscope {
namespace {

// A queue whose events are gathered until the wanted one has come.
class Loader {
 public:
  explicit Loader(SourceOpener open, SnapshotRhythm snapshots = kNoSnapshots)
      : queue_(std::move(open), {.jobs = 1, .snapshots = snapshots}, wakes_.function()) {}
  explicit Loader(SyntheticEvents events, SnapshotRhythm snapshots = kNoSnapshots)
      : Loader(opener_of(std::make_shared<SyntheticSource>(SyntheticTree{}, std::move(events))),
               snapshots) {}

  TraceLoader& queue() { return queue_; }
  int wakes() const { return wakes_.count(); }
  const std::vector<LoadEvent>& events() const { return events_; }

  // Gathers everything there will be.
  bool settle() {
    const bool settled = wait_until([this] { return queue_.idle(); });
    gather();
    return settled;
  }

  // The first event of this kind, waiting for it; null if it does not come.
  template <class Event>
  const Event* await() {
    const Event* found = nullptr;
    wakes_.wait_until([&] {
      gather();
      for (const LoadEvent& event : events_) {
        if (found == nullptr) found = std::get_if<Event>(&event);
      }
      return found != nullptr;
    });
    return found;
  }

 private:
  void gather() {
    for (LoadEvent& event : queue_.take()) events_.push_back(std::move(event));
  }

  Wakes wakes_;
  std::vector<LoadEvent> events_;
  TraceLoader queue_;
};

TEST(TraceLoaderTest, HandsOverTheSourceThenTheTrace) {
  Loader loader{SyntheticEvents{}};
  const auto* loaded = loader.await<TraceLoaded>();
  ASSERT_NE(loaded, nullptr);
  EXPECT_EQ(loaded->timeline.slice_count, 3u);
  EXPECT_TRUE(loaded->timeline.complete);
  ASSERT_EQ(loader.events().size(), 2u);
  EXPECT_TRUE(std::holds_alternative<SourceOpened>(loader.events()[0]));
  EXPECT_GE(loader.wakes(), 2);
}

TEST(TraceLoaderTest, HandsOverSnapshotsInOrderBeforeTheTrace) {
  Gate first_seen;
  SyntheticEvents events;
  events.before_root = [&](std::uint64_t step) {
    if (step == 1) first_seen.pass();
  };
  Loader loader(events, kSnapshotsAtOnce);
  const auto* snapshot = loader.await<SnapshotReady>();
  ASSERT_NE(snapshot, nullptr);
  EXPECT_EQ(snapshot->timeline.slice_count, 1u);
  EXPECT_FALSE(snapshot->timeline.complete);
  first_seen.open();
  ASSERT_NE(loader.await<TraceLoaded>(), nullptr);
  std::uint64_t slices = 0;
  for (const LoadEvent& event : loader.events()) {
    if (const auto* early = std::get_if<SnapshotReady>(&event)) {
      EXPECT_GT(early->timeline.slice_count, slices);
      slices = early->timeline.slice_count;
    }
  }
  EXPECT_TRUE(std::holds_alternative<TraceLoaded>(loader.events().back()));
}

TEST(TraceLoaderTest, KeepsNoSnapshotThatTheTraceReplaces) {
  Loader loader(SyntheticEvents{}, kSnapshotsAtOnce);
  ASSERT_TRUE(wait_until([&] { return loader.queue().idle(); }));
  ASSERT_NE(loader.await<TraceLoaded>(), nullptr);
  EXPECT_EQ(loader.events().size(), 2u);
  EXPECT_GE(loader.wakes(), 3);
}

TEST(TraceLoaderTest, ReportsWhatCannotBeOpened) {
  Loader loader([](LoadContext&) -> Result<OpenedSource> {
    return Error{ErrorCode::cannot_read, "It is gone.", {}};
  });
  const auto* failed = loader.await<LoadFailed>();
  ASSERT_NE(failed, nullptr);
  EXPECT_EQ(failed->error.code, ErrorCode::cannot_read);
  EXPECT_EQ(loader.events().size(), 1u);
}

TEST(TraceLoaderTest, TurnsExceptionsIntoFailures) {
  Loader opening([](LoadContext&) -> Result<OpenedSource> { throw std::bad_alloc(); });
  ASSERT_NE(opening.await<LoadFailed>(), nullptr);
  EXPECT_EQ(opening.await<LoadFailed>()->error.code, ErrorCode::no_memory);

  Loader no_memory({.before_root = [](std::uint64_t) { throw std::bad_alloc(); }});
  ASSERT_NE(no_memory.await<LoadFailed>(), nullptr);
  EXPECT_EQ(no_memory.await<LoadFailed>()->error.code, ErrorCode::no_memory);

  Loader other({.before_root = [](std::uint64_t) { throw std::runtime_error("tables differ"); }});
  ASSERT_NE(other.await<LoadFailed>(), nullptr);
  EXPECT_NE(other.await<LoadFailed>()->error.text.find("tables differ"), std::string::npos);
}

TEST(TraceLoaderTest, EndsALoadThatIsCancelled) {
  Gate cancelled;
  Loader loader({.before_root = [&](std::uint64_t step) {
    if (step == 1) cancelled.pass();
  }});
  loader.queue().cancel();
  cancelled.open();
  const auto* failed = loader.await<LoadFailed>();
  ASSERT_NE(failed, nullptr);
  EXPECT_EQ(failed->error.code, ErrorCode::cancelled);
  EXPECT_TRUE(wait_until([&] { return loader.queue().idle(); }));
}

// A timeline that tells which thread frees it.
Timeline told_timeline(std::atomic<std::thread::id>& freed_by) {
  TimelineBuilder builder;
  builder.slices(builder.thread(builder.process("1"), "1")).complete(0, 1, kEmptyString, 0);
  Timeline timeline = builder.finish();
  timeline.strings = std::shared_ptr<StringPool>(new StringPool, [&freed_by](StringPool* pool) {
    delete pool;
    freed_by = std::this_thread::get_id();
  });
  return timeline;
}

TEST(TraceLoaderTest, FreesWhatIsDiscardedOnTheLoaderThread) {
  std::atomic<std::thread::id> freed_by;
  Loader loader{SyntheticEvents{}};
  loader.queue().discard(told_timeline(freed_by), nullptr);
  ASSERT_TRUE(wait_until([&] { return loader.queue().idle(); }));
  EXPECT_NE(freed_by.load(), std::thread::id());
  EXPECT_NE(freed_by.load(), std::this_thread::get_id());
}

TEST(TraceLoaderTest, GivesUpItsSourceAndAllEventsWhenItIsClosed) {
  const auto source = std::make_shared<SyntheticSource>(SyntheticTree{}, SyntheticEvents{});
  TraceLoader queue(opener_of(source), {.jobs = 1}, nullptr);
  ASSERT_TRUE(wait_until([&] { return queue.idle(); }));
  EXPECT_GT(source.use_count(), 1);
  queue.close();
  ASSERT_TRUE(wait_until([&] { return queue.idle(); }));
  EXPECT_TRUE(queue.take().empty());
}

TEST(TraceLoaderTest, AnswersRequestsForChildrenInOrder) {
  Loader loader{SyntheticEvents{}};
  loader.queue().request({.key = 7, .query = {.source_key = 0, .first = 10, .count = 5}});
  loader.queue().request({.key = 8, .query = {.source_key = 1, .first = 0, .count = 2}});
  ASSERT_TRUE(loader.settle());
  ASSERT_EQ(loader.events().size(), 4u);
  const auto& first = std::get<ChildrenReady>(loader.events()[2]);
  const auto& second = std::get<ChildrenReady>(loader.events()[3]);
  EXPECT_EQ(first.key, 7u);
  ASSERT_TRUE(first.children);
  EXPECT_EQ(first.children->rows.at(0).count(), 5u);
  EXPECT_EQ(first.children->rows.at(0).begin_ns(0), 10'000'000);
  EXPECT_EQ(second.key, 8u);
}

TEST(TraceLoaderTest, AnswersWithAnErrorWhatCannotBeRead) {
  SyntheticEvents events;
  events.before_children = [](const ChildQuery& query) -> Status {
    if (query.source_key == 0) throw std::bad_alloc();
    return Error{ErrorCode::damaged, "This block is damaged.", {}};
  };
  Loader loader(events);
  loader.queue().request({.key = 0, .query = {.source_key = 0, .first = 0, .count = 1}});
  ASSERT_NE(loader.await<ChildrenReady>(), nullptr);
  ASSERT_FALSE(loader.await<ChildrenReady>()->children);
  EXPECT_EQ(loader.await<ChildrenReady>()->children.error().code, ErrorCode::no_memory);
  loader.queue().request({.key = 1, .query = {.source_key = 1, .first = 0, .count = 1}});
  ASSERT_TRUE(loader.settle());
  const auto& last = std::get<ChildrenReady>(loader.events().back());
  ASSERT_FALSE(last.children);
  EXPECT_EQ(last.children.error().code, ErrorCode::damaged);
}

TEST(TraceLoaderTest, ForgetsRequestsThatWereNotBegun) {
  Gate asked;
  SyntheticEvents events;
  events.before_root = [&](std::uint64_t step) {
    if (step == 0) asked.pass();
  };
  Loader loader(events);
  loader.queue().request({.key = 1, .query = {.source_key = 0, .first = 0, .count = 1}});
  loader.queue().forget_requests();
  asked.open();
  ASSERT_NE(loader.await<TraceLoaded>(), nullptr);
  ASSERT_TRUE(loader.settle());
  EXPECT_TRUE(std::holds_alternative<TraceLoaded>(loader.events().back()));
}

// The load may have ended when the user's cancel comes: what is asked for later is still read.
TEST(TraceLoaderTest, ReadsChildrenAfterACancelThatCameTooLate) {
  Loader loader{SyntheticEvents{}};
  ASSERT_TRUE(wait_until([&] { return loader.queue().idle(); }));
  loader.queue().cancel();
  ASSERT_NE(loader.await<TraceLoaded>(), nullptr);
  loader.queue().request({.key = 1, .query = {.source_key = 0, .first = 0, .count = 4}});
  const auto* answer = loader.await<ChildrenReady>();
  ASSERT_NE(answer, nullptr);
  EXPECT_TRUE(answer->children);
}

TEST(TraceLoaderTest, EndsWhileASourceWaitsForBytesOfAPipe) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  {
    Loader loader([&](LoadContext&) -> Result<OpenedSource> {
      class Waiting : public TraceSource {
       public:
        explicit Waiting(Input input) : input_(std::move(input)) {}
        Status load(TimelineBuilder&, LoadContext&) override {
          static_cast<void>(input_.size_bytes());
          return ok();
        }
        const Input& input() const override { return input_; }

       private:
        Input input_;
      };
      Result<Input> input = Input::from_descriptor(UniqueFd(ends[0]), "pipe");
      if (!input) return input.error();
      return OpenedSource{std::make_shared<Waiting>(std::move(*input)), nullptr};
    });
    ASSERT_NE(loader.await<SourceOpened>(), nullptr);
  }  // ends although nobody ever writes to the pipe
  close(ends[1]);
}

}  // namespace
}  // namespace cinderscope
