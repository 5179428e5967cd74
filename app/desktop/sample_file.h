// The sample trace that comes with the program.
#pragma once

#include <string>

namespace cinderscope {

// Its path: beside the program in a build, in the data folder once installed. Empty if there is
// none.
std::string find_sample_file();

}  // namespace cinderscope
