// Threads as people type them: TID, PID/TID, PID/ (a process), NAME, /REGEX/, "any of these".
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/model/timeline.h"
#include "ingest/search/text_match.h"

namespace cinderscope {

struct TypedThread {
  std::string text;   // as typed
  std::string plain;  // without quotes; empty for an expression
  bool is_expression = false;
  TextMatch matches;  // of an expression
};
Result<TypedThread> typed_thread(std::string_view text);

// The tracks that any of these mean, ascending. Several forms that fit are all meant; names without
// regard to ASCII case. Where no thread is meant by one, async and sample tracks of that name are.
// An Error: one of them means nothing here. UI thread.
Result<std::vector<TrackId>> tracks_meant(const Timeline& timeline,
                                          std::span<const TypedThread> threads);

}  // namespace cinderscope
