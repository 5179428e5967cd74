// Names as people read them: without packages and without what compilers put into them.
#pragma once

#include <string>
#include <string_view>

namespace cinderscope::lincheck {

std::string short_class(std::string_view name);
std::string_view short_method(std::string_view name);
std::string_view short_field(std::string_view name);
std::string_view short_variable(std::string_view name);

// A variable or field that holds the object whose method runs.
bool is_this_name(std::string_view name);
// Kotlin's boxes for variables that lambdas write.
bool is_kotlin_box(std::string_view class_name);

// Locations name classes with slashes, descriptors with points.
bool is_same_class(std::string_view a, std::string_view b);

}  // namespace cinderscope::lincheck
