// One thread of a Firefox profile, whichever version wrote it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formats/firefox/firefox_calls.h"
#include "formats/firefox/json_tables.h"

namespace cinderscope::firefox {

// The texts of an array as they stand there.
struct RawTexts {
  explicit RawTexts(std::string_view raw) : array(raw), texts(read_values(raw)) {}

  std::string_view array;
  std::vector<std::string_view> texts;
};

// Texts and stacks that threads share, or one thread has.
struct SharedTables {
  std::shared_ptr<const RawTexts> strings;
  StackCalls stacks;
  std::vector<std::uint32_t> functions;  // processed: by row of funcTable

  std::string_view raw(std::int64_t number) const;  // empty if it is not there
  std::string text(std::int64_t number) const;      // the same
};

inline constexpr std::int8_t kNoPhase = -1;  // of versions before phases

struct RawMarker {
  std::int64_t name = -1;
  std::int64_t start_ns = kNoValue, end_ns = kNoValue;  // without phase: start_ns alone
  std::int8_t phase = kNoPhase;
  std::string_view data;  // raw
};

struct ThreadTables {
  std::string name, process_name, pid, tid;  // empty: not told
  std::shared_ptr<const SharedTables> shared;
  std::vector<std::int64_t> sample_time_ns, sample_stack, sample_weight_ns;
  std::string weight_type;
  bool has_weights = false;
  std::vector<RawMarker> markers;
  std::uint64_t allocations = 0;
  std::string_view paused;  // raw
  std::uint64_t left_over = 0;
};

// What a profile says of all its threads.
struct ProfileFacts {
  int time_power = 6;               // milliseconds; of a size profile 0
  std::int64_t time_offset_ns = 0;  // of a Gecko process
  std::int64_t interval_ns = 0;
  std::vector<TextNumber> libraries;
  // Processed, where `shared` has them and threads have tables of their own; else null and empty.
  std::shared_ptr<const RawTexts> strings;
  std::vector<std::int64_t> source_names;
  struct Range {
    std::uint64_t begin = 0, end = 0;
    TextNumber name = kEmptyText;
  };
  std::vector<Range> ranges;  // Gecko: of addresses
};

// Tables of processed profiles from `members`, or the thread's own.
std::shared_ptr<const SharedTables> read_shared_tables(const Members& members,
                                                       const ProfileFacts& facts,
                                                       FirefoxCalls& calls);
// What threads may have of `shared` beside their own tables.
void take_shared(const Members& shared, ProfileFacts& out);
// Of "libs", by place.
std::vector<TextNumber> library_names(std::string_view libraries, ProfileTexts& texts);
// Times of a table of columns, or sums of its deltas; kNoValue where there is none.
std::vector<std::int64_t> read_times(const Members& table, int power);
ThreadTables read_processed_thread(const Members& thread, const ProfileFacts& facts,
                                   std::shared_ptr<const SharedTables> shared);
ThreadTables read_gecko_thread(const Members& thread, const ProfileFacts& facts,
                               FirefoxCalls& calls);

}  // namespace cinderscope::firefox
