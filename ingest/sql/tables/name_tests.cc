#include "ingest/sql/tables/name_tests.h"

#include <algorithm>
#include <utility>

#include "ingest/sql/tables/pattern_match.h"

namespace cinderscope {

namespace {

constexpr std::size_t kLongestPattern = 10'000;

std::string text_of(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return text == nullptr ? std::string()
                         : std::string(text, static_cast<std::size_t>(sqlite3_value_bytes(value)));
}

}  // namespace

bool is_text_test(int op) {
  return op == SQLITE_INDEX_CONSTRAINT_EQ || op == SQLITE_INDEX_CONSTRAINT_NE ||
         op == SQLITE_INDEX_CONSTRAINT_LIKE || op == SQLITE_INDEX_CONSTRAINT_GLOB ||
         op == SQLITE_INDEX_CONSTRAINT_REGEXP;
}

bool can_take_text(sqlite3_index_info& info, int i) {
  const int op = info.aConstraint[i].op;
  if (op != SQLITE_INDEX_CONSTRAINT_EQ && op != SQLITE_INDEX_CONSTRAINT_NE) return is_text_test(op);
  return std::string_view(sqlite3_vtab_collation(&info, i)) == "BINARY";
}

bool is_text_test_done(sqlite3_index_info& info, int i) {
  const int op = info.aConstraint[i].op;
  if (op != SQLITE_INDEX_CONSTRAINT_EQ && op != SQLITE_INDEX_CONSTRAINT_NE) return true;
  sqlite3_value* value = nullptr;
  return sqlite3_vtab_rhs_value(&info, i, &value) == SQLITE_OK && value != nullptr &&
         sqlite3_value_type(value) == SQLITE_TEXT;
}

std::string TextTest::set(const PlanTerm& term, sqlite3_value* value, const QueryData& data) {
  op_ = term.op;
  data_ = &data;
  const bool compares = op_ == SQLITE_INDEX_CONSTRAINT_EQ || op_ == SQLITE_INDEX_CONSTRAINT_NE;
  const auto add = [&](sqlite3_value* each) {
    const int type = sqlite3_value_type(each);
    if (type == SQLITE_NULL) return;  // nothing equals it, nothing differs from it
    if (compares && type != SQLITE_TEXT) passes_all_ = true;
    texts_.push_back(text_of(each));
  };
  if (term.list) {
    for_values(value, add);
  } else {
    add(value);
  }
  std::ranges::sort(texts_);
  if (compares || texts_.empty()) return {};
  const std::string& pattern = texts_.front();
  if (op_ != SQLITE_INDEX_CONSTRAINT_REGEXP) {
    return pattern.size() > kLongestPattern ? "LIKE or GLOB pattern too complex" : "";
  }
  return expression_.set(pattern);
}

bool TextTest::holds(std::string_view text) const {
  if (texts_.empty()) return false;
  if (passes_all_) return true;
  // SQLite's own matching ends at a NUL.
  const auto ended = [](std::string_view whole) {
    return std::string(whole.substr(0, whole.find('\0')));
  };
  switch (op_) {
    case SQLITE_INDEX_CONSTRAINT_EQ:
      return std::ranges::binary_search(texts_, text);
    case SQLITE_INDEX_CONSTRAINT_NE:
      return text != texts_.front();
    case SQLITE_INDEX_CONSTRAINT_LIKE:
      return like_matches(texts_.front(), ended(text), 0, data_->stop_flag());
    case SQLITE_INDEX_CONSTRAINT_GLOB:
      return glob_matches(texts_.front(), ended(text), data_->stop_flag());
    default:
      return expression_.matches(text, *data_);
  }
}

const std::string* TextTest::only_text() const {
  return op_ == SQLITE_INDEX_CONSTRAINT_EQ && texts_.size() == 1 && !passes_all_ ? &texts_.front()
                                                                                 : nullptr;
}

void NameTests::set(std::vector<TextTest> tests, NumberSet keys) {
  if (masks_.size() == data_.inputs().size() && tests == tests_ && keys == keys_) return;
  tests_ = std::move(tests);
  keys_ = std::move(keys);
  masks_.clear();
  masks_.resize(data_.inputs().size());
}

const NameMask& NameTests::mask(std::uint32_t input) {
  if (masks_[input] != nullptr) return *masks_[input];
  const StringPool& names = *data_.timeline(input).strings;
  std::vector<std::uint8_t> holds(names.size());
  const auto test = [&](StringId name) {
    const std::string_view text = data_.text(input, name);
    return (keys_.is_all() || keys_.holds(data_.name_key(input, name))) &&
           std::ranges::all_of(tests_, [&](const TextTest& each) { return each.holds(text); });
  };
  const std::string* only = tests_.empty() ? nullptr : tests_.front().only_text();
  // A name that was mended has U+FFFD in it, and another text in the pool.
  if (only != nullptr && only->find("\xef\xbf\xbd") == std::string::npos) {
    const std::optional<StringId> name = names.find(*only);
    if (name && index(*name) < holds.size()) holds[index(*name)] = test(*name) ? 1 : 0;
  } else {
    for (std::uint32_t i = 0; i < holds.size() && !data_.stopped(); ++i) {
      holds[i] = test(StringId{i}) ? 1 : 0;
    }
  }
  masks_[input] = std::make_unique<NameMask>(std::move(holds));
  return *masks_[input];
}

}  // namespace cinderscope
