// What positions and lengths on a timeline count.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cinderscope {

// A unit as the file spells it, cut to what fits: an axis is copied with every question.
class UnitWord {
 public:
  constexpr UnitWord() = default;
  constexpr explicit UnitWord(std::string_view word) {
    std::size_t size = std::min(word.size(), text_.size());
    // A character is not cut in two.
    while (size < word.size() && size > 0 &&
           (static_cast<unsigned char>(word[size]) & 0xc0) == 0x80) {
      --size;
    }
    size_ = static_cast<std::uint8_t>(size);
    std::copy_n(word.begin(), size, text_.begin());
  }
  constexpr std::string_view text() const { return {text_.data(), size_}; }
  bool operator==(const UnitWord&) const = default;

 private:
  std::array<char, 23> text_{};
  std::uint8_t size_ = 0;
};

struct TimeAxis {
  enum Kind : std::uint8_t {
    nanoseconds,  // absolute, in the file's clock
    events,       // there is no clock: an event's ordinal, or what a profile adds up
  };

  constexpr TimeAxis() = default;
  constexpr TimeAxis(Kind of) : kind(of) {}  // NOLINT: an axis is asked for by its kind
  constexpr TimeAxis(std::string_view word, std::uint32_t steps)
      : kind(events), scale(steps), unit(word) {}

  Kind kind = nanoseconds;
  std::uint32_t scale = 1;  // steps that make one unit: fractions are kept as thousandths
  UnitWord unit;            // of what is counted; empty: events

  bool operator==(const TimeAxis&) const = default;
  friend constexpr bool operator==(const TimeAxis& axis, Kind of) { return axis.kind == of; }

  // "samples", "bytes"; "ns" of a clock.
  constexpr std::string_view word() const {
    if (kind == nanoseconds) return "ns";
    return unit.text().empty() ? std::string_view("events") : unit.text();
  }
};

}  // namespace cinderscope
