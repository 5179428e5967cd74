// The frames of a text of `perf script`: each line is read once, however often it comes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/perf_script/perf_lines.h"
#include "ingest/build/profile/frame_kinds.h"
#include "ingest/build/profile/frame_paths.h"
#include "ingest/build/profile/text_numbers.h"
#include "ingest/format/trace_source.h"
#include "ingest/model/string_pool.h"

namespace cinderscope::perf_script {

// Texts are kept as views of the input, which outlives this.
class FrameTable {
 public:
  explicit FrameTable(StringPool& names) : names_(names) {}
  FrameTable(const FrameTable&) = delete;  // paths know where the calls are
  FrameTable& operator=(const FrameTable&) = delete;

  // `text`: what stands behind the address; `source`: of the line below, or empty.
  std::uint32_t frame(std::string_view address, std::string_view text, std::string_view source);
  // The path that goes on from `caller` (kNoCall: begins) by a frame.
  std::uint32_t path(std::uint32_t caller, std::uint32_t frame) {
    return paths_.path(caller, frame, frames_[frame].function);
  }
  // The innermost call of a path, that one sample has.
  std::uint32_t call_of_sample(std::uint32_t path) {
    paths_.count_sample(path);
    return paths_.call(path);
  }

  CallTree take_tree();
  // After take_tree().
  std::size_t call_count() const { return uses_.calls(); }
  void describe(std::uint32_t call, RecordText& out) const;
  std::string_view category(std::uint32_t call) const;
  std::vector<LegendEntry> legend() const;
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
  struct PairHash {
    std::size_t operator()(const std::pair<std::string_view, std::string_view>& pair) const {
      const std::hash<std::string_view> hash;
      return hash(pair.first) * 31 + hash(pair.second);
    }
  };
  using TextPair = std::pair<std::string_view, std::string_view>;

  std::uint32_t function_of(const FrameText& parts);
  StringId name_of(std::string_view symbol, std::string_view module, FrameKind kind);

  FrameNames names_;
  TextNumbers lines_;                         // of frames without a source
  std::vector<std::uint32_t> frame_of_line_;  // by number in lines_
  std::unordered_map<TextPair, std::uint32_t, PairHash> frame_by_source_;  // line, source
  std::unordered_map<TextPair, std::uint32_t, PairHash> function_by_text_;
  std::vector<Frame> frames_;
  std::vector<Function> functions_;
  std::vector<StringId> function_names_;
  CallNodes calls_;
  FramePaths paths_{calls_};
  // Once the tree is taken: the function of each call, and its frames.
  std::vector<std::uint32_t> function_of_call_;
  FrameUses uses_;
};

}  // namespace cinderscope::perf_script
