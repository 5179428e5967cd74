#include "app/desktop/display_keys.h"

#include <X11/Xlib.h>
#include <fmt/format.h>

// Of GLFW where it was built for X11. Weak, since its build for Wayland lacks it.
// NOLINTNEXTLINE(readability-identifier-naming): the name is GLFW's
extern "C" __attribute__((weak)) Display* glfwGetX11Display();
struct GLFWwindow;
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" __attribute__((weak)) Window glfwGetX11Window(GLFWwindow* window);
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" __attribute__((weak)) GLFWwindow* glfwGetCurrentContext();

namespace cinderscope {

bool display_has_shift_held() {
  Display* display = glfwGetX11Display == nullptr ? nullptr : glfwGetX11Display();
  if (display == nullptr) return false;
  Window root = 0, child = 0;
  int root_x = 0, root_y = 0, x = 0, y = 0;
  unsigned held = 0;
  XQueryPointer(display, DefaultRootWindow(display), &root, &child, &root_x, &root_y, &x, &y,
                &held);
  return (held & ShiftMask) != 0;
}

std::string window_for_dialogs() {
  if (glfwGetX11Window == nullptr || glfwGetCurrentContext == nullptr) return {};
  GLFWwindow* window = glfwGetCurrentContext();  // there is one, and the UI thread draws in it
  const Window known = window == nullptr ? 0 : glfwGetX11Window(window);
  return known == 0 ? std::string() : fmt::format("x11:{:x}", known);
}

}  // namespace cinderscope
