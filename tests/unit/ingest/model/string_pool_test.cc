#include "ingest/model/string_pool.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace cinderscope {
namespace {

TEST(StringPoolTest, GivesEqualTextTheEqualId) {
  StringPool pool;
  const StringId a = pool.intern("alpha");
  EXPECT_EQ(pool.intern("alpha"), a);
  EXPECT_NE(pool.intern("beta"), a);
  EXPECT_EQ(pool.text(a), "alpha");
  EXPECT_EQ(pool.text(kEmptyString), "");
  EXPECT_EQ(pool.intern(""), kEmptyString);
}

TEST(StringPoolTest, KeepsTextInPlaceWhileItGrows) {
  StringPool pool;
  const std::string_view early = pool.text(pool.intern("early"));
  std::vector<StringId> ids;
  for (int i = 0; i < 100'000; ++i) ids.push_back(pool.intern(std::to_string(i)));
  const StringId large = pool.intern(std::string(1 << 20, 'x'));
  EXPECT_EQ(early, "early");
  for (int i = 0; i < 100'000; i += 777) {
    EXPECT_EQ(pool.text(ids[static_cast<std::size_t>(i)]), std::to_string(i));
  }
  EXPECT_EQ(pool.text(large).size(), 1u << 20);
  EXPECT_GT(pool.kept_bytes(), std::uint64_t{1} << 20);
}

TEST(StringPoolTest, KeepsNulAndInvalidBytes) {
  StringPool pool;
  const std::string odd("a\0\xff", 3);
  EXPECT_EQ(pool.text(pool.intern(odd)), odd);
  EXPECT_NE(pool.intern(odd), pool.intern("a"));
}

TEST(StringPoolTest, HashesTheSameOnEveryMachine) {
  // Colours come from these, so they may never change.
  EXPECT_EQ(stable_hash("main"), 3956478612u);
  EXPECT_EQ(stable_hash("a longer name::of_a_function"), 3803419308u);
}

TEST(StringPoolTest, IsSharedBetweenThreads) {
  StringPool pool;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&pool] {
      for (int i = 0; i < 20'000; ++i) {
        const std::string text = std::to_string(i);
        ASSERT_EQ(pool.text(pool.intern(text)), text);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(pool.size(), 20'001u);
}

TEST(StringPoolTest, ANameMayHaveALabelAndAColourOfItsOwn) {
  StringPool pool;
  const StringId plain = pool.intern("plain");
  const StringId labelled = pool.intern("demo.Small#a()V", "Small.a", 7);
  EXPECT_EQ(pool.text(labelled), "demo.Small#a()V");
  EXPECT_EQ(pool.label(labelled), "Small.a");
  EXPECT_EQ(pool.hash(labelled), 7u);
  EXPECT_EQ(pool.label(plain), "plain");
  EXPECT_EQ(pool.hash(plain), stable_hash("plain"));
  EXPECT_EQ(pool.intern("demo.Small#a()V"), labelled);
  EXPECT_EQ(pool.intern("demo.Small#a()V", "other", 8), labelled);
  EXPECT_EQ(pool.label(labelled), "Small.a");
  EXPECT_EQ(pool.label(StringId{99}), "");
}

TEST(StringPoolTest, HuesFollowTheColoursOfTheFirstAndOfFarNames) {
  StringPool pool;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    const std::string text = std::to_string(i);
    const StringId id = i % 3 == 0 ? pool.intern(text, "label", i) : pool.intern(text);
    ASSERT_EQ(pool.colour(id), colour_from_hash(pool.hash(id))) << i;
  }
  EXPECT_EQ(pool.colour(StringId{20'001}), 0u);
  EXPECT_EQ(StringPool().colour(StringId{5}), 0u);
}

TEST(StringPoolTest, LabelsStayWhileThePoolGrows) {
  StringPool pool;
  std::vector<StringId> ids;
  for (int i = 0; i < 5000; ++i) {
    const std::string text = std::to_string(i);
    ids.push_back(i % 3 == 0 ? pool.intern(text, "label " + text, 1) : pool.intern(text));
  }
  for (int i = 0; i < 5000; ++i) {
    const std::string text = std::to_string(i);
    EXPECT_EQ(pool.label(ids[static_cast<std::size_t>(i)]), i % 3 == 0 ? "label " + text : text);
    EXPECT_EQ(*pool.find(text), ids[static_cast<std::size_t>(i)]);
  }
}

TEST(StringPoolTest, SymbolsHaveTheirReadableNameAsLabel) {
  StringPool pool;
  const StringId id = pool.intern("_ZN3foo3barEi");
  EXPECT_EQ(pool.text(id), "_ZN3foo3barEi");
  EXPECT_EQ(pool.label(id), "foo::bar");
  EXPECT_EQ(pool.hash(id), stable_hash("_ZN3foo3barEi"));
  EXPECT_EQ(pool.intern("_ZN3foo3barEi"), id);
  EXPECT_EQ(pool.label(pool.intern("_Zebra")), "_Zebra");
}

TEST(StringPoolTest, IsMadeAnewFromWhatItKnows) {
  StringPool pool;
  for (int i = 0; i < 3000; ++i) pool.intern("name " + std::to_string(i));
  const StringId labelled = pool.intern("long name", "short", 7);
  std::vector<StringPool::Known> known;
  for (std::uint32_t id = 0; id < pool.size(); ++id) known.push_back(pool.known(StringId{id}));
  StringPool again(known, nullptr);
  ASSERT_EQ(again.size(), pool.size());
  for (std::uint32_t id = 0; id < pool.size(); ++id) {
    ASSERT_EQ(again.text(StringId{id}), pool.text(StringId{id}));
    ASSERT_EQ(again.colour(StringId{id}), pool.colour(StringId{id}));
  }
  EXPECT_EQ(again.find("name 2999"), pool.find("name 2999"));
  EXPECT_EQ(again.label(labelled), "short");
  EXPECT_EQ(again.hash(labelled), 7u);
  EXPECT_NE(again.serial(), pool.serial());
  // It grows as any pool does.
  for (int i = 0; i < 3000; ++i) again.intern("more " + std::to_string(i));
  EXPECT_EQ(again.text(*again.find("more 2999")), "more 2999");
  EXPECT_EQ(again.text(*again.find("name 7")), "name 7");
}

}  // namespace
}  // namespace cinderscope
