#include "app/window/app_context.h"

#include <utility>

namespace cinderscope {

void AppContext::say_of_shown(std::string text, std::chrono::seconds time) {
  Tab* tab = tabs().shown();
  if (tab == nullptr) return say(std::move(text), time);
  say_of(*tab, std::move(text), time);
}

}  // namespace cinderscope
