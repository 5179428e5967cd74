#include "app/desktop/system_fonts.h"

#include <emscripten.h>

#include <cmath>
#include <cstddef>
#include <utility>

// On a canvas of the calling thread's own. `box` gets left, top, width and height, `alpha` so many
// bytes; it has room for a square of `side`. 0 where there is no such canvas.
EM_JS(int, cinderscope_draw_character,
      (int character, double em_px, int bold, int side, void* alpha, void* box, void* advance), {
        try {
          if (!Module.letters) {
            const canvas = new OffscreenCanvas(1, 1);
            Module.letters = {canvas, pen : canvas.getContext('2d', {willReadFrequently : true})};
          }
          const {canvas, pen} = Module.letters;
          if (canvas.width != side) canvas.width = canvas.height = side;
          pen.clearRect(0, 0, side, side);
          pen.font = (bold ? '600 ' : '') + em_px + 'px system-ui, sans-serif';
          pen.fillStyle = '#fff';
          const x = side >> 2;
          const y = (side >> 1) + (side >> 3);
          const text = String.fromCodePoint(character);
          pen.fillText(text, x, y);
          HEAPF32[advance >>> 2] = pen.measureText(text).width;
          const pixels = pen.getImageData(0, 0, side, side).data;
          let left = side;
          let top = side;
          let right = 0;
          let bottom = 0;
          for (let at = 0; at < side * side; ++at) {
            if (pixels[4 * at + 3] == 0) continue;
            const column = at % side;
            const row = (at - column) / side;
            left = Math.min(left, column);
            right = Math.max(right, column + 1);
            top = Math.min(top, row);
            bottom = row + 1;
          }
          const width = Math.max(0, right - left);
          const height = Math.max(0, bottom - top);
          HEAP32.set([ left - x, top - y, width, height ], box >>> 2);
          for (let row = 0; row < height; ++row) {
            for (let column = 0; column < width; ++column) {
              HEAPU8[(alpha >>> 0) + row * width + column] =
                  pixels[4 * ((top + row) * side + left + column) + 3];
            }
          }
          return 1;
        } catch (error) {
          return 0;
        }
      });

namespace cinderscope {

// A page does not see the files of fonts.
std::vector<SystemFont> system_fonts_with(const std::set<char32_t>&) {
  return {};
}

std::vector<DrawnCharacter> drawn_characters(const std::set<char32_t>& characters, float em_px,
                                             bool bold) {
  std::vector<DrawnCharacter> drawn;
  const int side = static_cast<int>(std::ceil(em_px)) * 4;
  std::vector<std::uint8_t> alpha(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
  for (const char32_t character : characters) {
    int box[4] = {};
    DrawnCharacter made{.character = character};
    if (cinderscope_draw_character(static_cast<int>(character), em_px, bold ? 1 : 0, side,
                                   alpha.data(), box, &made.advance_px) == 0) {
      break;
    }
    made.left = box[0];
    made.top = box[1];
    made.width = box[2];
    made.height = box[3];
    if (made.width == 0) continue;
    made.alpha.assign(alpha.begin(), alpha.begin() + std::ptrdiff_t{made.width} * made.height);
    drawn.push_back(std::move(made));
  }
  return drawn;
}

}  // namespace cinderscope
