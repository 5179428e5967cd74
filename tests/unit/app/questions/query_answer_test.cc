// Queries of a tab whose trace is read again, goes on loading, or is closed meanwhile.
#include "app/questions/query_answer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <thread>

#include "tests/support/synthetic_source.h"

namespace cinderscope {
namespace {

constexpr const char* kEndless = "SELECT count(*) FROM slice a, slice b, slice c, slice d";
constexpr const char* kCount = "SELECT count(*) FROM slice";

class QueryRunnerTest : public testing::Test {
 protected:
  void open(SyntheticEvents events = {}, SnapshotRhythm snapshots = kNoSnapshots) {
    session_ = std::make_unique<Session>(
        "folder/trace.bin",
        [events](LoadContext&) -> Result<OpenedSource> {
          return OpenedSource{
              std::make_shared<SyntheticSource>(SyntheticTree{.roots = 300}, events), nullptr};
        },
        SessionOptions{.load = {.jobs = 1, .snapshots = snapshots}});
  }
  bool loaded() {
    return wait_until([this] {
      session_->poll();
      return !session_->loading();
    });
  }
  void ask(std::string text) {
    QueryAsked asked;
    asked.text = std::move(text);
    asked.even_if_slow = true;
    runner_->run(*session_, std::move(asked));
  }
  bool at_work() {
    return wait_until([this] { return runner_->slices_looked_at() > 0; });
  }
  bool answered() {
    return wait_until([this] { return runner_->poll() && !runner_->running(); });
  }

  std::unique_ptr<Session> session_;
  std::unique_ptr<QueryRunner> runner_ = std::make_unique<QueryRunner>(nullptr);
};

TEST_F(QueryRunnerTest, AnswersForTheTraceAsItWasWhenAReloadComes) {
  open();
  ASSERT_TRUE(loaded());
  // Long enough for a reload, and ends by itself.
  ask("SELECT count(*) FROM slice a, slice b WHERE a.ts + b.ts >= 0");
  ASSERT_TRUE(at_work());
  session_->reload();
  ASSERT_TRUE(loaded());
  ASSERT_TRUE(answered());
  EXPECT_TRUE(runner_->answer()->outcome.ok());
  EXPECT_EQ(runner_->answer()->outcome.rows, 1u);
  EXPECT_FALSE(are_asked(runner_->answer()->of, *session_));
  ask(kCount);
  ASSERT_TRUE(answered());
  EXPECT_TRUE(are_asked(runner_->answer()->of, *session_));
  EXPECT_EQ(runner_->answer()->outcome.slices_looked_at, 300u);
}

TEST_F(QueryRunnerTest, ANewerRunEndsAnEndlessOneOfAnOlderLoad) {
  open();
  ASSERT_TRUE(loaded());
  for (int i = 0; i < 5; ++i) {
    ask(kEndless);
    ASSERT_TRUE(at_work());
    session_->reload();
    ASSERT_TRUE(loaded());
  }
  ask(kCount);
  ASSERT_TRUE(answered());
  EXPECT_EQ(runner_->answer_count(), 1u);
  EXPECT_TRUE(are_asked(runner_->answer()->of, *session_));
}

TEST_F(QueryRunnerTest, ATabIsClosedWhileItRuns) {
  for (const bool session_first : {true, false}) {
    open();
    ASSERT_TRUE(loaded());
    runner_ = std::make_unique<QueryRunner>(nullptr);
    ask(kEndless);
    ASSERT_TRUE(at_work());
    if (session_first) session_.reset();
    runner_.reset();
    session_.reset();
  }
}

TEST_F(QueryRunnerTest, SaysThatATraceWasStillBeingRead) {
  std::atomic<bool> waits = false;
  Gate gate;
  open({.before_root =
            [&](std::uint64_t step) {
              if (step != 200) return;
              waits = true;
              gate.pass();
            }},
       kSnapshotsAtOnce);
  ASSERT_TRUE(wait_until([&] {
    session_->poll();
    return waits && session_->timeline().slice_count > 0;
  }));
  ask(kCount);
  ASSERT_TRUE(answered());
  EXPECT_TRUE(runner_->answer()->so_far);
  EXPECT_TRUE(runner_->answer()->outcome.ok());
  const std::uint64_t so_far = runner_->answer()->outcome.slices_looked_at;
  EXPECT_LT(so_far, 300u);
  ask(kEndless);  // it goes on while the rest comes
  ASSERT_TRUE(at_work());
  gate.open();
  ASSERT_TRUE(loaded());
  ask(kCount);
  ASSERT_TRUE(answered());
  EXPECT_FALSE(runner_->answer()->so_far);
  EXPECT_EQ(runner_->answer()->outcome.slices_looked_at, 300u);
}

// As the end of the program does while a table is saved.
TEST_F(QueryRunnerTest, AllRowsEndsWithoutARow) {
  open();
  ASSERT_TRUE(loaded());
  QueryAsked asked;
  asked.text = std::string(kEndless) + " WHERE a.ts + b.ts + c.ts + d.ts < 0";
  const AllRows rows = all_rows(*session_, asked, 0);
  std::atomic<bool> ends = false;
  std::thread later([&ends] { ends = true; });
  EXPECT_FALSE(rows([](std::span<const QueryCell>) { return true; }, ends));
  later.join();
}

}  // namespace
}  // namespace cinderscope
