#include "ingest/compare/thread_pairs.h"

#include <gtest/gtest.h>

#include <string>

namespace cinderscope {
namespace {

RunThread thread_of(const std::string& process, const std::string& name) {
  RunThread thread;
  thread.process = process;
  thread.name = name;
  return thread;
}

std::string text_of(const std::vector<ThreadPair>& pairs) {
  std::string text;
  for (const ThreadPair& pair : pairs) {
    text += pair.a ? std::to_string(*pair.a) : "-";
    text += pair.b ? std::to_string(*pair.b) : "-";
    text += ' ';
  }
  return text;
}

TEST(ThreadPairs, ByProcessAndNameThenByName) {
  const std::vector<RunThread> a = {thread_of("p", "main"), thread_of("p", "worker"),
                                    thread_of("p", "worker"), thread_of("p", "alone")};
  const std::vector<RunThread> b = {thread_of("q", "worker"), thread_of("p", "worker"),
                                    thread_of("p", "main"), thread_of("q", "other")};
  EXPECT_EQ(text_of(pair_threads(a, b)), "02 11 20 3- -3 ");
  EXPECT_EQ(text_of(pair_threads(b, a)), "02 11 20 3- -3 ");
}

TEST(ThreadPairs, PairsByHandComeFirst) {
  const std::vector<RunThread> a = {thread_of("p", "x"), thread_of("p", "y")};
  const std::vector<RunThread> b = {thread_of("p", "x"), thread_of("p", "z")};
  EXPECT_EQ(text_of(pair_threads(a, b, std::vector<ThreadPair>{{1, 1}})), "00 11 ");
  EXPECT_EQ(text_of(pair_threads(a, b, std::vector<ThreadPair>{{0, 1}, {1, 1}, {9, 0}})),
            "01 1- -0 ");
  EXPECT_EQ(text_of(pair_threads({}, b)), "-0 -1 ");
}

}  // namespace
}  // namespace cinderscope
