// What a side of a comparison is, as text: PATH[@TIME..TIME]{#THREAD}.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/model/scope.h"
#include "ingest/model/typed_time.h"
#include "ingest/search/typed_thread.h"
#include "ingest/totals/slice_statistics.h"

namespace cinderscope {

// What of each run counts.
struct ComparedPart {
  std::optional<TypedTime> from, to;
  std::vector<TypedThread> threads;  // any of them; none: all
  std::optional<SlicesOf> slices;    // none: calls, samples where there are none
  bool whole_calls = false;
};
// In this timeline. An Error: it has no such time or thread.
Result<StatisticsQuery> query_of(const Timeline& timeline, const ComparedPart& part);

struct SideText {
  std::vector<std::string> paths;  // files, folders or saved sides; one where a SIDE was given
  ComparedPart part;
};

// What exists under the text as written is that file; @ and # are looked for only otherwise, from
// the end. `exists` asks the disk.
Result<SideText> parse_side(std::string_view text,
                            const std::function<bool(const std::string&)>& exists);

}  // namespace cinderscope
