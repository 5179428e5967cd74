// SQLite asks whether a run is cancelled between its own steps, and a call is one step, however
// long its texts are. Most functions take a time that grows with the texts, which
// SQLITE_LIMIT_LENGTH bounds. These either take its square, or could stand in a statement so many
// times that together they take too long without asking for memory, which nobody is given once the
// run is cancelled.
#include "ingest/sql/functions/text_functions.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <new>
#include <set>
#include <string>
#include <string_view>

#include "ingest/sql/sql_table.h"
#include "ingest/sql/tables/pattern_match.h"

namespace cinderscope {
namespace {

using TextValues = sqlite3_value**;

constexpr std::size_t kBytesBetweenLooks = 1u << 16;
constexpr std::size_t kLongestLikePattern = 10'000;  // as the limit of the connection
constexpr std::uint64_t kFewComparisons = 1u << 24;

const std::atomic<bool>& stop_of(sqlite3_context* context) {
  return static_cast<const QueryData*>(sqlite3_user_data(context))->stop_flag();
}

std::string_view bytes_of_value(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
  return text == nullptr ? std::string_view() : std::string_view(text, size);
}

bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

// Finds a text again and again. Where both are long, windows are told apart by a hash of theirs
// first: else each would have to be compared with all of the text that is looked for.
class TextFinder {
 public:
  TextFinder(std::string_view text, std::string_view wanted, const std::atomic<bool>& stop)
      : text_(text), wanted_(wanted), stop_(stop) {
    is_short_ = wanted.empty() || std::uint64_t{text.size()} * wanted.size() <= kFewComparisons;
    if (is_short_ || wanted.size() > text.size()) return;
    for (const char c : wanted) wanted_hash_ = with(wanted_hash_, c);
    for (std::size_t i = 1; i < wanted.size(); ++i) first_weight_ *= kBase;
  }

  // The first place from `at` on; npos: there is none, or the run is cancelled.
  std::size_t find(std::size_t at) {
    if (is_short_) return text_.find(wanted_, at);
    if (at > text_.size() || wanted_.size() > text_.size() - at) return std::string_view::npos;
    std::uint64_t hash = 0;
    for (const char c : text_.substr(at, wanted_.size())) hash = with(hash, c);
    for (;; ++at) {
      if (at % kBytesBetweenLooks == 0 && stop_) return std::string_view::npos;
      if (hash == wanted_hash_) {
        if (stop_) return std::string_view::npos;
        if (text_.substr(at, wanted_.size()) == wanted_) return at;
      }
      if (at + wanted_.size() == text_.size()) return std::string_view::npos;
      hash -= first_weight_ * value_of(text_[at]);
      hash = with(hash, text_[at + wanted_.size()]);
    }
  }

 private:
  // Odd, so that nothing falls out at the top soon.
  static constexpr std::uint64_t kBase = 0x9e3779b97f4a7c15;
  static std::uint64_t value_of(char c) { return static_cast<unsigned char>(c) + 1u; }
  static std::uint64_t with(std::uint64_t hash, char c) { return hash * kBase + value_of(c); }

