#include "ingest/base/json/raw_json.h"

#include <cstring>

#include "ingest/base/json/json_tokens.h"
#include "ingest/base/number_text.h"

namespace cinderscope::json {

std::string_view trim_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::size_t skip_string(std::string_view text, std::size_t pos) {
  std::size_t from = pos + 1;
  while (from < text.size()) {
    const void* found = std::memchr(text.data() + from, '"', text.size() - from);
    if (found == nullptr) return std::string_view::npos;
    const auto quote = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    std::size_t slashes = 0;
    while (quote - slashes > from && text[quote - slashes - 1] == '\\') ++slashes;
    if (slashes % 2 == 0) return quote + 1;
    from = quote + 1;
  }
  return std::string_view::npos;
}

std::size_t skip_value(std::string_view text, std::size_t pos) {
  std::uint64_t depth = 0;
  while (pos < text.size()) {
    const char c = text[pos];
    if (c == '"') {
      pos = skip_string(text, pos);
      if (pos == std::string_view::npos) return text.size();
      if (depth == 0) return pos;
    } else if (c == '{' || c == '[') {
      ++depth;
      ++pos;
    } else if (c == '}' || c == ']') {
      if (depth == 0) return pos;  // it closes what the value is in
      ++pos;
      if (--depth == 0) return pos;
    } else if (depth == 0 && (c == ',' || c == ':' || is_blank(c))) {
      return pos;
    } else {
      ++pos;
    }
  }
  return text.size();
}

void append_text_of(std::string& out, std::string_view value) {
  value = trim_blanks(value);
  if (value == "null") return;
  if (is_string(value)) {
    value.remove_prefix(1);
    if (!value.empty() && value.back() == '"') value.remove_suffix(1);
    if (value.find('\\') != std::string_view::npos) {
      out += decode_json_string(value);
      return;
    }
  }
  out += value;
}

std::string text_of(std::string_view value) {
  std::string out;
  append_text_of(out, value);
  return out;
}

std::optional<double> number_of(std::string_view value) {
  value = trim_blanks(value);
  if (is_string(value) && value.size() >= 2) value = trim_blanks(value.substr(1, value.size() - 2));
  if (!value.empty() && value.front() == '+') value.remove_prefix(1);
  if (value.empty() || (value[0] != '-' && value[0] != '.' && (value[0] < '0' || value[0] > '9'))) {
    return std::nullopt;
  }
  return parse_number<double>(value);
}

MemberReader::MemberReader(std::string_view value) : text_(trim_blanks(value)) {
  object_ = is_object(text_);
  pos_ = object_ || is_array(text_) ? 1 : text_.size();
}

std::size_t MemberReader::skip_blanks(std::size_t pos) const {
  while (pos < text_.size() && is_blank(text_[pos])) ++pos;
  return pos;
}

bool MemberReader::next() {
  while (pos_ < text_.size() && (is_blank(text_[pos_]) || text_[pos_] == ',')) ++pos_;
  if (pos_ >= text_.size() || text_[pos_] == '}' || text_[pos_] == ']') return false;
  if (object_) {
    if (text_[pos_] != '"') return false;
    const std::size_t key_end = skip_string(text_, pos_);
    if (key_end == std::string_view::npos) return false;
    key_ = text_.substr(pos_ + 1, key_end - pos_ - 2);
    pos_ = skip_blanks(key_end);
    if (pos_ >= text_.size() || text_[pos_] != ':') return false;
    pos_ = skip_blanks(pos_ + 1);
  }
  const std::size_t end = skip_value(text_, pos_);
  if (end == pos_) return false;
  value_ = text_.substr(pos_, end - pos_);
  pos_ = end;
  return true;
}

std::string MemberReader::key() const {
  return decode_json_string(key_);
}

std::string_view member(std::string_view object, std::string_view key) {
  std::string_view found;
  MemberReader reader(object);
  if (!is_object(trim_blanks(object))) return found;
  while (reader.next()) {
    if (reader.raw_key() == key) found = reader.value();
  }
  return found;
}

}  // namespace cinderscope::json
