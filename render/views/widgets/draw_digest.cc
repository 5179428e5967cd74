#include "render/views/widgets/draw_digest.h"

#include <cstddef>
#include <cstring>

#include "render/views/widgets/imgui_versions.h"

namespace cinderscope {
namespace {

// Eight bytes at a time; each step can be reversed, so two lists of one length that differ at one
// position never have the same digest.
class Digest {
 public:
  void add(std::uint64_t value) {
    state_ = (state_ ^ value) * 0x9e3779b97f4a7c15u;
    state_ ^= state_ >> 32;
  }
  void add(const void* bytes, std::size_t count) {
    add(count);
    const auto* at = static_cast<const char*>(bytes);
    for (; count >= sizeof(std::uint64_t); count -= sizeof(std::uint64_t)) {
      std::uint64_t value = 0;
      std::memcpy(&value, at, sizeof value);
      add(value);
      at += sizeof value;
    }
    std::uint64_t rest = 0;
    if (count > 0) std::memcpy(&rest, at, count);
    add(rest);
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace

std::uint64_t digest_of(const ImDrawData& data) {
  Digest digest;
  digest.add(&data.DisplaySize, sizeof data.DisplaySize);
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const ImDrawList& list = *data.CmdLists[i];
    digest.add(list.VtxBuffer.Data, static_cast<std::size_t>(list.VtxBuffer.size_in_bytes()));
    digest.add(list.IdxBuffer.Data, static_cast<std::size_t>(list.IdxBuffer.size_in_bytes()));
    for (const ImDrawCmd& command : list.CmdBuffer) {
      digest.add(&command.ClipRect, sizeof command.ClipRect);
      digest.add(texture_name(command));
      digest.add(command.VtxOffset);
      digest.add(command.IdxOffset);
      digest.add(command.ElemCount);
    }
  }
  return digest.value();
}

}  // namespace cinderscope
