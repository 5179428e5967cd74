// Pictures as textures of OpenGL.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "render/base/image_store.h"

namespace cinderscope {

// UI thread, while the window's context is current. Keeps the textures of the pictures that were
// shown last, which are sent again only where they changed.
class ImageTextures : public ImageStore {
 public:
  ImageTextures() = default;
  ~ImageTextures() override;
  ImageTextures(const ImageTextures&) = delete;
  ImageTextures& operator=(const ImageTextures&) = delete;

  ImageTexture texture_of(const BoxImage& image) override;
  std::uint64_t sent() const { return sent_; }  // grows whenever a texture's pixels change

 private:
  struct Texture {
    const BoxImage* image = nullptr;  // only compared
    unsigned name = 0;                // of OpenGL; 0: not made yet
    std::size_t width_px = 0, lines = 0;
    std::uint64_t version = 0, last_use = 0;
  };
  void send(const BoxImage& image, Texture& texture);
  std::array<Texture, 4> textures_;  // two parts of the timeline, and those of the tab before
  std::uint64_t uses_ = 0, sent_ = 0;
};

}  // namespace cinderscope
