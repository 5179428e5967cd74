#include "formats/perf_script/frame_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>

#include "formats/perf_script/perf_lines.h"

namespace cinderscope::perf_script {

StringId FrameTable::name_of(std::string_view symbol, std::string_view module) const {
  constexpr std::string_view kUnknown = "[unknown]", kDeleted = " (deleted)";
  if (!symbol.empty() && symbol != kUnknown) return names_->intern(symbol);
  if (module.empty() || module == kUnknown) return names_->intern(kUnknown);
  if (module.front() == '[') return names_->intern(module);
  if (module.ends_with(kDeleted)) module.remove_suffix(kDeleted.size());
  return names_->intern(fmt::format("[{}]", module.substr(module.rfind('/') + 1)));
}

std::uint32_t FrameTable::function_of(std::string_view symbol, std::string_view module) {
  const auto [at, fresh] = function_by_text_.try_emplace(
      {symbol, module}, static_cast<std::uint32_t>(functions_.size()));
  if (fresh) {
    functions_.push_back({symbol, module});
    function_names_.push_back(name_of(symbol, module));
  }
  return at->second;
}

std::uint32_t FrameTable::frame(std::string_view address, std::string_view text,
                                std::string_view source) {
  // Address and text are one piece of the input.
  const std::string_view line(address.data(),
                              static_cast<std::size_t>(text.data() + text.size() - address.data()));
  const auto [at, fresh] =
      frame_by_text_.try_emplace({line, source}, static_cast<std::uint32_t>(frames_.size()));
  if (fresh) {
    const FrameText parts = parts_of_frame(text);
    frames_.push_back({address, source, function_of(parts.symbol, parts.module), parts.inlined});
  }
  return at->second;
}

std::uint32_t FrameTable::call(std::span<const std::uint32_t> frames) {
  std::uint32_t call = kNoCall;
  for (std::size_t i = frames.size(); i-- > 0;) {
    call = calls_.call(call, frames_[frames[i]].function);
    ++samples_by_use_[std::uint64_t{call} << 32 | frames[i]];
  }
  return call;
}

CallTree FrameTable::take_tree() {
  const auto calls = static_cast<std::uint32_t>(calls_.size());
  function_of_call_.resize(calls);
  for (std::uint32_t i = 0; i < calls; ++i) function_of_call_[i] = calls_.function(i);
  first_in_call_.assign(calls + 1, 0);
  for (const auto& [use, samples] : samples_by_use_) ++first_in_call_[(use >> 32) + 1];
  for (std::size_t i = 1; i <= calls; ++i) first_in_call_[i] += first_in_call_[i - 1];
  std::vector<std::uint64_t> next(first_in_call_.begin(), first_in_call_.end() - 1);
  used_.resize(samples_by_use_.size());
  for (const auto& [use, samples] : samples_by_use_) {
    used_[next[use >> 32]++] = {static_cast<std::uint32_t>(use), samples};
  }
  samples_by_use_ = {};
  frame_by_text_ = {};
  function_by_text_ = {};
  return std::move(calls_).tree(function_names_);
}

std::string_view FrameTable::category(std::uint32_t call) const {
  const std::string_view module = functions_[function_of_call_[call]].module;
  return is_kernel_module(module) ? "kernel" : is_jit_module(module) ? "jit" : "";
}

void FrameTable::describe(std::uint32_t call, RecordText& out) const {
  const auto used = std::span(used_).subspan(first_in_call_[call],
                                             first_in_call_[call + 1] - first_in_call_[call]);
  std::vector<UsedFrame> most(used.begin(), used.end());
  std::ranges::sort(most, [](const UsedFrame& a, const UsedFrame& b) {
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
  for (const UsedFrame& one : most) {
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
         function_of_call_.capacity() * sizeof(std::uint32_t) +
         first_in_call_.capacity() * sizeof(std::uint64_t) + used_.capacity() * sizeof(UsedFrame);
}

}  // namespace cinderscope::perf_script
