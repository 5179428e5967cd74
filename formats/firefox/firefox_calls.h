// The calls of all threads of a Firefox profile, and what is known of each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ingest/base/diagnostics.h"
#include "ingest/build/profile/call_nodes.h"
#include "ingest/build/timeline_builder.h"
#include "ingest/model/record_text.h"

namespace cinderscope::firefox {

inline constexpr std::uint32_t kNoFunction = 0xffffffffu;

struct FunctionFacts {
  std::string name, module, file;
  std::int64_t line = -1, column = -1;  // where it begins; below 1: not known
  bool is_js = false;
  std::int64_t resource = -1;
  std::int64_t flags = 0;  // further facts that tell functions apart
};

struct FrameFacts {
  std::uint32_t function = kNoFunction;  // not there: the frame is lost
  std::int64_t line = INT64_MIN, column = INT64_MIN, address = INT64_MIN, category = INT64_MIN;
  bool inlined = false;
};

// Stacks of one set of tables: rows that name a caller's row and a frame.
struct StackRows {
  std::vector<std::int64_t> prefix, frame;  // INT64_MIN: none
};

class FirefoxCalls {
 public:
  explicit FirefoxCalls(TimelineBuilder& out) : out_(&out) {}

  std::uint32_t function(const FunctionFacts& facts);
  // The innermost call of each stack. Frames are kept for their details.
  std::vector<std::uint32_t> calls_of(const StackRows& stacks,
                                      const std::vector<FrameFacts>& frames);
  void set_categories(std::vector<std::string> names) { categories_ = std::move(names); }

  CallTree take_tree();
  // After take_tree().
  std::size_t call_count() const { return function_of_call_.size(); }
  std::string_view category(std::uint32_t call) const;
  void describe(std::uint32_t call, RecordText& out) const;
  // Outermost first.
  std::vector<std::string> stack_of(std::uint32_t call) const;
  std::uint64_t kept_bytes() const;

 private:
  struct KeptFunction {
    StringId module = kEmptyString, file = kEmptyString;
    std::int64_t line = -1, column = -1;
    bool is_js = false;
  };

  TimelineBuilder* out_;
  std::unordered_map<std::string, std::uint32_t> function_by_key_;
  std::vector<KeptFunction> functions_;
  std::vector<StringId> function_names_;
  std::vector<std::string> categories_;
  CallNodes calls_;
  std::vector<FrameFacts> frames_;
  std::vector<std::uint64_t> uses_;  // call << 32 | frame; sorted once the tree is taken
  std::vector<std::int32_t> category_of_call_;
  std::vector<std::uint32_t> function_of_call_, caller_of_call_;
  std::shared_ptr<StringPool> strings_;
};

}  // namespace cinderscope::firefox
