// A method's word of the dictionary taken apart.
#pragma once

#include <string>
#include <string_view>

namespace cinderscope::qubership {

// "void demo.Main.pause(int,long) (Main.java:9) [demo.jar]"; views of the word.
struct MethodWord {
  std::string_view return_type;  // "void"
  std::string_view qualified;    // "demo.Main.pause"
  std::string_view arguments;    // "int,long"
  std::string_view source;       // "Main.java:9" or "<generated>"; may be empty
  std::string_view jar;          // "demo.jar"; may be empty
  bool is_method = false;        // false: a word of another shape, all of it in `qualified`
};
MethodWord method_word(std::string_view word);

// "Main.pause"; of a word of another shape all of it.
std::string_view short_name(const MethodWord& method);

}  // namespace cinderscope::qubership
