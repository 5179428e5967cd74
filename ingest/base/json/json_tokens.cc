#include "ingest/base/json/json_tokens.h"

#include <cstring>
#include <optional>

#include "ingest/base/utf8.h"

namespace cinderscope {

namespace {

bool is_json_blank(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\0';
}

bool ends_word(char c) {
  return is_json_blank(c) || c == ',' || c == ':' || c == '{' || c == '}' || c == '[' || c == ']' ||
         c == '"';
}

// Position of the quote that closes a string whose text begins at `from`; npos if there is none.
std::size_t closing_quote(std::string_view text, std::size_t from) {
  while (from < text.size()) {
    const void* found = std::memchr(text.data() + from, '"', text.size() - from);
    if (found == nullptr) return std::string_view::npos;
    const auto quote = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    std::size_t backslashes = 0;
    while (quote - backslashes > from && text[quote - backslashes - 1] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return quote;
    from = quote + 1;
  }
  return std::string_view::npos;
}

std::optional<std::uint32_t> hex4(std::string_view text) {
  if (text.size() < 4) return std::nullopt;
  std::uint32_t value = 0;
  for (const char c : text.substr(0, 4)) {
    value <<= 4;
    if (c >= '0' && c <= '9') {
      value |= static_cast<std::uint32_t>(c - '0');
    } else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') {
      value |= static_cast<std::uint32_t>((c | 0x20) - 'a' + 10);
    } else {
      return std::nullopt;
    }
  }
  return value;
}

// Decodes \uXXXX at the head of `rest` (behind "\u"); returns how many characters were used.
std::size_t append_unicode_escape(std::string& out, std::string_view rest) {
  constexpr std::uint32_t kReplacement = 0xFFFD;
  const auto first = hex4(rest);
  if (!first) {
    out += "\\u";
    return 0;
  }
  if (*first < 0xD800 || *first > 0xDFFF) {
    append_utf8(out, *first);
    return 4;
  }
  if (*first < 0xDC00 && rest.substr(4, 2) == "\\u") {
    const auto second = hex4(rest.substr(6));
    if (second && *second >= 0xDC00 && *second <= 0xDFFF) {
      append_utf8(out, 0x10000 + ((*first - 0xD800) << 10) + (*second - 0xDC00));
      return 10;
    }
  }
  append_utf8(out, kReplacement);
  return 4;
}

}  // namespace

JsonToken JsonTokens::next() {
  while (next_ < text_.size() && is_json_blank(text_[next_])) ++next_;
  begin_ = next_;
  token_ = {};
  if (next_ >= text_.size()) return JsonToken::end;
  switch (text_[next_]) {
    case '{':
      ++next_;
      return JsonToken::open_object;
    case '}':
      ++next_;
      return JsonToken::close_object;
    case '[':
      ++next_;
      return JsonToken::open_array;
    case ']':
      ++next_;
      return JsonToken::close_array;
    case ',':
      ++next_;
      return JsonToken::comma;
    case ':':
      ++next_;
      return JsonToken::colon;
    case '"': {
      const std::size_t quote = closing_quote(text_, next_ + 1);
      if (quote == std::string_view::npos) {
        token_ = text_.substr(next_ + 1);
        next_ = text_.size();
        return JsonToken::cut_string;
      }
      token_ = text_.substr(next_ + 1, quote - next_ - 1);
      next_ = quote + 1;
      return JsonToken::string;
    }
    default:
      while (next_ < text_.size() && !ends_word(text_[next_])) ++next_;
      token_ = text_.substr(begin_, next_ - begin_);
      return JsonToken::scalar;
  }
}

bool JsonTokens::skip_rest(JsonToken first) {
  if (first != JsonToken::open_object && first != JsonToken::open_array) {
    return first != JsonToken::end && first != JsonToken::cut_string;
  }
  std::uint64_t depth = 1;
  while (depth != 0) {
    switch (next()) {
      case JsonToken::open_object:
      case JsonToken::open_array:
        ++depth;
        break;
      case JsonToken::close_object:
      case JsonToken::close_array:
        --depth;
        break;
      case JsonToken::end:
      case JsonToken::cut_string:
        return false;
      default:
        break;
    }
  }
  return true;
}

std::string decode_json_string(std::string_view escaped) {
  std::string out;
  out.reserve(escaped.size());
  while (!escaped.empty()) {
    const std::size_t backslash = escaped.find('\\');
    out += escaped.substr(0, backslash);
    if (backslash == std::string_view::npos) break;
    escaped.remove_prefix(backslash + 1);
    if (escaped.empty()) {
      out.push_back('\\');
      break;
    }
    const char kind = escaped.front();
    escaped.remove_prefix(1);
    switch (kind) {
      case 'n':
        out.push_back('\n');
        break;
      case 't':
        out.push_back('\t');
        break;
      case 'r':
        out.push_back('\r');
        break;
      case 'b':
        out.push_back('\b');
        break;
      case 'f':
        out.push_back('\f');
        break;
      case '"':
      case '\\':
      case '/':
        out.push_back(kind);
        break;
      case 'u':
        escaped.remove_prefix(append_unicode_escape(out, escaped));
        break;
      default:  // no escape that JSON knows
        out.push_back('\\');
        out.push_back(kind);
    }
  }
  return out;
}

}  // namespace cinderscope
