#include "formats/perf_script/call_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "formats/perf_script/perf_lines.h"
#include "ingest/base/fields.h"

namespace cinderscope::perf_script {
namespace {

constexpr std::size_t kPlaceBytes = 16;

// Nothing of the text: its begin, and no length.
void save_place(FieldWriter& out, std::string_view text, std::string_view part) {
  out.add(part.empty() ? std::uint64_t{0} : static_cast<std::uint64_t>(part.data() - text.data()));
  out.add(std::uint64_t{part.size()});
}

std::string_view take_place(FieldReader& in, std::string_view text) {
  const auto at = in.take<std::uint64_t>(), size = in.take<std::uint64_t>();
  if (at > text.size() || size > text.size() - at) in.fail();
  return in.ok() ? text.substr(at, size) : std::string_view();
}

}  // namespace

FrameKind kind_of_module(std::string_view module) {
  return is_kernel_module(module) ? FrameKind::kernel
         : is_jit_module(module)  ? FrameKind::jit
                                  : FrameKind::usual;
}

std::string_view CallFrames::category(std::uint32_t call) const {
  return word_of(kind_of_module(functions_[function_of_call_[call]].module));
}

void CallFrames::describe(std::uint32_t call, RecordText& out) const {
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

std::uint64_t CallFrames::kept_bytes() const {
  return frames_.capacity() * sizeof(Frame) + functions_.capacity() * sizeof(Function) +
         function_of_call_.capacity() * sizeof(std::uint32_t) + uses_.kept_bytes();
}

void CallFrames::save(FieldWriter& out, std::string_view text) const {
  out.add(std::uint64_t{frames_.size()});
  for (const Frame& frame : frames_) {
    save_place(out, text, frame.address);
    save_place(out, text, frame.source);
    out.add(frame.inlined);
  }
  out.add(std::uint64_t{functions_.size()});
  for (const Function& function : functions_) {
    save_place(out, text, function.symbol);
    save_place(out, text, function.module);
  }
  out.add_values(function_of_call_);
  uses_.save(out);
}

void CallFrames::restore(FieldReader& in, std::string_view text) {
  frames_.resize(in.take_count(2 * kPlaceBytes));
  for (Frame& frame : frames_) {
    frame.address = take_place(in, text);
    frame.source = take_place(in, text);
    frame.inlined = in.take<bool>();
  }
  functions_.resize(in.take_count(2 * kPlaceBytes));
  for (Function& function : functions_) {
    function.symbol = take_place(in, text);
    function.module = take_place(in, text);
  }
  function_of_call_ = in.take_values<std::uint32_t>();
  uses_.restore(in, frames_.size());
  const auto is_function = [this](std::uint32_t number) { return number < functions_.size(); };
  if (!std::ranges::all_of(function_of_call_, is_function)) in.fail();
  if (function_of_call_.size() != uses_.calls()) in.fail();
}

}  // namespace cinderscope::perf_script
