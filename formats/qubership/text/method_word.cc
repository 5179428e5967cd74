#include "formats/qubership/text/method_word.h"

namespace cinderscope::qubership {

MethodWord method_word(std::string_view word) {
  constexpr auto kNowhere = std::string_view::npos;
  MethodWord method;
  method.qualified = word;
  const std::size_t open = word.find('(');
  const std::size_t close = open == kNowhere ? kNowhere : word.find(')', open);
  if (close == kNowhere || open == 0) return method;
  std::string_view head = word.substr(0, open);
  const std::size_t blank = head.rfind(' ');
  if (blank != kNowhere) {
    method.return_type = head.substr(0, blank);
    head.remove_prefix(blank + 1);
  }
  if (head.empty()) return method;
  method.is_method = true;
  method.qualified = head;
  method.arguments = word.substr(open + 1, close - open - 1);
  std::string_view rest = word.substr(close + 1);
  if (rest.starts_with(" (")) {
    const std::size_t end = rest.find(')');
    if (end == kNowhere) return method;
    method.source = rest.substr(2, end - 2);
    rest.remove_prefix(end + 1);
  }
  if (rest.starts_with(" [") && rest.ends_with(']')) method.jar = rest.substr(2, rest.size() - 3);
  return method;
}

std::string_view short_name(const MethodWord& method) {
  constexpr auto kNowhere = std::string_view::npos;
  if (!method.is_method) return method.qualified;
  const std::size_t last = method.qualified.rfind('.');
  if (last == kNowhere || last == 0) return method.qualified;
  const std::size_t before = method.qualified.rfind('.', last - 1);
  return before == kNowhere ? method.qualified : method.qualified.substr(before + 1);
}

}  // namespace cinderscope::qubership
