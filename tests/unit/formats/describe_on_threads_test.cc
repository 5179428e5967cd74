// Searches read records on threads of their own: describe() takes calls of several at once.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "formats/all_formats.h"
#include "tests/support/load.h"
#include "tests/support/source_dir.h"

namespace cinderscope {
namespace {

struct Records {
  RecordOffset begin, end;
};

std::vector<Records> records_of(const Timeline& timeline) {
  std::vector<Records> found;
  for (const Track& track : timeline.tracks) {
    if (track.kind == TrackKind::counter) continue;
    for (const SliceRow& row : track.root().rows) {
      for (std::uint64_t i = 0; i < row.count(); ++i) {
        found.push_back({row.slice(i).record, row.slice(i).end_record});
      }
    }
  }
  return found;
}

std::string text_of(const RecordText& record) {
  std::string text = record.category + record.args.raw;
  for (const auto& [key, value] : record.facts) text += key + value;
  return text;
}

void expect_equal_on_all_threads(const std::string& path) {
  const std::vector<std::byte> bytes = read_file(test::source_dir() + "/tests/golden/" + path);
  const Input probed = Input::from_memory("x", bytes);
  const Result<const Format*> format = detect(all_formats(), probed);
  ASSERT_TRUE(format);
  const LoadedTrace trace = load_trace(**format, Input::from_memory("x", bytes));
  const std::vector<Records> records = records_of(trace.timeline);
  ASSERT_FALSE(records.empty());
  const auto described = [&] {
    std::string all;
    for (const Records& record : records) {
      all += text_of(trace.source->describe(record.begin, record.end));
    }
    return all;
  };
  const std::string alone = described();
  std::vector<std::string> together(4);
  std::vector<std::thread> threads;
  for (std::string& result : together) {
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) result = described();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& result : together) EXPECT_EQ(result, alone) << path;
}

TEST(DescribeOnThreadsTest, EveryThreadReadsTheSame) {
  for (const char* path :
       {"google_json/pairs/input.json", "google_json/cpu_profile/input.json",
        "google_json/utf16/input.json", "spall/v1_texts/input.spall", "spall/v3/input.spall",
        "spall/auto/input.spall", "thread_stream/arguments/input.tsd",
        "thread_stream/lz4_argument/input.tsd", "qubership/session_v2/input.protocol"}) {
    expect_equal_on_all_threads(path);
  }
}

}  // namespace
}  // namespace cinderscope