  std::string_view text_, wanted_;
  const std::atomic<bool>& stop_;
  bool is_short_ = false;
  std::uint64_t wanted_hash_ = 0, first_weight_ = 1;
};

// A byte that goes on with a character counts where there is none to go on with.
std::int64_t length_of(std::string_view text, const std::atomic<bool>& stop) {
  std::int64_t count = 0;
  bool in_character = false;
  for (std::size_t at = 0; at < text.size() && !stop; at += kBytesBetweenLooks) {
    for (const char c : text.substr(at, kBytesBetweenLooks)) {
      const bool goes_on = continues(c) && in_character;
      in_character = goes_on || static_cast<unsigned char>(c) >= 0xc0;
      count += goes_on ? 0 : 1;
    }
  }
  return count;
}

void instr(sqlite3_context* out, int, TextValues values) {
  const bool are_blobs =
      sqlite3_value_type(values[0]) == SQLITE_BLOB && sqlite3_value_type(values[1]) == SQLITE_BLOB;
  const std::string_view text = bytes_of_value(values[0]), wanted = bytes_of_value(values[1]);
  if (wanted.empty()) return sqlite3_result_int(out, 1);
  const std::atomic<bool>& stop = stop_of(out);
  TextFinder finder(text, wanted, stop);
  std::size_t at = finder.find(0);
  // Only whole characters are compared.
  const auto is_inside = [&] { return at > 0 && at < text.size() && continues(text[at]); };
  while (!are_blobs && is_inside() && !stop) at = finder.find(at + 1);
  if (at == std::string_view::npos) return sqlite3_result_int(out, 0);
  std::int64_t place = 1;
  for (std::size_t i = 1; i <= at; ++i) {
    place += are_blobs || !continues(text[i]) ? 1 : 0;
  }
  sqlite3_result_int64(out, place);
}

// False: the result would be longer than texts may be; then that is the result.
bool fits(sqlite3_context* out, std::size_t bytes) {
  const int most = sqlite3_limit(sqlite3_context_db_handle(out), SQLITE_LIMIT_LENGTH, -1);
  if (bytes <= static_cast<std::size_t>(most)) return true;
  sqlite3_result_error_toobig(out);
  return false;
}

void give_bytes(sqlite3_context* out, std::string_view text) {
  sqlite3_result_text64(out, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void replace(sqlite3_context* out, int, TextValues values) {
  const std::string_view text = bytes_of_value(values[0]), old = bytes_of_value(values[1]);
  // Text in any case, as SQLite gives it since after 3.40.
  if (old.empty() || old.front() == '\0') return give_bytes(out, text);
  if (sqlite3_value_type(values[2]) == SQLITE_NULL) return;
  const std::string_view by = bytes_of_value(values[2]);
  TextFinder finder(text, old, stop_of(out));
  std::string made;
  std::size_t at = 0;
  for (std::size_t next = finder.find(0); next != std::string_view::npos; next = finder.find(at)) {
    if (stop_of(out)) break;
    made.append(text.substr(at, next - at)).append(by);
    at = next + old.size();
    if (!fits(out, made.size())) return;
  }
  made += text.substr(at);
  if (fits(out, made.size())) give_bytes(out, made);
}

// One character, from its first byte.
std::size_t character_bytes(std::string_view text) {
  std::size_t bytes = 1;
  if (static_cast<unsigned char>(text.front()) < 0xc0) return bytes;
  while (bytes < text.size() && continues(text[bytes])) ++bytes;
  return bytes;
}

template <bool kLeft, bool kRight>
void trim(sqlite3_context* out, int count, TextValues values) {
  std::string_view text = bytes_of_value(values[0]);
  std::string_view taken = count == 1 ? std::string_view(" ") : bytes_of_value(values[1]);
  std::set<std::string_view, std::less<>> characters;
  for (std::size_t i = 0; !taken.empty(); ++i) {
    if (i % kBytesBetweenLooks == 0 && stop_of(out)) break;
    const std::size_t bytes = character_bytes(taken);
    characters.insert(taken.substr(0, bytes));
    taken.remove_prefix(bytes);
  }
  std::size_t i = 0;
  const auto goes_on = [&] {
    return !text.empty() && (++i % kBytesBetweenLooks != 0 || !stop_of(out));
  };
  while (kLeft && goes_on()) {
    const std::size_t bytes = character_bytes(text);
    if (!characters.contains(text.substr(0, bytes))) break;
    text.remove_prefix(bytes);
  }
  while (kRight && goes_on()) {
    std::size_t first = text.size() - 1;
    while (first > 0 && continues(text[first])) --first;
    if (!characters.contains(text.substr(first))) break;
    text.remove_suffix(text.size() - first);
  }
  give_bytes(out, text);
}

// Some builds of SQLite have it that a blob matches nothing, not even NULL.
bool is_blob_that_matches_nothing(sqlite3_value* value) {
  static const bool kNone = sqlite3_compileoption_used("LIKE_DOESNT_MATCH_BLOBS") != 0;
  return kNone && sqlite3_value_type(value) == SQLITE_BLOB;
}

// X LIKE Y is like(Y, X).
template <bool kGlob>
void match(sqlite3_context* out, int count, TextValues values) {
  const std::string pattern(bytes_of_value(values[0]));
  if (pattern.size() > kLongestLikePattern) {
    return sqlite3_result_error(out, "LIKE or GLOB pattern too complex", -1);
  }
  char32_t escape = 0;
  if (count == 3) {
    const std::string_view text = bytes_of_value(values[2]);
    if (length_of(text, stop_of(out)) != 1) {
      return sqlite3_result_error(out, "ESCAPE expression must be a single character", -1);
    }
    escape = first_character(std::string(text));
  }
  const std::string text(bytes_of_value(values[1]));
  sqlite3_result_int(out, kGlob ? glob_matches(pattern, text, stop_of(out))
                                : like_matches(pattern, text, escape, stop_of(out)));
}

void length(sqlite3_context* out, int, TextValues values) {
  switch (sqlite3_value_type(values[0])) {
    case SQLITE_TEXT: {
      const std::string_view text = bytes_of_value(values[0]);
      return sqlite3_result_int64(out, length_of(text.substr(0, text.find('\0')), stop_of(out)));
    }
    default:
      return sqlite3_result_int64(out, sqlite3_value_bytes(values[0]));
  }
}

using Work = void (*)(sqlite3_context* out, int count, TextValues values);

// NULL where an argument is. A run that was cancelled ends here.
template <Work kWork>
void call_with_texts(sqlite3_context* out, int count, TextValues values) {
  constexpr bool kMatches = kWork == match<false> || kWork == match<true>;
  if (kMatches &&
      (is_blob_that_matches_nothing(values[0]) || is_blob_that_matches_nothing(values[1]))) {
    return sqlite3_result_int(out, 0);
  }
  // What replaces nothing may be NULL.
  const int needed = kWork == replace ? 2 : count;
  for (int i = 0; i < needed; ++i) {
    if (sqlite3_value_type(values[i]) == SQLITE_NULL) return;
  }
  try {
    if (!stop_of(out)) kWork(out, count, values);
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(out);
  }
  if (stop_of(out)) sqlite3_result_error_code(out, SQLITE_INTERRUPT);
}

template <Work kWork>
void put(sqlite3* connection, QueryData& data, const char* name,
         std::initializer_list<int> counts) {
  for (const int count : counts) {
    sqlite3_create_function_v2(connection, name, count, kFunctionFlags | SQLITE_DETERMINISTIC,
                               &data, call_with_texts<kWork>, nullptr, nullptr, nullptr);
  }
}

char in_lower_case(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

int compare_in_any_case(void* of, int a_bytes, const void* a, int b_bytes, const void* b) {
  const auto& data = *static_cast<const QueryData*>(of);
  const std::string_view left(static_cast<const char*>(a), static_cast<std::size_t>(a_bytes));
  const std::string_view right(static_cast<const char*>(b), static_cast<std::size_t>(b_bytes));
  const std::size_t both = std::min(left.size(), right.size());
  for (std::size_t i = 0; i < both; ++i) {
    if (i % kBytesBetweenLooks == 0 && data.stopped()) return 0;
    const auto x = static_cast<unsigned char>(in_lower_case(left[i]));
    const auto y = static_cast<unsigned char>(in_lower_case(right[i]));
    if (x != y) return x < y ? -1 : 1;
    if (x == 0) break;  // as SQLite compares
  }
  return a_bytes < b_bytes ? -1 : a_bytes > b_bytes ? 1 : 0;
}

}  // namespace

void add_text_functions(sqlite3* connection, QueryData& data) {
  put<instr>(connection, data, "instr", {2});
  put<replace>(connection, data, "replace", {3});
  put<trim<true, true>>(connection, data, "trim", {1, 2});
  put<trim<true, false>>(connection, data, "ltrim", {1, 2});
  put<trim<false, true>>(connection, data, "rtrim", {1, 2});
  put<match<false>>(connection, data, "like", {2, 3});
  put<match<true>>(connection, data, "glob", {2});
  put<length>(connection, data, "length", {1});
  sqlite3_create_collation_v2(connection, "NOCASE", SQLITE_UTF8, &data, compare_in_any_case,
                              nullptr);
}

}  // namespace cinderscope
