#include "app/window/display/image_textures.h"

#include <glad/gl.h>

#include <algorithm>
#include <bit>

#include "render/layout/box_image.h"

namespace cinderscope {

ImageTextures::~ImageTextures() {
  for (const Texture& texture : textures_) {
    if (texture.name != 0) glDeleteTextures(1, &texture.name);
  }
}

ImageTexture ImageTextures::texture_of(const BoxImage& image) {
  auto* texture = std::ranges::find(textures_, &image, &Texture::image);
  if (texture == textures_.end()) {
    texture = std::ranges::min_element(textures_, {}, &Texture::last_use);
  }
  texture->image = &image;
  texture->last_use = ++uses_;
  if (texture->version != image.version()) send(image, *texture);
  return {texture->name, texture->lines};
}

void ImageTextures::send(const BoxImage& image, Texture& texture) {
  const bool made = texture.name != 0;
  if (!made) glGenTextures(1, &texture.name);
  glBindTexture(GL_TEXTURE_2D, texture.name);
  if (!made) {
    // A pixel of the picture is a pixel on screen: nothing lies between two of them.
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  }
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  const auto width = static_cast<GLsizei>(image.width_px());
  const auto lines = static_cast<GLsizei>(image.lines());
  // Room for the most lines so far: their number changes as the rows are scrolled.
  if (texture.width_px != image.width_px() || texture.lines < image.lines()) {
    texture.width_px = image.width_px();
    // Mesa's llvmpipe translates its shader anew for textures whose height is a power of two, which
    // takes longer than a frame: there are none.
    texture.lines = image.lines() + (std::has_single_bit(image.lines()) ? 1 : 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, static_cast<GLsizei>(texture.lines), 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, nullptr);
  }
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, lines, GL_RGBA, GL_UNSIGNED_BYTE,
                  image.pixels().data());
  texture.version = image.version();
  ++sent_;
}

}  // namespace cinderscope
