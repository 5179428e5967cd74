// What reading a trace from end to end tells of calls that stayed on disk.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>

#include "ingest/format/name_index.h"
#include "tests/support/lincheck_files.h"
#include "tests/support/make_lincheck.h"

namespace cinderscope {
namespace {

Input made() {
  std::vector<std::byte> data;
  make_lincheck(
      {.calls = 4000, .methods = 9, .block_bytes = 3000},
      [&](std::span<const std::byte> bytes) {
        data.insert(data.end(), bytes.begin(), bytes.end());
      },
      [](std::span<const std::byte>) {});
  return Input::from_memory("made", std::move(data));
}

// Every slice and instant of a name, by time.
using Found = std::pair<std::int64_t, RecordOffset>;
std::map<std::string, std::vector<Found>> all_by_name(const Timeline& timeline) {
  std::map<std::string, std::vector<Found>> all;
  const auto add = [&](const SliceRow& row) {
    for (std::uint64_t i = 0; i < row.count(); ++i) {
      all[std::string(timeline.text(row.name(i)))].emplace_back(row.begin_ns(i),
                                                                row.slice(i).record);
    }
  };
  for (const Track& track : timeline.tracks) {
    add(track.instants);
    for (const SliceRow& row : track.root().rows) add(row);
    for (const SliceRow& row : track.root().nested_instants) add(row);
  }
  for (auto& [name, found] : all) std::ranges::sort(found);
  return all;
}

class LincheckSurveyTest : public testing::Test {
 protected:
  LincheckSurveyTest()
      : eager_(load_trace(lincheck_format(), made(), {.jobs = 1})),
        lazy_(load_trace(lincheck_format(), made(),
                         {.jobs = 1, .window_bytes = 64, .lazy_above_bytes = 0})) {}

  std::shared_ptr<const NameIndex> survey() {
    return lazy_.source->name_index()->read(lazy_.timeline.strings, 2, cancelled_,
                                            [this](double share) { share_ = share; });
  }
  NameIndex::NameSet only(const std::string& name) const {
    const auto id = lazy_.timeline.strings->find(name);
    NameIndex::NameSet names(index(*id) + 1u);
    names[index(*id)] = true;
    return names;
  }

  LoadedTrace eager_, lazy_;
  std::atomic<bool> cancelled_{false};
  std::atomic<double> share_{0};
};

TEST_F(LincheckSurveyTest, CountsEachNameAsIfAllWereLoaded) {
  const auto found = survey();
  ASSERT_NE(found, nullptr);
  const auto expected = all_by_name(eager_.timeline);
  EXPECT_EQ(found->names().size(), expected.size());
  for (const NameIndex::NameCount& count : found->names()) {
    const std::string name(lazy_.timeline.text(count.name));
    ASSERT_TRUE(expected.contains(name)) << name;
    EXPECT_EQ(count.slices + count.instants, expected.at(name).size()) << name;
  }
}

TEST_F(LincheckSurveyTest, LeadsThroughAllOfANameInBothDirections) {
  const auto found = survey();
  ASSERT_NE(found, nullptr);
  for (const auto& [name, places] : all_by_name(eager_.timeline)) {
    const NameIndex::NameSet names = only(name);
    std::int64_t at = INT64_MIN;
    for (const Found& expected : places) {
      const auto next = found->nearest(names, at, 1, cancelled_);
      ASSERT_TRUE(next) << name << " after " << at;
      EXPECT_EQ(Found(next->begin_ns, next->record), expected) << name;
      at = next->begin_ns;
    }
    EXPECT_FALSE(found->nearest(names, at, 1, cancelled_)) << name;
    at = INT64_MAX;
    for (auto expected = places.rbegin(); expected != places.rend(); ++expected) {
      const auto last = found->nearest(names, at, -1, cancelled_);
      ASSERT_TRUE(last) << name << " before " << at;
      EXPECT_EQ(Found(last->begin_ns, last->record), *expected) << name;
      at = last->begin_ns;
    }
    EXPECT_FALSE(found->nearest(names, at, -1, cancelled_)) << name;
  }
}

TEST_F(LincheckSurveyTest, IsNoneOnceCancelledAndWhereAllIsLoaded) {
  cancelled_ = true;
  EXPECT_EQ(lazy_.source->name_index()->read(lazy_.timeline.strings, 1, cancelled_, [](double) {}),
            nullptr);
  cancelled_ = false;
  EXPECT_EQ(eager_.source->name_index(), nullptr);
}

}  // namespace
}  // namespace cinderscope
