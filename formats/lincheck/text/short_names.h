// Names as people read them: without packages and without what compilers put into them.
#pragma once

#include <string>
#include <string_view>

namespace cinderscope::lincheck {

// "App.Inner" of "com.acme.App$Inner"; "Demo$$Lambda" of "demo.Demo$$Lambda$14/0x0000".
std::string short_class(std::string_view name);
// Without the prefixes and suffixes that Kotlin's compiler adds, as views of the name: "state" of
// the field "$state$volatile$FU", "x" of the variable "x$iv".
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
