// How views have pictures shown that they made themselves.
#pragma once

#include <cstddef>

namespace cinderscope {

class BoxImage;

// Where a picture is for the GPU.
struct ImageTexture {
  void* id = nullptr;     // an ImTextureID, good for this frame
  std::size_t lines = 1;  // of the texture, which may be higher than the picture
};

// Whoever can show pictures on the screen. UI thread.
class ImageStore {
 public:
  virtual ~ImageStore() = default;
  virtual ImageTexture texture_of(const BoxImage& image) = 0;  // as the picture is now
};

}  // namespace cinderscope
