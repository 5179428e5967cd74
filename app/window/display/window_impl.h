// What a window keeps of GLFW, for `window.cc` and the callbacks that it has GLFW call.
#pragma once

#include <glad/gl.h>
// glad first: it replaces the system's OpenGL header.
#include <GLFW/glfw3.h>

#include <array>
#include <unordered_map>

#include "app/desktop/selection_owner.h"
#include "app/window/window.h"

namespace cinderscope {

struct Window::Impl {
  GLFWwindow* window = nullptr;
  InputQueue* queue = nullptr;  // where callbacks put events; set while collecting
  // What keys typed when they were pressed, by scancode: their release comes without a character.
  std::unordered_map<int, char32_t> characters;
  int pressed_scancode = -1;  // of the press that a character may follow
  bool damaged = true;
  // As the display last told: asking it takes a round trip each, which waits for the display's own
  // process while all cores are busy.
  int width = 1, height = 1;  // in screen coordinates
  WindowSize size;
  bool minimised = false, maximised = false;
  bool drawn_by_cpu = false;
  std::array<GLFWcursor*, 5> cursors{};
  PointerShape pointer = PointerShape::arrow;
  std::unique_ptr<SelectionOwner> clipboard;  // null: not needed yet
};

// What happens to the window goes into its queue from now on.
void take_input_of(GLFWwindow* window);

}  // namespace cinderscope
