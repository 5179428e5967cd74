#include "app/window/window.h"

#include <glad/gl.h>
// glad first: it replaces the system's OpenGL header.
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <stb_image_write.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "app/desktop/display_keys.h"
#include "app/window/window_icon.h"

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
};

namespace {

std::atomic<bool> can_wake{false};  // GLFW has a window that may be waiting

std::string& last_glfw_error() {
  static std::string text;
  return text;
}

bool held(GLFWwindow* window, int left, int right) {
  return glfwGetKey(window, left) == GLFW_PRESS || glfwGetKey(window, right) == GLFW_PRESS;
}

// Asked of the keyboard each time, since scroll and move callbacks do not tell.
Modifiers modifiers_now(GLFWwindow* window) {
  return {.ctrl = held(window, GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL),
          .shift = held(window, GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT),
          .alt = held(window, GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT)};
}

Key key_from_glfw(int key) {
  if (key >= GLFW_KEY_A && key <= GLFW_KEY_Z) {
    return static_cast<Key>(static_cast<int>(Key::a) + key - GLFW_KEY_A);
  }
  if (key >= GLFW_KEY_0 && key <= GLFW_KEY_9) {
    return static_cast<Key>(static_cast<int>(Key::d0) + key - GLFW_KEY_0);
  }
  if (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_9) {
    return static_cast<Key>(static_cast<int>(Key::d0) + key - GLFW_KEY_KP_0);
  }
  if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12) {
    return static_cast<Key>(static_cast<int>(Key::f1) + key - GLFW_KEY_F1);
  }
  constexpr auto kOthers = std::to_array<std::pair<int, Key>>({
      {GLFW_KEY_ESCAPE, Key::escape},
      {GLFW_KEY_ENTER, Key::enter},
      {GLFW_KEY_KP_ENTER, Key::enter},
      {GLFW_KEY_TAB, Key::tab},
      {GLFW_KEY_BACKSPACE, Key::backspace},
      {GLFW_KEY_DELETE, Key::del},
      {GLFW_KEY_INSERT, Key::insert},
      {GLFW_KEY_LEFT, Key::left},
      {GLFW_KEY_RIGHT, Key::right},
      {GLFW_KEY_UP, Key::up},
      {GLFW_KEY_DOWN, Key::down},
      {GLFW_KEY_HOME, Key::home},
      {GLFW_KEY_END, Key::end},
      {GLFW_KEY_PAGE_UP, Key::page_up},
      {GLFW_KEY_PAGE_DOWN, Key::page_down},
      {GLFW_KEY_SPACE, Key::space},
  });
  const auto* found = std::ranges::find(kOthers, key, &std::pair<int, Key>::first);
  return found == kOthers.end() ? Key::none : found->second;
}

// The punctuation that the key makes on the user's layout, or 0.
char32_t punctuation_of(int key, int scancode) {
  if (key == GLFW_KEY_KP_ADD) return U'+';
  if (key == GLFW_KEY_KP_SUBTRACT) return U'-';
  const char* name = glfwGetKeyName(key, scancode);
  if (name == nullptr || std::strlen(name) != 1) return 0;
  const auto c = static_cast<unsigned char>(name[0]);
  const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return plain || c <= ' ' || c >= 0x7f ? 0 : c;
}

Window::Impl& impl_of(GLFWwindow* window);

void push(GLFWwindow* window, InputEvent event);

void on_key(GLFWwindow* window, int key, int scancode, int action, int mods) {
  Window::Impl& impl = impl_of(window);
  KeyChanged event;
  event.chord = {.key = key_from_glfw(key),
                 .ctrl = (mods & GLFW_MOD_CONTROL) != 0,
                 .shift = (mods & GLFW_MOD_SHIFT) != 0,
                 .alt = (mods & GLFW_MOD_ALT) != 0};
  if (key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER) {
    // Of such a key itself `mods` tells what was held before.
    const Modifiers now = modifiers_now(window);
    event.chord.ctrl = now.ctrl;
    event.chord.shift = now.shift;
    event.chord.alt = now.alt;
  }
  event.down = action != GLFW_RELEASE;
  event.repeat = action == GLFW_REPEAT;
  // AltGr is the right Alt key without being Alt: what is pressed with it is meant for the
  // character that it makes, never for the place of the key.
  const bool alt_gr = glfwGetKey(window, GLFW_KEY_RIGHT_ALT) == GLFW_PRESS && !event.chord.alt;
  const bool named = key_from_glfw(key) >= Key::escape;
  if (alt_gr && !named) event.chord.key = Key::none;
  impl.pressed_scancode = -1;
  if (event.down) {
    // A character that follows (on_character) is right whatever is held; until then, or where none
    // follows because Ctrl is held, it is what the key makes by itself.
    if (!alt_gr && !event.chord.shift) event.chord.character = punctuation_of(key, scancode);
    impl.characters[scancode] = event.chord.character;
    impl.pressed_scancode = scancode;
  } else if (const auto made = impl.characters.find(scancode); made != impl.characters.end()) {
    event.chord.character = made->second;
  }
  push(window, event);
}

