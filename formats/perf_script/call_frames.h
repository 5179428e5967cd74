// What the calls of a text of `perf script` are made of, once it is read: for their details.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/build/profile/frame_kinds.h"
#include "ingest/build/profile/frame_paths.h"
#include "ingest/model/record_text.h"

namespace cinderscope::perf_script {

FrameKind kind_of_module(std::string_view module);

// Texts are views of the input, which outlives this.
class CallFrames {
 public:
  struct Frame {
    std::string_view address, source;
    bool inlined = false;
  };
  struct Function {
    std::string_view symbol, module;
  };

  CallFrames() = default;
  CallFrames(std::vector<Frame> frames, std::vector<Function> functions,
             std::vector<std::uint32_t> function_of_call, FrameUses uses)
      : frames_(std::move(frames)),
        functions_(std::move(functions)),
        function_of_call_(std::move(function_of_call)),
        uses_(std::move(uses)) {}

  std::size_t call_count() const { return uses_.calls(); }
  void describe(std::uint32_t call, RecordText& out) const;
  std::string_view category(std::uint32_t call) const;
  std::uint64_t kept_bytes() const;

  // For a prepared copy of the trace, whose text is the same.
  void save(FieldWriter& out, std::string_view text) const;
  void restore(FieldReader& in, std::string_view text);

 private:
  std::vector<Frame> frames_;
  std::vector<Function> functions_;
  std::vector<std::uint32_t> function_of_call_;
  FrameUses uses_;
};

}  // namespace cinderscope::perf_script
