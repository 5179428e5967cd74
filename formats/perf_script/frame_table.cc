#include "formats/perf_script/frame_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>

namespace cinderscope::perf_script {

namespace {

FrameKind kind_of_module(std::string_view module) {
  return is_kernel_module(module) ? FrameKind::kernel
         : is_jit_module(module)  ? FrameKind::jit
                                  : FrameKind::usual;
}

}  // namespace

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
    frames_.push_back({address, source, function_of(parts), parts.inlined});
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

CallTree FrameTable::take_tree() {
  const auto calls = static_cast<std::uint32_t>(calls_.size());
  function_of_call_.resize(calls);
  for (std::uint32_t i = 0; i < calls; ++i) function_of_call_[i] = calls_.function(i);
  uses_ = paths_.take_uses();
  lines_ = {};
  frame_of_line_ = {};
  frame_by_source_ = {};
  function_by_text_ = {};
  return std::move(calls_).tree(function_names_);
}

std::string_view FrameTable::category(std::uint32_t call) const {
  return word_of(kind_of_module(functions_[function_of_call_[call]].module));
}

std::vector<LegendEntry> FrameTable::legend() const {
  return names_.legend([](FrameKind kind) {
    return kind == FrameKind::inlined ? std::string() : fmt::format("cat:{}", word_of(kind));
  });
}

void FrameTable::describe(std::uint32_t call, RecordText& out) const {
  const std::span<const FrameUse> used = uses_.of(call);
  std::vector<FrameUse> most(used.begin(), used.end());
  std::ranges::sort(most, [](const FrameUse& a, const FrameUse& b) {
    return a.samples != b.samples ? a.samples > b.samples : a.frame < b.frame;
  });
  std::uint64_t samples = 0, inlined = 0;
  std::vector<std::pair<std::string_view, std::uint64_t>> addresses, sources;
  const auto add = [](auto& list, std::string_view text, std::uint64_t count) {
    if (text.empty()) return;
    constexpr std::size_t kDistinct = 1000;  // further ones are rare: the most frequent came first
    const auto at = std::ranges::find(list, text, [](const auto& one) { return one.first; });
    if (at != list.end()) {
      at->second += count;
    } else if (list.size() < kDistinct) {
      list.emplace_back(text, count);
    }
  };
  for (const FrameUse& one : most) {
    samples += one.samples;
    inlined += frames_[one.frame].inlined ? one.samples : 0;
    add(addresses, frames_[one.frame].address, one.samples);
    add(sources, frames_[one.frame].source, one.samples);
  }
  const auto listed = [](const auto& list, std::size_t shown) {
    std::string text;
    for (std::size_t i = 0; i < std::min(list.size(), shown); ++i) {
      text += fmt::format("{}{} ({})", i == 0 ? "" : ", ", list[i].first, list[i].second);
    }
    if (list.size() > shown) text += fmt::format(", {} more", list.size() - shown);
    return text;
  };
  const Function& function = functions_[function_of_call_[call]];
  if (!function.module.empty()) out.facts.emplace_back("Module", std::string(function.module));
  if (!sources.empty()) {
    std::ranges::stable_sort(sources, std::ranges::greater(),
                             [](const auto& one) { return one.second; });
    out.facts.emplace_back("Lines (samples)", listed(sources, 10));
  }
  if (addresses.size() == 1) {
    out.facts.emplace_back("Address", fmt::format("0x{}", addresses[0].first));
  } else if (!addresses.empty()) {
    std::string text = fmt::format("{} different:", addresses.size());
    for (std::size_t i = 0; i < std::min<std::size_t>(addresses.size(), 3); ++i) {
      text += fmt::format("{} 0x{}", i == 0 ? "" : ",", addresses[i].first);
    }
    out.facts.emplace_back("Addresses", text);
  }
  if (inlined > 0) out.facts.emplace_back("Inlined", inlined == samples ? "yes" : "partly");
  out.facts.emplace_back("Samples", fmt::format("{}", samples));
  out.category = category(call);
}

std::uint64_t FrameTable::kept_bytes() const {
  return frames_.capacity() * sizeof(Frame) + functions_.capacity() * sizeof(Function) +
         function_names_.capacity() * sizeof(StringId) +
         function_of_call_.capacity() * sizeof(std::uint32_t) + uses_.kept_bytes();
}

}  // namespace cinderscope::perf_script
