// The GLFW window with its OpenGL context; who uses it knows nothing of GLFW.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/script/input_event.h"
#include "ingest/base/result.h"

namespace cinderscope {

struct WindowSize {
  int width_px = 0, height_px = 0;  // of the framebuffer
};

enum class PointerShape : std::uint8_t { arrow, text, hand, resize_x, resize_y };

// UI thread only, but for wake(). One at a time. Until it is open, nothing but open() and wake()
// may be called.
class Window {
 public:
  Window();
  ~Window();
  // Error if there is no display or no OpenGL 3.3. Takes a tenth of a second and more: what can go
  // on without a window is best begun before.
  Status open(const std::string& title, int width, int height, bool maximised = false);
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  // Appends what happened to `queue`. Waits for something to happen for at most `seconds`; without
  // a value for as long as it takes, with 0 not at all.
  void collect(InputQueue& queue, std::optional<double> seconds);
  static void wake();  // any thread: ends a wait; while none is open there is none

  bool close_requested() const;
  void refuse_close();  // until it is asked to close again
  bool take_damage();   // something of the window has to be drawn again
  WindowSize size() const;
  float scale() const;  // of the display; 1 at 96 dpi
  bool minimised() const;
  bool maximised() const;
  bool drawn_by_cpu() const;  // there is no GPU: OpenGL has threads that draw, one for each core
  void come_to_front();       // as far as the desktop lets a window do that for itself

  void set_title(const std::string& title);
  void set_pointer(PointerShape shape);
  std::string clipboard() const;
  void set_clipboard(const std::string& text);
  bool copies_pictures() const;
  // Files as bytes; empty: not in this form.
  void set_clipboard_picture(std::string png, std::string svg);

  void clear(float red, float green, float blue);
  void present();  // shows what was drawn; waits for the display if it has a refresh rate
  // What was drawn and not yet presented, as a PNG file.
  Status save_png(const std::string& path) const;

  struct Impl;  // display/window_impl.h

 private:
  std::unique_ptr<Impl> impl_;  // null: not open
};

}  // namespace cinderscope
