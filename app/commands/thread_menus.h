// The parts of menus that are about threads, processes and groups in the gutter.
#pragma once

#include <cstdint>
#include <string>

#include "app/commands/menu_builder.h"

namespace cinderscope {

void add_thread(MenuBuilder& menu, const MenuSource& source, std::uint64_t track);
void add_process(MenuBuilder& menu, const MenuSource& source, std::uint64_t process);
void add_group(MenuBuilder& menu, const MenuSource& source, const std::string& group);
// How all of them are arranged.
void add_order(MenuBuilder& menu, const MenuSource& source);
void add_grouping(MenuBuilder& menu, const MenuSource& source);

}  // namespace cinderscope
