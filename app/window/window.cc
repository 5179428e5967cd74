#include "app/window/window.h"

#include <fmt/format.h>
#include <stb_image_write.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <utility>

#include "app/window/display/window_icon.h"
#include "app/window/display/window_impl.h"

namespace cinderscope {
namespace {

std::atomic<bool> can_wake{false};  // GLFW has a window that may be waiting

std::string& last_glfw_error() {
  static std::string text;
  return text;
}

void ask_for_size(Window::Impl& impl) {
  glfwGetWindowSize(impl.window, &impl.width, &impl.height);
  glfwGetFramebufferSize(impl.window, &impl.size.width_px, &impl.size.height_px);
  impl.minimised = glfwGetWindowAttrib(impl.window, GLFW_ICONIFIED) == GLFW_TRUE;
  impl.maximised = glfwGetWindowAttrib(impl.window, GLFW_MAXIMIZED) == GLFW_TRUE;
}

// Made when it is shown first: each is looked for in the files of the desktop's cursor theme.
GLFWcursor* cursor_of(Window::Impl& impl, PointerShape shape) {
  constexpr std::array kShapes = {GLFW_ARROW_CURSOR, GLFW_IBEAM_CURSOR, GLFW_HAND_CURSOR,
                                  GLFW_HRESIZE_CURSOR, GLFW_VRESIZE_CURSOR};
  const auto which = static_cast<std::size_t>(shape);
  GLFWcursor*& cursor = impl.cursors.at(which);
  if (cursor == nullptr) cursor = glfwCreateStandardCursor(kShapes.at(which));
  return cursor;
}

void show_icon(GLFWwindow* window) {
  WindowIcon icon = window_icon();
  if (icon.rgba.empty()) return;
  const GLFWimage image{.width = icon.side_px, .height = icon.side_px, .pixels = icon.rgba.data()};
  glfwSetWindowIcon(window, 1, &image);
}

// Mesa's renderers without a GPU.
bool is_software(const char* renderer) {
  if (renderer == nullptr) return false;
  return std::ranges::any_of(std::array{"llvmpipe", "softpipe", "swrast"}, [&](const char* name) {
    return std::strstr(renderer, name) != nullptr;
  });
}

// Opened when it is needed first.
bool own_clipboard(Window::Impl& impl) {
  if (!impl.clipboard) impl.clipboard = SelectionOwner::open();
  return impl.clipboard != nullptr;
}

Error no_display_error() {
  return {.code = ErrorCode::cannot_read,
          .text = fmt::format("No display to open a window on ({}).",
                              last_glfw_error().empty() ? "GLFW cannot start" : last_glfw_error()),
          .expected = "The sub-commands info, tree and bench need none."};
}

}  // namespace

Window::Window() = default;

Window::~Window() {
  if (!impl_) return;
  can_wake = false;
  impl_->clipboard.reset();
  for (GLFWcursor* cursor : impl_->cursors) {
    if (cursor != nullptr) glfwDestroyCursor(cursor);
  }
  glfwDestroyWindow(impl_->window);
  glfwTerminate();
}

Status Window::open(const std::string& title, int width, int height, bool maximised) {
  glfwSetErrorCallback([](int, const char* text) { last_glfw_error() = text; });
  if (glfwInit() == GLFW_FALSE) return no_display_error();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  // All is flat. Where the CPU draws, a buffer of depths beside the picture keeps Mesa's llvmpipe
  // from passing over what an opaque area hides, which costs more than the rest of a frame.
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  glfwWindowHint(GLFW_MAXIMIZED, maximised ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "cinderscope");
  auto impl = std::make_unique<Impl>();
  impl->window = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
  if (impl->window == nullptr) {
    glfwTerminate();
    return Error{
        .code = ErrorCode::cannot_read,
        .text = fmt::format("The window cannot be opened ({}).", last_glfw_error()),
        .expected = "It needs OpenGL 3.3; the sub-commands info, tree and bench need none."};
  }
  glfwSetWindowUserPointer(impl->window, impl.get());
  glfwMakeContextCurrent(impl->window);
  if (gladLoadGL(glfwGetProcAddress) == 0) {
    glfwDestroyWindow(impl->window);
    glfwTerminate();
    return Error{.code = ErrorCode::cannot_read,
                 .text = "OpenGL 3.3 cannot be loaded.",
                 .expected = "The sub-commands info, tree and bench need none."};
  }
  impl->drawn_by_cpu = is_software(reinterpret_cast<const char*>(glGetString(GL_RENDERER)));
  glfwSwapInterval(1);
  show_icon(impl->window);
  take_input_of(impl->window);
  ask_for_size(*impl);
  impl_ = std::move(impl);
  can_wake = true;
  return ok();
}

void Window::collect(InputQueue& queue, std::optional<double> seconds) {
  impl_->queue = &queue;
  if (!seconds) {
    glfwWaitEvents();
  } else if (*seconds > 0) {
    glfwWaitEventsTimeout(*seconds);
  } else {
    glfwPollEvents();
  }
  impl_->queue = nullptr;
}

void Window::wake() {
  if (can_wake) glfwPostEmptyEvent();
}

bool Window::close_requested() const {
  return glfwWindowShouldClose(impl_->window) == GLFW_TRUE;
}
void Window::refuse_close() {
  glfwSetWindowShouldClose(impl_->window, GLFW_FALSE);
}
bool Window::take_damage() {
  return std::exchange(impl_->damaged, false);
}

WindowSize Window::size() const {
  return impl_->size;
}

float Window::scale() const {
  float x = 1;
  float y = 1;
  glfwGetWindowContentScale(impl_->window, &x, &y);
  return x > 0 ? x : 1;
}

bool Window::minimised() const {
  return impl_->minimised || impl_->size.width_px == 0 || impl_->size.height_px == 0;
}

bool Window::maximised() const {
  return impl_->maximised;
}

bool Window::drawn_by_cpu() const {
  return impl_->drawn_by_cpu;
}

void Window::come_to_front() {
  if (impl_->minimised) glfwRestoreWindow(impl_->window);
  glfwFocusWindow(impl_->window);
  glfwRequestWindowAttention(impl_->window);
}

void Window::set_title(const std::string& title) {
  glfwSetWindowTitle(impl_->window, title.c_str());
}

void Window::set_pointer(PointerShape shape) {
  if (shape == impl_->pointer) return;
  impl_->pointer = shape;
  glfwSetCursor(impl_->window, cursor_of(*impl_, shape));
}

std::string Window::clipboard() const {
  const char* text = glfwGetClipboardString(impl_->window);
  return text == nullptr ? std::string() : text;
}

void Window::set_clipboard(const std::string& text) {
  // GLFW answers with one request of the X protocol, which takes 16 MB at most, often less.
  constexpr std::size_t kMostOfGlfw = 8u << 20;
  if (text.size() > kMostOfGlfw && own_clipboard(*impl_)) {
    return impl_->clipboard->offer(text_offers(text));
  }
  glfwSetClipboardString(impl_->window, text.c_str());
}

bool Window::copies_pictures() const {
  return SelectionOwner::possible();
}

void Window::set_clipboard_picture(std::string png, std::string svg) {
  if (!own_clipboard(*impl_)) return;
  std::vector<ClipboardOffer> offers;
  const auto add = [&](const char* type, std::string bytes) {
    if (bytes.empty()) return;
    offers.push_back({type, std::make_shared<const std::string>(std::move(bytes))});
  };
  add("image/png", std::move(png));
  add("image/svg+xml", std::move(svg));
  impl_->clipboard->offer(std::move(offers));
}

void Window::clear(float red, float green, float blue) {
  const WindowSize now = size();
  glViewport(0, 0, now.width_px, now.height_px);
  glClearColor(red, green, blue, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

void Window::present() {
  glfwSwapBuffers(impl_->window);
}

Status Window::save_png(const std::string& path) const {
  const WindowSize now = size();
  const auto row_bytes = static_cast<std::size_t>(now.width_px) * 3;
  std::vector<unsigned char> pixels(row_bytes * static_cast<std::size_t>(now.height_px));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadBuffer(GL_BACK);
  glReadPixels(0, 0, now.width_px, now.height_px, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
  // OpenGL's first row is the lowest: start at the last one and go backwards.
  const unsigned char* top =
      pixels.data() + row_bytes * static_cast<std::size_t>(now.height_px - 1);
  if (stbi_write_png(path.c_str(), now.width_px, now.height_px, 3, top,
                     -static_cast<int>(row_bytes)) == 0) {
    return Error{.code = ErrorCode::cannot_read,
                 .text = fmt::format("The picture cannot be written to {}.", path),
                 .expected = "The folder must exist and be writable."};
  }
  return ok();
}

}  // namespace cinderscope
