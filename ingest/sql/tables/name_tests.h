// Tests of texts as SQLite does them, and which names of a trace pass: each is tested once.
#pragma once

#include <sqlite3.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/search/name_mask.h"
#include "ingest/sql/plan_terms.h"
#include "ingest/sql/query_data.h"
#include "ingest/sql/tables/regexp_match.h"

namespace cinderscope {

// Of a column of TEXT: =, <>, IN, LIKE, GLOB, REGEXP.
bool is_text_test(int op);

class TextTest {
 public:
  // What of `value` is wrong, as SQLite would say it; empty: nothing. Once the run of `data`, which
  // outlives it, is to end, no text may pass.
  std::string set(const PlanTerm& term, sqlite3_value* value, const QueryData& data);
  // SQLite has to test it, too: another column's numbers decide by its rules how they compare.
  bool passes_all() const { return passes_all_; }
  bool holds(std::string_view text) const;
  const std::string* only_text() const;  // null: several may pass

  bool operator==(const TextTest& other) const {
    return op_ == other.op_ && texts_ == other.texts_ && passes_all_ == other.passes_all_;
  }

 private:
  int op_ = 0;
  const QueryData* data_ = nullptr;
  std::vector<std::string> texts_;  // ascending
  bool passes_all_ = false;
  RegexpMatch expression_;
};

// Whether constraint `i` of a text column may be left to TextTest: comparisons are by bytes.
bool can_take_text(sqlite3_index_info& info, int i);
// And SQLite need not test it again.
bool is_text_test_done(sqlite3_index_info& info, int i);

// Masks of the names that pass all tests and whose keys are in the set; kept while they are asked
// for again, as inner loops of a join do.
class NameTests {
 public:
  explicit NameTests(const QueryData& data) : data_(data) {}

  void set(std::vector<TextTest> tests, NumberSet keys);
  bool any() const { return !tests_.empty() || !keys_.is_all(); }
  const NameMask& mask(std::uint32_t input);

 private:
  const QueryData& data_;
  std::vector<TextTest> tests_;
  NumberSet keys_;
  std::vector<std::unique_ptr<NameMask>> masks_;  // by input
};

}  // namespace cinderscope
