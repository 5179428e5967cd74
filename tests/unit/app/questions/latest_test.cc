#include "app/questions/latest.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <new>
#include <string>
#include <thread>

namespace cinderscope {
namespace {

using Words = Latest<int, std::string>;
using Asked = BackgroundQuestion<std::string>;

class LatestTest : public testing::Test {
 protected:
  static Words::Work says(std::string text) {
    return [text](const Asked&) { return text; };
  }
  // Answers once it is told to, or says that it was cancelled.
  Words::Work waits(std::string text) {
    return [this, text](const Asked& asked) {
      while (!go_ && !asked.cancelled) std::this_thread::yield();
      return text;
    };
  }
  // Until what was asked last is answered.
  void wait() {
    while (words_.busy()) {
      words_.poll();
      std::this_thread::yield();
    }
  }
  std::string said() const { return words_.answer() == nullptr ? "" : *words_.answer(); }

  std::atomic<bool> go_{false};
  Words words_{[] {}};
};

TEST_F(LatestTest, KeepsTheLastAnswerUntilTheNextIsThere) {
  EXPECT_EQ(words_.answer(), nullptr);
  words_.ask(1, says("one"));
  wait();
  EXPECT_EQ(said(), "one");
  words_.ask(2, waits("two"));
  words_.poll();
  EXPECT_EQ(said(), "one");
  EXPECT_EQ(words_.answered(), 1);
  EXPECT_TRUE(words_.busy());
  go_ = true;
  wait();
  EXPECT_EQ(said(), "two");
  EXPECT_EQ(words_.answered(), 2);
}

TEST_F(LatestTest, AQuestionIsDueOnce) {
  EXPECT_TRUE(words_.is_due(1));
  words_.ask(1, says("one"));
  EXPECT_FALSE(words_.is_due(1));
  wait();
  EXPECT_FALSE(words_.is_due(1));
  EXPECT_TRUE(words_.is_due(2));
}

TEST_F(LatestTest, ANewerQuestionReplacesTheRunningOneOrLetsItEnd) {
  words_.ask(1, waits("one"));
  EXPECT_FALSE(words_.is_due(2, true));
  EXPECT_TRUE(words_.is_due(2));
  words_.ask(2, says("two"));
  wait();
  EXPECT_EQ(said(), "two");
  EXPECT_TRUE(words_.is_due(1, true));
}

TEST_F(LatestTest, BackAtTheAnsweredQuestionNothingIsWorkedOut) {
  words_.ask(1, says("one"));
  wait();
  words_.ask(2, waits("two"));
  words_.ask(1, says("one again"));
  EXPECT_FALSE(words_.busy());
  EXPECT_EQ(said(), "one");
}

TEST_F(LatestTest, WhatIsPublishedIsNotTheWholeAnswer) {
  words_.ask(1, [this](const Asked& asked) {
    asked.publish("so far");
    while (!go_ && !asked.cancelled) std::this_thread::yield();
    return std::string("all");
  });
  while (words_.answer() == nullptr) words_.poll();
  EXPECT_EQ(said(), "so far");
  EXPECT_FALSE(words_.is_whole());
  go_ = true;
  wait();
  EXPECT_EQ(said(), "all");
}

TEST_F(LatestTest, SaysThatMemoryWasShort) {
  words_.ask(1, says("one"));
  wait();
  words_.ask(2, [](const Asked&) -> std::string { throw std::bad_alloc(); });
  wait();
  EXPECT_TRUE(words_.out_of_memory());
  EXPECT_EQ(words_.answer(), nullptr);
  words_.ask(3, says("three"));
  wait();
  EXPECT_FALSE(words_.out_of_memory());
  EXPECT_EQ(said(), "three");
}

TEST_F(LatestTest, AnswersAtOnceWhereThatIsNeeded) {
  words_.ask(1, waits("late"));
  ASSERT_NE(words_.answer_now(2, says("now")), nullptr);
  EXPECT_EQ(said(), "now");
  EXPECT_FALSE(words_.busy());
  words_.answer_now(2, says("known already"));
  EXPECT_EQ(said(), "now");
  EXPECT_EQ(words_.answer_now(3, [](const Asked&) -> std::string { throw std::bad_alloc(); }),
            nullptr);
  EXPECT_TRUE(words_.out_of_memory());
}

TEST_F(LatestTest, CancelKeepsTheAnswerAndForgetDropsIt) {
  words_.ask(1, says("one"));
  wait();
  words_.ask(2, waits("two"));
  words_.cancel();
  EXPECT_FALSE(words_.busy());
  EXPECT_EQ(said(), "one");
  words_.forget();
  EXPECT_EQ(words_.answer(), nullptr);
  EXPECT_TRUE(words_.is_due(1));
}

}  // namespace
}  // namespace cinderscope
