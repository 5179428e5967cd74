#include "formats/google_json/event_scanner.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "ingest/base/json/raw_json.h"
#include "ingest/base/text_bytes.h"

namespace cinderscope::google_json {
namespace {

constexpr unsigned kDeepest = 64;  // brackets open inside a value: a bit each

// What numbers and words are made of. Anything else makes the walker look.
constexpr std::array<bool, 256> kScalar = [] {
  std::array<bool, 256> scalar{};
  for (unsigned c = 0; c < 128; ++c) {
    scalar[c] = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                c == '-' || c == '+' || c == '.';
  }
  return scalar;
}();

// Whether a value of this key is often that of the event before.
constexpr bool repeats(Key key) {
  return key == Key::pid || key == Key::tid || key == Key::category || key == Key::instant_scope;
}

// A string of one letter, as a phase is.
bool is_one_letter(const char* value) {
  return value[0] == '"' && value[2] == '"' && value[1] != '"' && value[1] != '\\';
}

// Where a scan stands. Each step returns false where the walker has to look. A step may begin or
// end up to 32 bytes behind limit_ and read as many more, which are readable; what it finds there
// is never taken for part of an event, as the end is checked.
class Scan {
 public:
  Scan(const char* at, const char* limit) : at_(at), limit_(limit) {}

  const char* at() const { return at_; }
  char here() const { return *at_; }
  void step(std::size_t count = 1) { at_ += count; }
  bool at_limit() const { return at_ >= limit_; }

  void skip_blanks() {
    while (json::is_blank(*at_) && at_ < limit_) ++at_;
  }

  // From behind the opening quote to behind the closing one.
  bool string() {
    while (at_ < limit_) {
      const std::uint32_t found = ThirtyTwoBytes(at_).equal('"', '\\');
      if (found == 0) {
        at_ += 32;
        continue;
      }
      at_ += std::countr_zero(found);
      if (*at_ == '"') {
        ++at_;
        return true;
      }
      at_ += 2;
    }
    return false;
  }

  bool scalar() {
    // Nearly all are up to 15 digits and a point.
    const char* const begin = at_;
    const SixteenBytes bytes(at_);
    const int digits = std::countr_zero(~(bytes.digits() | bytes.equal('.', '-')));
    at_ += digits;
    if (digits != 0 && (*at_ == ',' || *at_ == '}')) return true;
    while (kScalar[static_cast<unsigned char>(*at_)] && at_ < limit_) ++at_;
    return at_ != begin;
  }

  // A string or a scalar.
  bool plain_value() {
    if (*at_ != '"') return scalar();
    ++at_;
    return string();
  }

  bool value(std::span<KnownText> members) {
    if (*at_ == '{') return flat_object(members) || nested();
    return *at_ == '[' ? nested() : plain_value();
  }

  // A gap that is known, or else learned, to the next value, or to the `}` behind the last one.
  enum class Next : std::uint8_t { value, object_end, unusual };
  Next next_value(bool is_first, KnownText& known);

  bool colon() {
    skip_blanks();
    if (*at_ != ':') return false;
    ++at_;
    skip_blanks();
    return true;
  }

  // An object whose values are strings and scalars: nearly all args. Stays where it is if there is
  // anything else.
  bool flat_object(std::span<KnownText> members);

  // An object or an array, to behind its closing bracket. By the grammar, as the walker does it; a
  // comma before a closing bracket is forgiven.
  bool nested();

