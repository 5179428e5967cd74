// The frames of a text of `perf script`: each line is read once, however often it comes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ingest/build/profile/call_nodes.h"
#include "ingest/format/trace_source.h"
#include "ingest/model/string_pool.h"

namespace cinderscope::perf_script {

// Texts are kept as views of the input, which outlives this.
class FrameTable {
 public:
  explicit FrameTable(StringPool& names) : names_(&names) {}

  // `text`: what stands behind the address; `source`: of the line below, or empty.
  std::uint32_t frame(std::string_view address, std::string_view text, std::string_view source);
  // The innermost call of a stack, frames innermost first.
  std::uint32_t call(std::span<const std::uint32_t> frames);

  CallTree take_tree();
  // After take_tree().
  std::size_t call_count() const { return first_in_call_.empty() ? 0 : first_in_call_.size() - 1; }
  void describe(std::uint32_t call, RecordText& out) const;
  std::string_view category(std::uint32_t call) const;
  std::uint64_t kept_bytes() const;

 private:
  struct Frame {
    std::string_view address, source;
    std::uint32_t function = 0;
    bool inlined = false;
  };
  struct Function {
    std::string_view symbol, module;
  };
  struct UsedFrame {
    std::uint32_t frame = 0;
    std::uint64_t samples = 0;
  };
  struct PairHash {
    std::size_t operator()(const std::pair<std::string_view, std::string_view>& pair) const {
      const std::hash<std::string_view> hash;
      return hash(pair.first) * 31 + hash(pair.second);
    }
  };
  using TextPair = std::pair<std::string_view, std::string_view>;

  std::uint32_t function_of(std::string_view symbol, std::string_view module);
  StringId name_of(std::string_view symbol, std::string_view module) const;

  StringPool* names_;
  std::unordered_map<TextPair, std::uint32_t, PairHash> frame_by_text_;  // line, source
  std::unordered_map<TextPair, std::uint32_t, PairHash> function_by_text_;
  std::vector<Frame> frames_;
  std::vector<Function> functions_;
  std::vector<StringId> function_names_;
  CallNodes calls_;
  std::unordered_map<std::uint64_t, std::uint64_t> samples_by_use_;  // call << 32 | frame
  // Once the tree is taken: the function of each call, and its frames.
  std::vector<std::uint32_t> function_of_call_;
  std::vector<std::uint64_t> first_in_call_;
  std::vector<UsedFrame> used_;
};

}  // namespace cinderscope::perf_script