// Comes right after the press of the key that makes it; also with Ctrl held, as long as what the
// layout makes then is a character.
void on_character(GLFWwindow* window, unsigned character, int mods) {
  Window::Impl& impl = impl_of(window);
  if (impl.queue == nullptr) return;
  const bool letter =
      (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
  const bool digit = character >= '0' && character <= '9';
  const bool punctuation = character > ' ' && character < 0x7f && !letter && !digit;
  if (!impl.queue->empty() && impl.pressed_scancode >= 0) {
    if (auto* key = std::get_if<KeyChanged>(&impl.queue->back()); key != nullptr && key->down) {
      key->chord.character = punctuation ? static_cast<char32_t>(character) : 0;
      impl.characters[impl.pressed_scancode] = key->chord.character;
    }
  }
  impl.pressed_scancode = -1;
  if ((mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT)) != 0) return;  // a command, no text
  push(window, CharacterTyped{static_cast<char32_t>(character)});
}

PointerMoved moved_to(GLFWwindow* window, double x, double y) {
  // The pointer is in screen coordinates, everything here in pixels.
  const Window::Impl& impl = impl_of(window);
  return {.x = static_cast<float>(x * impl.size.width_px / std::max(impl.width, 1)),
          .y = static_cast<float>(y * impl.size.height_px / std::max(impl.height, 1)),
          .modifiers = modifiers_now(window)};
}

void on_button(GLFWwindow* window, int button, int action, int /*mods*/) {
  if (button > GLFW_MOUSE_BUTTON_MIDDLE) return;
  push(window, ButtonChanged{.button = static_cast<MouseButton>(button),
                             .down = action == GLFW_PRESS,
                             .modifiers = modifiers_now(window)});
}

void on_drop(GLFWwindow* window, int count, const char** paths) {
  FilesDropped drop;
  for (int i = 0; i < count; ++i) drop.paths.emplace_back(paths[i]);
  // While files are dragged another window has the keyboard, so GLFW has seen no key go down.
  drop.shift = modifiers_now(window).shift || display_has_shift_held();
  push(window, std::move(drop));
}

void set_callbacks(GLFWwindow* window) {
  glfwSetKeyCallback(window, on_key);
  glfwSetCharModsCallback(window, on_character);
  glfwSetCursorPosCallback(window,
                           [](GLFWwindow* w, double x, double y) { push(w, moved_to(w, x, y)); });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int entered) {
    if (entered == GLFW_FALSE) push(w, PointerLeft{});
  });
  glfwSetMouseButtonCallback(window, on_button);
  glfwSetScrollCallback(window, [](GLFWwindow* w, double dx, double dy) {
    push(w, WheelTurned{.dx = static_cast<float>(dx),
                        .dy = static_cast<float>(dy),
                        .modifiers = modifiers_now(w)});
  });
  glfwSetDropCallback(window, on_drop);
  glfwSetWindowFocusCallback(
      window, [](GLFWwindow* w, int focused) { push(w, FocusChanged{focused == GLFW_TRUE}); });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { impl_of(w).damaged = true; });
  glfwSetWindowSizeCallback(window, [](GLFWwindow* w, int width, int height) {
    impl_of(w).width = width;
    impl_of(w).height = height;
  });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int width_px, int height_px) {
    impl_of(w).size = {width_px, height_px};
    impl_of(w).damaged = true;
  });
  glfwSetWindowIconifyCallback(
      window, [](GLFWwindow* w, int minimised) { impl_of(w).minimised = minimised == GLFW_TRUE; });
  glfwSetWindowMaximizeCallback(
      window, [](GLFWwindow* w, int maximised) { impl_of(w).maximised = maximised == GLFW_TRUE; });
  glfwSetWindowContentScaleCallback(window,
                                    [](GLFWwindow* w, float, float) { impl_of(w).damaged = true; });
}

Window::Impl& impl_of(GLFWwindow* window) {
  return *static_cast<Window::Impl*>(glfwGetWindowUserPointer(window));
}

void push(GLFWwindow* window, InputEvent event) {
  Window::Impl& impl = impl_of(window);
  if (impl.queue != nullptr) impl.queue->push_back(std::move(event));
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
  set_callbacks(impl->window);
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
  glfwSetClipboardString(impl_->window, text.c_str());
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
