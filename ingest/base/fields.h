// Numbers and texts one behind the other, for files of ours that hold what memory held.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace cinderscope {

static_assert(std::endian::native == std::endian::little, "files of ours are little endian");

template <class T>
concept PlainField = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class FieldWriter {
 public:
  template <PlainField T>
  void add(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void add_text(std::string_view text) {
    add(std::uint64_t{text.size()});
    bytes_ += text;
  }
  template <PlainField T, class Allocator>
  void add_values(const std::vector<T, Allocator>& values) {
    add_text({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
  }
  void add_pairs(const std::vector<std::pair<std::string, std::string>>& pairs) {
    add(std::uint64_t{pairs.size()});
    for (const auto& [first, second] : pairs) {
      add_text(first);
      add_text(second);
    }
  }
  std::string_view bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Never reads beyond the end: what is missing there is zero, and ok() is false from then on.
class FieldReader {
 public:
  explicit FieldReader(std::string_view bytes) : left_(bytes) {}

  template <PlainField T>
  T take() {
    if constexpr (std::is_same_v<T, bool>) {
      return take<std::uint8_t>() != 0;
    } else {
      T value{};
      if (left_.size() < sizeof value) {
        fail();
        return value;
      }
      std::memcpy(&value, left_.data(), sizeof value);
      left_.remove_prefix(sizeof value);
      return value;
    }
  }
  // An enumeration whose values are 0 to `last`.
  template <class T>
  T take_enum(T last) {
    const T value = take<T>();
    if (value > last) fail();
    return ok() ? value : T{};
  }
  std::string_view take_text() {
    const auto size = take<std::uint64_t>();
    if (size > left_.size()) fail();
    if (!ok()) return {};
    const std::string_view text = left_.substr(0, size);
    left_.remove_prefix(size);
    return text;
  }
  // Of no enumeration: any value may have been written.
  template <class T, class Allocator = std::allocator<T>>
  std::vector<T, Allocator> take_values() {
    static_assert(std::is_arithmetic_v<T>);
    const std::string_view text = take_text();
    if (text.size() % sizeof(T) != 0) fail();
    std::vector<T, Allocator> values(ok() ? text.size() / sizeof(T) : 0);
    if (!values.empty()) std::memcpy(values.data(), text.data(), text.size());
    return values;
  }
  std::vector<std::pair<std::string, std::string>> take_pairs() {
    std::vector<std::pair<std::string, std::string>> pairs(take_count(16));
    for (auto& [first, second] : pairs) {
      first = take_text();
      second = take_text();
    }
    return pairs;
  }
  // How many entries follow; each takes `least_bytes` at least, so that memory may be set aside.
  std::size_t take_count(std::size_t least_bytes) {
    const auto count = take<std::uint64_t>();
    if (count > left_.size() / least_bytes) fail();
    return ok() ? static_cast<std::size_t>(count) : 0;
  }

  void fail() {
    ok_ = false;
    left_ = {};
  }
  bool ok() const { return ok_; }
  // Everything was read, and it was there.
  bool done() const { return ok_ && left_.empty(); }

 private:
  std::string_view left_;
  bool ok_ = true;
};

}  // namespace cinderscope