 private:
  const char* at_;
  const char* limit_;
};

bool Scan::flat_object(std::span<KnownText> members) {
  Scan scan(at_ + 1, limit_);
  std::size_t member = 0;
  while (*scan.at_ != '}') {
    if (scan.at_limit()) return false;
    KnownText& known = members[std::min(member, members.size() - 1)];
    if (known.find(scan.at_).gap) {
      scan.at_ += known.gap_bytes();
    } else {
      const Next next = scan.next_value(member == 0, known);
      if (next == Next::object_end) break;
      if (next == Next::unusual) return false;
    }
    if (!scan.plain_value()) return false;
    ++member;
  }
  at_ = scan.at_ + 1;
  return true;
}

bool Scan::nested() {
  std::uint64_t objects = *at_ == '{';  // of each open bracket, innermost lowest: it is a `{`
  unsigned depth = 1;
  ++at_;
  while (at_ < limit_) {
    skip_blanks();
    if (*at_ != ((objects & 1) != 0 ? '}' : ']')) {
      if ((objects & 1) != 0) {
        if (*at_ != '"') return false;
        ++at_;
        if (!string() || !colon()) return false;
      }
      if (*at_ == '{' || *at_ == '[') {
        if (depth == kDeepest) return false;
        objects = objects << 1 | (*at_ == '{' ? 1u : 0u);
        ++depth;
        ++at_;
        continue;
      }
      if (!plain_value()) return false;
      skip_blanks();
      if (*at_ == ',') {
        ++at_;
        continue;
      }
    }
    while (true) {
      if (*at_ != ((objects & 1) != 0 ? '}' : ']')) return false;
      ++at_;
      objects >>= 1;
      if (--depth == 0) return true;
      skip_blanks();
      if (*at_ == ',') break;
    }
    ++at_;
  }
  return false;
}

Scan::Next Scan::next_value(bool is_first, KnownText& known) {
  const char* const gap = at_;
  skip_blanks();
  if (!is_first && *at_ == ',') {
    ++at_;
    skip_blanks();
    is_first = true;
  }
  if (*at_ == '}') return Next::object_end;
  if (!is_first || *at_ != '"') return Next::unusual;
  ++at_;
  const Key key = key_at(at_);
  if (key != Key::other) {
    at_ += key_length(key) + 1;
  } else {
    const char* const begin = at_;
    if (!string()) return Next::unusual;
    if (std::memchr(begin, '\\', static_cast<std::size_t>(at_ - begin)) != nullptr) {
      return Next::unusual;
    }
  }
  if (!colon() || at_limit()) return Next::unusual;
  known.learn_gap(gap, at_, key);
  return Next::value;
}

}  // namespace

bool EventScanner::scan(const char* text, std::uint32_t size, RawEvent& out) {
  const char* const limit = text + size;
  const auto place = [text](const char* at) { return static_cast<std::uint32_t>(at - text); };
  Scan scan(text + 1, limit);
  KnownOfPhase* of_phase = &known_[0];
  unsigned before = kFirst;
  std::uint32_t present = 0;
  while (!scan.at_limit()) {
    KnownText& known = of_phase->keys[before];
    const char* const begin = scan.at();
    const KnownText::Found found = known.find(begin);
    const char* value = begin + known.gap_bytes();
    if (found.all) {
      scan.step(known.all_bytes());
    } else {
      if (found.gap) {
        scan.step(known.gap_bytes());
        if (json::is_blank(scan.here())) scan.skip_blanks();
      } else {
        const Scan::Next next = scan.next_value(before == kFirst, known);
        if (next == Scan::Next::object_end) break;
        if (next == Scan::Next::unusual) return false;
      }
      value = scan.at();
      if (known.key() == Key::phase && is_one_letter(value)) {
        scan.step(3);
      } else {
        if (!scan.value(of_phase->members)) return false;
        if (repeats(known.key())) known.learn_value(begin, value, scan.at());
      }
    }
    const Key key = known.key();
    out.values[index(key)] = {place(value), place(scan.at())};
    present |= known.key_bit();
    before = index(key);
    if (key == Key::phase) of_phase = &known_[static_cast<unsigned char>(value[1]) % kPhases];
    if (scan.here() == '}') break;
  }
  scan.step();
  out.begin = 0;
  out.end = place(scan.at());
  out.present = present;
  return out.end <= size;
}

}  // namespace cinderscope::google_json
