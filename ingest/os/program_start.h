// What differs between systems before a program has begun.
#pragma once

#include <string>
#include <vector>

namespace cinderscope {

// Called first: on Windows a program with windows has no console, so what it prints goes to the one
// that it was called from, unless it goes elsewhere already.
void open_console();

// What main() was given, the program's name first; UTF-8 where the system knows what it is.
std::vector<std::string> program_arguments(int argc, char** argv);

}  // namespace cinderscope
