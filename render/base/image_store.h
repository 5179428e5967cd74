// How views show pictures that they painted themselves.
#pragma once

#include <cstddef>

namespace cinderscope {

class BoxImage;

// The texture that holds a picture.
struct ImageTexture {
  void* id = nullptr;     // an ImTextureID, valid for this frame
  std::size_t lines = 1;  // of the texture, which may be higher than the picture
};

// Uploads pictures as textures. UI thread.
class ImageStore {
 public:
  virtual ~ImageStore() = default;
  virtual ImageTexture texture_of(const BoxImage& image) = 0;  // with the picture's present content
};

}  // namespace cinderscope
