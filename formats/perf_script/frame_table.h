// The frames of a text of `perf script`: each line is read once, however often it comes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/perf_script/call_frames.h"
#include "formats/perf_script/perf_lines.h"
#include "ingest/build/profile/frame_kinds.h"
#include "ingest/build/profile/frame_paths.h"
#include "ingest/build/profile/text_numbers.h"
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
    return paths_.path(caller, frame, functions_of_frames_[frame]);
  }
  // The innermost call of a path, that one sample has.
  std::uint32_t call_of_sample(std::uint32_t path) {
    paths_.count_sample(path);
    return paths_.call(path);
  }

  std::vector<LegendEntry> legend() const;
  // What is kept of the calls, and then the tree of them; nothing else is asked for afterwards.
  CallFrames take_calls();
  CallTree take_tree() { return std::move(calls_).tree(function_names_); }

 private:
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
  std::vector<CallFrames::Frame> frames_;
  std::vector<std::uint32_t> functions_of_frames_;
  std::vector<CallFrames::Function> functions_;
  std::vector<StringId> function_names_;
  CallNodes calls_;
  FramePaths paths_{calls_};
};

}  // namespace cinderscope::perf_script
