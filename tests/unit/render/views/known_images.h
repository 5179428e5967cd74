// Stands in for the textures of a window: the tests look into the pictures themselves.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "render/base/image_store.h"
#include "render/layout/box_image.h"

namespace cinderscope {

// Keeps the pictures that a frame shows.
class KnownImages : public ImageStore {
 public:
  ImageTexture texture_of(const BoxImage& image) override {
    shown.push_back(&image);
    return {kTexture, image.lines()};
  }
  // Pixels of a colour in all of them.
  std::ptrdiff_t pixels_in(Rgba colour) const {
    std::ptrdiff_t count = 0;
    for (const BoxImage* image : shown) count += std::ranges::count(image->pixels(), colour);
    return count;
  }
  static constexpr std::uint64_t kTexture = 7;
  std::vector<const BoxImage*> shown;
};

}  // namespace cinderscope
