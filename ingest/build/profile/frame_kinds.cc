#include "ingest/build/profile/frame_kinds.h"

#include <utility>

#include "ingest/model/demangle.h"
#include "ingest/model/hue.h"

namespace cinderscope {
namespace {

struct Look {
  std::string_view word;
  std::uint32_t colour = 0;
};
// Hues that the palette for the colour-blind shows apart as well.
constexpr std::array<Look, kFrameKinds> kLooks = {{{"", 0},
                                                   {"kernel", 15},
                                                   {"jit", 3},
                                                   {"inlined", 8},
                                                   {"waker", 11},
                                                   {"idle", kMutedColour},
                                                   {"garbage collector", 19}}};

const Look& look_of(FrameKind kind) {
  return kLooks.at(static_cast<std::size_t>(kind));
}

}  // namespace

std::string_view word_of(FrameKind kind) {
  return look_of(kind).word;
}

// A pool knows when names of a hostile file have taken enough time.
std::string_view ReadableNames::of(std::string_view name) {
  if (!looks_mangled(name)) return name;
  if (labels_ == nullptr) labels_ = std::make_unique<StringPool>();
  return labels_->label(labels_->intern(name));
}

StringId FrameNames::intern(std::string_view name, std::string_view label, FrameKind kind) {
  if (kind == FrameKind::usual) return names_->intern(name);
  met_.at(static_cast<std::size_t>(kind)) = true;
  return names_->intern(name, readable_.of(label), look_of(kind).colour);
}

LegendEntry FrameNames::entry(FrameKind kind, std::string search) {
  return {std::string(word_of(kind)), look_of(kind).colour, std::move(search)};
}

}  // namespace cinderscope
