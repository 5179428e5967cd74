// Slices as people type them: [THREAD/]NAME[@TIME|#K|#longest|#median|#last].
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/model/slice_set.h"
#include "ingest/model/typed_time.h"

namespace cinderscope {

enum class WhichSlice : std::uint8_t { at_time, nth, longest, median, last };

struct TypedSlice {
  std::string text;                 // as typed
  std::string path;                 // THREAD/NAME or NAME; where NAME was quoted THREAD alone
  std::optional<std::string> name;  // that was quoted
  WhichSlice which = WhichSlice::nth;
  std::uint64_t k = 1;  // of nth, by begin
  TypedTime time{};     // of at_time
};

// What stands behind the last @ or # belongs to the name unless it is a TIME, a K or one of the
// words. Nothing is known of a trace yet.
Result<TypedSlice> typed_slice(std::string_view text);

// A typed slice in one trace: what to look for, and where.
struct WantedSlice {
  std::string name;                            // as recorded or as it is shown
  std::optional<std::vector<TrackId>> tracks;  // none: threads, or other tracks if no thread has it
  WhichSlice which = WhichSlice::nth;
  std::uint64_t k = 1;
  std::int64_t time_ns = 0;
  std::string text;
};

// The longest text before a "/" that names a thread is THREAD, the rest NAME. An Error: it has no
// such time or thread. UI thread.
Result<WantedSlice> wanted_slice(const Timeline& timeline, const TimeContext& times,
                                 const TypedSlice& typed);

// At a time: the slice that covers it and begins last, else the one that begins nearest; of equal
// medians and lengths the first by begin. Looks at what is loaded. Any thread; takes time by the
// number of slices, and memory by none.
Result<SliceRef> find_slice(const SliceSet& slices, const WantedSlice& wanted);

// NAME as it is to be typed so that nothing of it is taken for anything else.
std::string typed_name(std::string_view name);

}  // namespace cinderscope
