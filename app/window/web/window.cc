#include "app/window/window.h"

#include <GLES3/gl3.h>
#include <emscripten.h>
#include <emscripten/html5.h>
#include <emscripten/html5_webgl.h>
#include <stb_image_write.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "app/window/web/page.h"

namespace cinderscope {
namespace {

constexpr const char* kCanvas = "#canvas";
// A frame that the display does not take is of a page that nobody sees.
constexpr std::chrono::milliseconds kLongestFrame{100};

Error no_context_error() {
  return {.code = ErrorCode::cannot_read,
          .text = "This browser gives the page no WebGL 2.",
          .expected = "Hardware acceleration may be off in its settings."};
}

}  // namespace

// Input comes from the page's own thread; OpenGL's calls go there.
struct Window::Impl {
  EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = 0;
  WindowSize canvas;  // as the canvas was told
  PointerShape pointer = PointerShape::arrow;
  std::string copied;
};

Window::Window() = default;

Window::~Window() {
  if (impl_) emscripten_webgl_destroy_context(impl_->context);
}

Status Window::open(const std::string& title, int, int, bool) {
  EmscriptenWebGLContextAttributes wanted;
  emscripten_webgl_init_context_attributes(&wanted);
  wanted.majorVersion = 2;
  wanted.alpha = wanted.depth = wanted.stencil = wanted.antialias = false;
  wanted.explicitSwapControl = true;
  wanted.renderViaOffscreenBackBuffer = true;
  wanted.proxyContextToMainThread = EMSCRIPTEN_WEBGL_CONTEXT_PROXY_ALWAYS;
  auto impl = std::make_unique<Impl>();
  impl->context = emscripten_webgl_create_context(kCanvas, &wanted);
  if (impl->context <= 0) return no_context_error();
  emscripten_webgl_make_context_current(impl->context);
  impl_ = std::move(impl);
  MAIN_THREAD_EM_ASM({ Module['windowOpened'](); });  // sends its size, and input from now on
  set_title(title);
  return ok();
}

void Window::collect(InputQueue& queue, std::optional<double> seconds) {
  Page& page = the_page();
  std::unique_lock lock(page.mutex);
  const auto due = [&page] { return page.woken || page.damaged || !page.queue.empty(); };
  if (!seconds) {
    page.changed.wait(lock, due);
  } else if (*seconds > 0) {
    page.changed.wait_for(lock, std::chrono::duration<double>(*seconds), due);
  }
  page.woken = false;
  std::ranges::move(page.queue, std::back_inserter(queue));
  page.queue.clear();
}

void Window::wake() {
  Page& page = the_page();
  {
    const std::lock_guard lock(page.mutex);
    page.woken = true;
  }
  page.changed.notify_all();
}

// The browser asks nobody.
bool Window::close_requested() const {
  return false;
}
void Window::refuse_close() {}

bool Window::take_damage() {
  Page& page = the_page();
  const std::lock_guard lock(page.mutex);
  return std::exchange(page.damaged, false);
}

WindowSize Window::size() const {
  Page& page = the_page();
  const std::lock_guard lock(page.mutex);
  return page.size;
}

float Window::scale() const {
  Page& page = the_page();
  const std::lock_guard lock(page.mutex);
  return page.scale;
}

bool Window::minimised() const {
  Page& page = the_page();
  const std::lock_guard lock(page.mutex);
  return page.hidden || page.size.width_px == 0 || page.size.height_px == 0;
}

bool Window::maximised() const {
  return false;
}

bool Window::drawn_by_cpu() const {
  return false;
}

void Window::come_to_front() {}

void Window::set_title(const std::string& title) {
  MAIN_THREAD_EM_ASM({ document.title = UTF8ToString($0); }, title.c_str());
}

void Window::set_pointer(PointerShape shape) {
  if (std::exchange(impl_->pointer, shape) == shape) return;
  MAIN_THREAD_ASYNC_EM_ASM({ Module['setPointer']($0); }, static_cast<int>(shape));
}

// What was pasted comes with the keys for it, before them.
std::string Window::clipboard() const {
  Page& page = the_page();
  const std::lock_guard lock(page.mutex);
  return page.pasted;
}

void Window::set_clipboard(const std::string& text) {
  {
    Page& page = the_page();
    const std::lock_guard lock(page.mutex);
    page.pasted = text;
  }
  MAIN_THREAD_EM_ASM({ Module['copyText'](UTF8ToString($0)); }, text.c_str());
}

bool Window::copies_pictures() const {
  return false;
}

void Window::set_clipboard_picture(std::string, std::string) {}

void Window::clear(float red, float green, float blue) {
  const WindowSize now = size();
  if (now.width_px != impl_->canvas.width_px || now.height_px != impl_->canvas.height_px) {
    impl_->canvas = now;
    emscripten_set_canvas_element_size(kCanvas, now.width_px, now.height_px);
  }
  glViewport(0, 0, now.width_px, now.height_px);
  glClearColor(red, green, blue, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

void Window::present() {
  Page& page = the_page();
  std::unique_lock lock(page.mutex);
  const unsigned before = page.shown;
  lock.unlock();
  emscripten_webgl_commit_frame();
  MAIN_THREAD_ASYNC_EM_ASM({ Module['tellOfFrame'](); });
  lock.lock();
  page.changed.wait_for(lock, kLongestFrame, [&] { return page.shown != before; });
}

Status Window::save_png(const std::string& path) const {
  const WindowSize now = size();
  const auto width = static_cast<std::size_t>(now.width_px);
  const auto height = static_cast<std::size_t>(now.height_px);
  std::vector<unsigned char> rows(width * height * 4);
  glReadPixels(0, 0, now.width_px, now.height_px, GL_RGBA, GL_UNSIGNED_BYTE, rows.data());
  stbi_flip_vertically_on_write(1);
  if (stbi_write_png(path.c_str(), now.width_px, now.height_px, 4, rows.data(), now.width_px * 4) ==
      0) {
    return Error{ErrorCode::cannot_read, "The picture cannot be written.", {}};
  }
  return ok();
}

}  // namespace cinderscope
