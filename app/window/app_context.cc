#include "app/window/app_context.h"

#include <algorithm>
#include <utility>

#include "app/window/comparison/compare_page.h"
#include "app/window/tab.h"

namespace cinderscope {

Tab* TabList::shown() const {
  Tab* tab = page();
  return tab == nullptr || tab->comparison == nullptr ? tab : &tab->comparison->used_lane();
}

std::vector<Tab*> TabList::with_lanes() const {
  std::vector<Tab*> tabs;
  tabs.reserve(all.size());
  for (const auto& tab : all) {
    tabs.push_back(tab.get());
    if (tab->comparison != nullptr) tabs.push_back(&tab->comparison->lane(side_b));
  }
  return tabs;
}

void AppContext::say_of_shown(std::string text, std::chrono::seconds time) {
  Tab* tab = tabs().page();
  if (tab == nullptr) return say(std::move(text), time);
  say_of(*tab, std::move(text), time);
}

MessageOwner AppContext::shown_owner() {
  const Tab* tab = tabs().page();
  return {tab == nullptr ? 0 : tab->number};
}

void AppContext::say_of(MessageOwner owner, std::string text, std::chrono::seconds time) {
  const auto tab = std::ranges::find_if(
      tabs().all, [owner](const auto& each) { return each->number == owner.tab; });
  if (tab == tabs().all.end()) return say(std::move(text), time);
  say_of(**tab, std::move(text), time);
}

}  // namespace cinderscope
