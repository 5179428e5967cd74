#include "formats/perf_script/frame_table.h"

#include <fmt/format.h>

#include <string>

#include "ingest/build/passing_memory.h"

namespace cinderscope::perf_script {

StringId FrameTable::name_of(std::string_view symbol, std::string_view module, FrameKind kind) {
  constexpr std::string_view kUnknown = "[unknown]", kDeleted = " (deleted)";
  if (!symbol.empty() && symbol != kUnknown) return names_.intern(symbol, kind);
  if (module.empty() || module == kUnknown) return names_.intern(kUnknown, FrameKind::usual);
  if (module.front() == '[') return names_.intern(module, kind);
  if (module.ends_with(kDeleted)) module.remove_suffix(kDeleted.size());
  return names_.intern(fmt::format("[{}]", module.substr(module.rfind('/') + 1)), kind);
}

std::uint32_t FrameTable::function_of(const FrameText& parts) {
  const auto [at, fresh] = function_by_text_.try_emplace(
      {parts.symbol, parts.module}, static_cast<std::uint32_t>(functions_.size()));
  if (fresh) {
    // What is inlined has no module of its own.
    const FrameKind kind = parts.inlined ? FrameKind::inlined : kind_of_module(parts.module);
    functions_.push_back({parts.symbol, parts.module});
    function_names_.push_back(name_of(parts.symbol, parts.module, kind));
  }
  return at->second;
}

std::uint32_t FrameTable::frame(std::string_view address, std::string_view text,
                                std::string_view source) {
  // Address and text are one piece of the input.
  const std::string_view line(address.data(),
                              static_cast<std::size_t>(text.data() + text.size() - address.data()));
  const auto make = [&] {
    const FrameText parts = parts_of_frame(text);
    functions_of_frames_.push_back(function_of(parts));
    frames_.push_back({address, source, parts.inlined});
    return static_cast<std::uint32_t>(frames_.size() - 1);
  };
  if (source.empty()) {
    const std::uint32_t number = lines_.number_of(line);
    if (number == frame_of_line_.size()) frame_of_line_.push_back(make());
    return frame_of_line_[number];
  }
  const auto [at, fresh] = frame_by_source_.try_emplace({line, source}, 0);
  if (fresh) at->second = make();
  return at->second;
}

CallFrames FrameTable::take_calls() {
  const auto calls = static_cast<std::uint32_t>(calls_.size());
  std::vector<std::uint32_t> function_of_call(calls);
  for (std::uint32_t i = 0; i < calls; ++i) function_of_call[i] = calls_.function(i);
  release(lines_);
  release(frame_of_line_);
  release(frame_by_source_);
  release(function_by_text_);
  return {std::move(frames_), std::move(functions_), std::move(function_of_call),
          paths_.take_uses()};
}

std::vector<LegendEntry> FrameTable::legend() const {
  return names_.legend([](FrameKind kind) {
    return kind == FrameKind::inlined ? std::string() : fmt::format("cat:{}", word_of(kind));
  });
}

}  // namespace cinderscope::perf_script
