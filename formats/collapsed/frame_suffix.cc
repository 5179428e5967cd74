#include "formats/collapsed/frame_suffix.h"

#include <algorithm>
#include <array>

namespace cinderscope::collapsed {
namespace {

struct Suffix {
  std::string_view text;
  FrameKind kind;
};
constexpr std::array<Suffix, 4> kSuffixes = {{{"_[k]", FrameKind::kernel},
                                              {"_[j]", FrameKind::jit},
                                              {"_[i]", FrameKind::inlined},
                                              {"_[w]", FrameKind::waker}}};
constexpr std::size_t kSuffixBytes = 4;

}  // namespace

FrameKind kind_of(std::string_view name) {
  const auto* suffix = std::ranges::find_if(
      kSuffixes, [&](const Suffix& each) { return name.ends_with(each.text); });
  return suffix == kSuffixes.end() ? FrameKind::usual : suffix->kind;
}

std::string_view label_of(std::string_view name) {
  return kind_of(name) == FrameKind::usual ? name : name.substr(0, name.size() - kSuffixBytes);
}

std::string suffix_of(FrameKind kind) {
  const auto* suffix = std::ranges::find(kSuffixes, kind, &Suffix::kind);
  return suffix == kSuffixes.end() ? std::string() : std::string(suffix->text);
}

}  // namespace cinderscope::collapsed
