// What is known of the calls of a Firefox profile once it is read: for their details.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/build/profile/frame_paths.h"
#include "ingest/model/record_text.h"
#include "ingest/model/string_pool.h"

namespace cinderscope::firefox {

struct KeptFunction {
  StringId module = kEmptyString, file = kEmptyString;
  std::int64_t line = -1, column = -1;
  bool is_js = false;
};

struct KeptFrame {
  std::int64_t line = INT64_MIN, address = INT64_MIN;
  bool inlined = false;
  StringId module = kEmptyString;  // where frames tell it, and functions do not
};

// FirefoxCalls fills it.
struct KeptCalls {
  std::size_t count() const { return function_of_call.size(); }
  std::string_view category(std::uint32_t call) const;
  void describe(std::uint32_t call, RecordText& out) const;
  // Outermost first.
  std::vector<std::string> stack_of(std::uint32_t call) const;
  std::uint64_t kept_bytes() const;

  // For a prepared copy of the trace; `names` are those of its timeline.
  void save(FieldWriter& out) const;
  void restore(FieldReader& in, std::shared_ptr<const StringPool> names);

  std::vector<KeptFunction> functions;
  std::vector<StringId> function_names;
  std::vector<KeptFrame> frames;
  FrameUses uses;
  std::vector<std::string> categories;
  std::vector<std::int32_t> category_of_call;
  std::vector<std::uint32_t> function_of_call, caller_of_call;
  std::shared_ptr<const StringPool> strings;
};

}  // namespace cinderscope::firefox
