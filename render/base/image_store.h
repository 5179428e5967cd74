// How views show pictures that they painted themselves.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cinderscope {

class BoxImage;

// The texture that holds a picture.
struct ImageTexture {
  std::uint64_t name = 0;  // in OpenGL, good for this frame
  std::size_t lines = 1;   // of the texture, which may be higher than the picture
};

// Uploads pictures as textures. UI thread.
class ImageStore {
 public:
  virtual ~ImageStore() = default;
  virtual ImageTexture texture_of(const BoxImage& image) = 0;  // with the picture's present content
};

}  // namespace cinderscope
