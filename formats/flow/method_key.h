// A method's key (class#method and JVM descriptor) taken apart, and how people read it.
#pragma once

#include <string>
#include <string_view>

namespace cinderscope::flow {

// Views into the key. What a key does not have is empty.
struct MethodKey {
  std::string_view class_name;  // binary: packages with points, nesting with $
  std::string_view method;
  std::string_view descriptor;  // from the parenthesis on; older layouts end it before the closing
};

// The method begins behind the last # before the first parenthesis (section 3).
MethodKey method_key(std::string_view key);

// "Box.kind" of "demo.Workers$Box#kind()V": the innermost class that has a name, and the method.
// Text of another form stays as it is.
std::string short_label(std::string_view key);

// "demo" of "demo.Workers$Box"; empty for a class without one.
std::string_view package_of(std::string_view class_name);

// "(int, String[]) → void" of "(I[Ljava/lang/String;)V", classes without their packages; what is no
// descriptor stays as it is.
std::string signature_text(std::string_view descriptor);

}  // namespace cinderscope::flow
