// What each rule does to a name.
#include <algorithm>
#include <vector>

#include "ingest/base/ascii.h"
#include "ingest/compare/name_rules.h"
#include "ingest/model/demangle.h"

namespace cinderscope {

namespace {

constexpr std::string_view kRest = "…";

bool is_word(char c) {
  return is_letter_or_digit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// A name that is read from left to right and written anew.
class Rewrite {
 public:
  explicit Rewrite(std::string& name) : name_(name), text_(name) {}

  bool done() const { return at_ >= text_.size(); }
  std::string_view rest() const { return text_.substr(at_); }
  char before() const { return at_ == 0 ? '\0' : text_[at_ - 1]; }
  // How many characters from `from` on are of that kind.
  template <class Is>
  std::size_t run(Is is, std::size_t from = 0) const {
    std::size_t end = at_ + from;
    while (end < text_.size() && is(text_[end])) ++end;
    return end - std::min(at_ + from, text_.size());
  }
  char at(std::size_t offset) const {
    return at_ + offset < text_.size() ? text_[at_ + offset] : '\0';
  }
  void keep(std::size_t count) {
    out_ += text_.substr(at_, count);
    at_ += count;
  }
  void replace(std::size_t count, std::string_view by) {
    out_ += by;
    at_ += count;
  }
  bool finish() {
    if (out_ == text_) return false;
    name_ = std::move(out_);
    return true;
  }

 private:
  std::string& name_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
};

bool demangle(std::string& name) {
  std::optional<std::string> readable = demangled_in_full(name);
  if (!readable || readable->empty()) return false;
  name = std::move(*readable);
  return true;
}

bool addresses(std::string& name) {
  if (name.find_first_of("0@") == std::string::npos) return false;
  Rewrite text(name);
  while (!text.done()) {
    if (text.rest().starts_with("0x") && !is_word(text.before())) {
      const std::size_t digits = text.run(is_hex, 2);
      text.keep(2);
      if (digits >= 4 && digits <= 16) {
        text.replace(digits, kRest);
      } else {
        text.keep(digits);
      }
    } else if (text.at(0) == '@') {
      const std::size_t digits = text.run(is_hex, 1);
      text.keep(1);
      if (digits >= 5 && digits <= 16 && !is_word(text.at(digits))) {
        text.replace(digits, kRest);
      }
    } else {
      text.keep(1);
    }
  }
  return text.finish();
}

// "$$Lambda", read already, has "$12", "/0x…", "/1234" or several of them behind it.
void lambda_class(Rewrite& text) {
  if (text.at(0) == '$' && is_digit(text.at(1))) {
    text.keep(1);
    text.replace(text.run(is_digit), "#");
  }
  if (text.at(0) != '/') return;
  if (text.rest().starts_with("/0x") && is_hex(text.at(3))) {
    text.keep(3);
    text.replace(text.run(is_hex), "#");
  } else if (is_digit(text.at(1)) && !text.rest().starts_with("/0x")) {
    text.keep(1);
    text.replace(text.run(is_digit), "#");
  }
}

bool ends_word(const Rewrite& text, std::size_t offset) {
  return !is_word(text.at(offset));
}

// The number that ends what has been read, if there is one, becomes #.
void number_here(Rewrite& text, std::size_t prefix) {
  const std::size_t digits = text.run(is_digit, prefix);
  if (digits == 0 || !ends_word(text, prefix + digits)) return;
  text.keep(prefix);
  text.replace(digits, "#");
}

bool lambdas(std::string& name) {
  if (name.find_first_of("$#") == std::string::npos && name.find("lambda") == std::string::npos) {
    return false;
  }
  Rewrite text(name);
  while (!text.done()) {
    const std::string_view rest = text.rest();
    const bool of_closure =
        std::string_view(name).substr(0, name.size() - rest.size()).ends_with("closure");
    if (rest.starts_with("$$Lambda")) {
      text.keep(8);
      lambda_class(text);
    } else if (rest.starts_with("lambda$") || rest.starts_with("lambda-")) {
      // Java's lambda$run$3, Kotlin's run$lambda$3 and run$lambda-3
      text.keep(6);
      number_here(text, 1);
      const std::size_t method = text.run(is_word, 1);
      if (text.at(0) == '$' && method > 0 && text.at(1 + method) == '$') {
        text.keep(1 + method);
        number_here(text, 1);
      }
    } else if (rest.starts_with("<lambda_")) {
      const std::size_t id = text.run(is_word, 8);
      text.keep(8);
      if (id > 0 && text.at(id) == '>') text.replace(id, "#");
    } else if (rest.starts_with("$_") && is_digit(text.at(2))) {
      text.keep(2);
      text.replace(text.run(is_digit), "#");
    } else if (text.at(0) == '#' && is_digit(text.at(1))) {  // {lambda(int)#2}, closure#3
      const std::size_t digits = text.run(is_digit, 1);
      text.keep(1);
      if (text.at(digits) == '}' || (of_closure && ends_word(text, digits))) {
        text.replace(digits, "");
      }
    } else {
      text.keep(1);
    }
  }
  return text.finish();
}

// Takes one ending off that compilers add.
bool take_suffix(std::string& name) {
  if (name.ends_with(']')) {  // of a demangled name: " [clone .part.0]"
    const std::size_t clone = name.rfind(" [clone ");
    if (clone == std::string::npos || clone == 0) return false;
    name.resize(clone);
    return true;
  }
  constexpr std::size_t kRustHash = 19;  // "::h" and 16 digits
  if (name.size() > kRustHash) {
    const std::string_view end = std::string_view(name).substr(name.size() - kRustHash);
    if (end.starts_with("::h") && std::ranges::all_of(end.substr(3), is_hex)) {
      name.resize(name.size() - kRustHash);
      return true;
    }
  }
  std::string_view head = name;
  while (!head.empty() && is_digit(head.back())) head.remove_suffix(1);
  const bool numbered = head.size() < name.size();
  if (numbered && !head.ends_with('.')) return false;
  if (numbered) head.remove_suffix(1);
  for (const std::string_view word : {".llvm", ".constprop", ".isra", ".part", ".cold"}) {
    if (!head.ends_with(word) || head.size() == word.size()) continue;
    if (!numbered && word != ".cold") continue;
    name.resize(head.size() - word.size());
    return true;
  }
  return false;
}

bool hashes(std::string& name) {
  bool changed = false;
  while (take_suffix(name)) changed = true;
  return changed;
}

// Takes ":12" off the end of `text`.
bool take_line(std::string_view& text) {
  std::string_view head = text;
  while (!head.empty() && is_digit(head.back())) head.remove_suffix(1);
  if (head.size() == text.size() || !head.ends_with(':')) return false;
  head.remove_suffix(1);
  if (head.empty() || head.ends_with(':')) return false;
  text = head;
  return true;
}

bool lines(std::string& name) {
  std::string_view text = name;
  const bool in_brackets = text.ends_with(')');
  if (in_brackets) text.remove_suffix(1);
  const std::size_t whole = text.size();
  if (take_line(text)) {
    take_line(text);  // a column
  } else if (!in_brackets) {
    std::string_view head = text;
    while (!head.empty() && is_digit(head.back())) head.remove_suffix(1);
    if (head.size() < text.size() && head.ends_with(" line ") && head.size() > 6) {
      text = head.substr(0, head.size() - 6);
    }
  }
  if (text.size() == whole) return false;
  // Within brackets it is the place of a call if that is all there is: "f(a, b:12)" is none.
  const std::size_t open = text.rfind('(');
  if (in_brackets && (open == std::string_view::npos ||
                      text.find_first_of(" ,", open) != std::string_view::npos)) {
    return false;
  }
  name.erase(text.size(), whole - text.size());
  return true;
}

// How many characters of an operator stand behind the word "operator".
std::size_t operator_size(std::string_view text) {
  for (const std::string_view sign :
       {"<=>", "<<=", ">>=", "->*", "<<", "<=", ">>", ">=", "->", "<", ">"}) {
    if (!text.starts_with(sign)) continue;
    // operator<<int> is < with an argument.
    const std::string_view argument =
        text.substr(0, 256).substr(std::min<std::size_t>(text.size(), 2));
    const bool closed = sign == "<<" && !argument.empty() && is_word(argument[0]) &&
                        argument.find('>') < argument.find_first_of("<(");
    return closed ? 1 : sign.size();
  }
  return 0;
}

bool is_special(std::string_view text) {
  for (const std::string_view special : {"<init>", "<clinit>", "<anonymous>"}) {
    if (text.starts_with(special)) return true;
  }
  return false;
}

bool templates(std::string& name) {
  if (name.find('<') == std::string::npos) return false;
  const std::string_view text = name;
  std::vector<std::size_t> open;
  std::vector<std::size_t> closed_by(text.size(), 0);
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    const bool word_before = i > 0 && is_word(text[i - 1]);
    if (rest.starts_with("operator") && !word_before) {
      i += 8;
      i += operator_size(text.substr(i));
    } else if (rest.starts_with("<<") || rest.starts_with("<=") || rest.starts_with("->") ||
               rest.starts_with("=>") || rest.starts_with(">=")) {
      i += 2;
    } else if (is_special(rest)) {
      i = text.find('>', i) + 1;
    } else {
      if (text[i] == '<') open.push_back(i);
      if (text[i] == '>' && !open.empty()) {
        closed_by[open.back()] = i;
        open.pop_back();
      }
      ++i;
    }
  }
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (closed_by[i] == 0) continue;
    out += '>';
    i = closed_by[i];
  }
  if (out == text) return false;
  name = std::move(out);
  return true;
}

bool numbers(std::string& name) {
  Rewrite text(name);
  while (!text.done()) {
    if (!is_digit(text.at(0))) {
      text.keep(1);
      continue;
    }
    const std::size_t digits = text.run(is_digit);
    if (is_word(text.before()) || is_word(text.at(digits))) {
      text.keep(text.run(is_word));
    } else {
      text.replace(digits, "#");
    }
  }
  return text.finish();
}

bool letter_case(std::string& name) {
  std::string lower = ascii_lower(name);
  if (lower == name) return false;
  name = std::move(lower);
  return true;
}

}  // namespace

bool apply_rule(NameRule rule, std::string& name) {
  switch (rule) {
    case NameRule::demangle:
      return demangle(name);
    case NameRule::addresses:
      return addresses(name);
    case NameRule::lambdas:
      return lambdas(name);
    case NameRule::hashes:
      return hashes(name);
    case NameRule::lines:
      return lines(name);
    case NameRule::templates:
      return templates(name);
    case NameRule::numbers:
      return numbers(name);
    case NameRule::letter_case:
      return letter_case(name);
  }
  return false;
}

}  // namespace cinderscope
