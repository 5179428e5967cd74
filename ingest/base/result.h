// Error, Result<T> and Status: how a call that may fail says so; the shape of std::expected.
#pragma once

#include <cassert>
#include <concepts>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace cinderscope {

enum class ErrorCode : std::uint8_t {
  cannot_read,     // the file system refused, or the file is gone
  not_recognised,  // no format claims it
  damaged,         // a format claims it, yet nothing in it can be shown
  no_memory,
  too_large,  // would not fit into memory: found before loading
  cancelled,
  refused,  // a command that cannot do what it was asked to
};

inline constexpr std::int64_t kNoOffset = -1;

struct Error {
  ErrorCode code = ErrorCode::damaged;
  std::string text;      // one sentence: what is wrong
  std::string expected;  // one sentence: what was expected, what can be done; may be empty
  std::int64_t offset_bytes = kNoOffset;  // where in the (inflated) input
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  T& operator*() {
    assert(*this);
    return *std::get_if<0>(&state_);
  }
  const T& operator*() const {
    assert(*this);
    return *std::get_if<0>(&state_);
  }
  T* operator->() { return &**this; }
  const T* operator->() const { return &**this; }
  const Error& error() const {
    assert(!*this);
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<T, Error> state_;
};

// Of a command that cannot do what it was asked to; `text` is a sentence for the user.
inline Error refused(std::string text) {
  return {.code = ErrorCode::refused, .text = std::move(text), .expected = {}};
}

using Status = Result<std::monostate>;
inline Status ok() {
  return std::monostate{};
}

}  // namespace cinderscope
