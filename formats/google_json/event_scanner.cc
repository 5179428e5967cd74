#include "formats/google_json/event_scanner.h"

#include <array>
#include <bit>

#include "formats/google_json/raw_json.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace cinderscope::google_json {
namespace {

constexpr unsigned kDeepest = 64;  // brackets open inside a value: a bit each

// Of the 16 bytes at `at`: bit i is set where the i-th is a quote or a backslash.
std::uint32_t quotes_and_slashes(const char* at) {
#ifdef __SSE2__
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  const __m128i found = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')),
                                     _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(found));
#else
  std::uint32_t bits = 0;
  for (unsigned i = 0; i < 16; ++i) bits |= (at[i] == '"' || at[i] == '\\' ? 1u : 0u) << i;
  return bits;
#endif
}

// What numbers and words are made of. Anything else makes the walker look.
constexpr std::array<bool, 256> kScalar = [] {
  std::array<bool, 256> scalar{};
  for (unsigned c = 0; c < 128; ++c) {
    scalar[c] = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                c == '-' || c == '+' || c == '.';
  }
  return scalar;
}();

// Where a scan stands. Each step returns false where the walker has to look; what a step reads
// behind limit_ is readable, and is never taken for part of an event, as the end is checked.
class Scan {
 public:
  Scan(const char* at, const char* limit) : at_(at), limit_(limit) {}

  const char* at() const { return at_; }
  char here() const { return *at_; }
  void step() { ++at_; }

  void skip_blanks() {
    while (is_blank(*at_) && at_ < limit_) ++at_;
  }

  // From behind the opening quote to behind the closing one.
  bool string() {
    while (at_ < limit_) {
      const std::uint32_t found = quotes_and_slashes(at_);
      if (found == 0) {
        at_ += 16;
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
    const char* const begin = at_;
    while (kScalar[static_cast<unsigned char>(*at_)] && at_ < limit_) ++at_;
    return at_ != begin;
  }

  // A string or a scalar.
  bool plain_value() {
    if (*at_ != '"') return scalar();
    ++at_;
    return string();
  }

  bool colon() {
    skip_blanks();
    if (*at_ != ':') return false;
    ++at_;
    skip_blanks();
    return true;
  }

  // An object or an array, to behind its closing bracket. By the grammar, as the walker does it; a
  // comma before a closing bracket is forgiven.
  bool nested();

 private:
  const char* at_;
  const char* limit_;
};

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

}  // namespace

bool scan_event(const char* text, std::uint32_t size, RawEvent& out) {
  const char* const limit = text + size;
  const auto place = [text](const char* at) { return static_cast<std::uint32_t>(at - text); };
  Scan scan(text + 1, limit);
  out.present = 0;
  out.begin = 0;
  while (true) {
    scan.skip_blanks();
    if (scan.here() != '"') {
      if (scan.here() == '}') break;  // an empty event, or a trailing comma
      return false;
    }
    scan.step();
    const Key key = key_at(scan.at());
    if (key != Key::other) {
      scan = Scan(scan.at() + key_length(key) + 1, limit);
    } else {
      const char* const begin = scan.at();
      if (!scan.string()) return false;
      if (std::memchr(begin, '\\', static_cast<std::size_t>(scan.at() - begin)) != nullptr) {
        return false;
      }
    }
    if (!scan.colon()) return false;
    const std::uint32_t begin = place(scan.at());
    const bool read = scan.here() == '{' || scan.here() == '[' ? scan.nested() : scan.plain_value();
    if (!read) return false;
    out.values[index(key)] = {begin, place(scan.at())};
    out.present |= 1u << index(key);
    scan.skip_blanks();
    if (scan.here() == '}') break;
    if (scan.here() != ',') return false;
    scan.step();
  }
  scan.step();
  out.end = place(scan.at());
  return out.end <= size;
}

}  // namespace cinderscope::google_json
