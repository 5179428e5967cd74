// The calls of all threads of a Firefox profile while it is read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/firefox/kept_calls.h"
#include "formats/firefox/profile_texts.h"
#include "ingest/base/diagnostics.h"
#include "ingest/build/profile/frame_kinds.h"
#include "ingest/build/profile/frame_paths.h"
#include "ingest/build/timeline_builder.h"

namespace cinderscope::firefox {

inline constexpr std::uint32_t kNoFunction = 0xffffffffu;

struct FunctionFacts {
  TextNumber name = kEmptyText, module = kEmptyText, file = kEmptyText;
  std::int64_t line = -1, column = -1;  // where it begins; below 1: not known
  bool is_js = false;
  std::int64_t resource = -1;
  std::int64_t flags = 0;  // further facts that tell functions apart
};

struct FrameFacts {
  std::uint32_t function = kNoFunction;  // not there: the frame is lost
  std::int64_t line = INT64_MIN, column = INT64_MIN, address = INT64_MIN, category = INT64_MIN;
  bool inlined = false;
  StringId module = kEmptyString;  // where frames tell it, and functions do not
};

// Stacks of one set of tables: rows that name a caller's row and a frame.
struct StackRows {
  std::vector<std::int64_t> prefix, frame;  // INT64_MIN: none
};

// Of each stack, by row.
struct StackCalls {
  std::vector<std::uint32_t> call;  // the innermost one; kNoCall: none
  std::vector<std::uint32_t> path;  // of its frames, for count_sample()
};

struct Category {
  std::string name;
  bool idle = false;         // the file gives it no colour: nothing runs
  std::uint32_t colour = 0;  // as StringPool::intern() takes it
};

class FirefoxCalls {
 public:
  // `by_category`: functions have the colours of their categories instead of those of their names.
  FirefoxCalls(TimelineBuilder& out, bool by_category) : out_(&out), by_category_(by_category) {}
  FirefoxCalls(const FirefoxCalls&) = delete;  // paths know where the calls are
  FirefoxCalls& operator=(const FirefoxCalls&) = delete;

  ProfileTexts& texts() { return texts_; }
  StringId interned(TextNumber text);
  void forget_texts();  // once all is read

  std::uint32_t function(const FunctionFacts& facts);
  // Frames are kept for their details.
  StackCalls calls_of(const StackRows& stacks, const std::vector<FrameFacts>& frames);
  void count_sample(std::uint32_t path) { paths_.count_sample(path); }
  void set_categories(std::vector<Category> categories) { categories_ = std::move(categories); }

  // `kept` gets what details of the calls need.
  CallTree take_tree(KeptCalls& kept);
  const std::vector<LegendEntry>& legend() const { return legend_; }  // after take_tree()

 private:
  std::string idle_search() const;
  void name_by_kind(StringPool& strings);
  void name_by_category(StringPool& strings);
  template <class Intern>
  void name_functions(Intern intern);
  void note_category(std::uint32_t call, std::uint32_t caller, const FrameFacts& frame);

  TimelineBuilder* out_;
  bool by_category_;
  std::unordered_map<std::string, std::uint32_t> function_by_key_;
  std::vector<KeptFunction> functions_;
  ProfileTexts texts_;
  std::vector<StringId> interned_;                  // by text; kNoName: not yet
  std::vector<TextNumber> function_texts_;          // until the tree is taken
  std::vector<std::int32_t> category_of_function_;  // -1: its frames tell none; the same
  std::vector<StringId> function_names_;
  std::vector<Category> categories_;
  CallNodes calls_;
  FramePaths paths_{calls_};
  std::vector<KeptFrame> frames_;
  std::vector<std::int32_t> category_of_call_;
  std::vector<LegendEntry> legend_;
};

}  // namespace cinderscope::firefox
