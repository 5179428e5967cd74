// What libc++ 18 lacks of C++20 and this program uses; read before each file by emscripten.cmake.
#pragma once
#if defined(__cplusplus) && __cplusplus >= 202002L
#include <version>
#if _LIBCPP_VERSION < 190000
#include <atomic>

namespace std {

template <class T>
class atomic_ref {
 public:
  explicit atomic_ref(T& value) : at_(&value) {}
  T load(memory_order order = memory_order_seq_cst) const {
    return __atomic_load_n(at_, static_cast<int>(order));
  }
  void store(T value, memory_order order = memory_order_seq_cst) const {
    __atomic_store_n(at_, value, static_cast<int>(order));
  }
  T exchange(T value, memory_order order = memory_order_seq_cst) const {
    return __atomic_exchange_n(at_, value, static_cast<int>(order));
  }
  T fetch_add(T value, memory_order order = memory_order_seq_cst) const {
    return __atomic_fetch_add(at_, value, static_cast<int>(order));
  }
  T fetch_or(T value, memory_order order = memory_order_seq_cst) const {
    return __atomic_fetch_or(at_, value, static_cast<int>(order));
  }

 private:
  T* at_;
};

}  // namespace std
#endif
#if _LIBCPP_VERSION < 200000
#include <charconv>
#include <cstdlib>
#include <limits>
#include <string>

namespace std {

// As the standard has it for chars_format::general. `read_text` is strtod() or strtof(), which
// emscripten has rounding correctly and without a locale.
template <class Number, class ReadText>
from_chars_result from_chars_by(const char* first, const char* last, Number& value,
                                ReadText read_text) {
  const auto is_digit = [&](const char* at) { return at != last && *at >= '0' && *at <= '9'; };
  const auto skip_digits = [&](const char* at) {
    while (is_digit(at)) ++at;
    return at;
  };
  const char* at = first != last && *first == '-' ? first + 1 : first;
  const char* const digits = at;
  at = skip_digits(at);
  bool any = at != digits;
  if (at != last && *at == '.') {
    const char* const fraction = at + 1;
    const char* const end = skip_digits(fraction);
    any = any || end != fraction;
    if (any) at = end;
  }
  if (!any) {
    const string_view rest(digits, static_cast<size_t>(last - digits));
    const auto same = [&](string_view word) {
      if (rest.size() < word.size()) return false;
      for (size_t i = 0; i < word.size(); ++i) {
        if ((rest[i] | 0x20) != word[i]) return false;
      }
      return true;
    };
    const size_t length = same("infinity") ? 8 : same("inf") || same("nan") ? 3 : 0;
    if (length == 0) return {first, errc::invalid_argument};
    at = digits + length;
  } else if (at != last && (*at == 'e' || *at == 'E')) {
    const char* exponent = at + 1;
    if (exponent != last && (*exponent == '+' || *exponent == '-')) ++exponent;
    if (is_digit(exponent)) at = skip_digits(exponent);
  }
  const string text(first, at);
  const Number read = read_text(text.c_str(), nullptr);
  constexpr Number kMost = numeric_limits<Number>::max();
  const bool too_large = any && (read > kMost || read < -kMost);
  bool too_small = false;
  if (any && read == 0) {  // zeros alone are zero
    for (const char c : text) {
      if (c == 'e' || c == 'E') break;
      too_small = too_small || (c >= '1' && c <= '9');
    }
  }
  if (too_large || too_small) return {at, errc::result_out_of_range};
  value = read;
  return {at, errc()};
}
inline from_chars_result from_chars(const char* first, const char* last, double& value) {
  return from_chars_by(first, last, value,
                       [](const char* text, char** end) { return strtod(text, end); });
}
inline from_chars_result from_chars(const char* first, const char* last, float& value) {
  return from_chars_by(first, last, value,
                       [](const char* text, char** end) { return strtof(text, end); });
}

}  // namespace std
#endif
#endif
