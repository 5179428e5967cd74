// The text of the search field, parsed into terms.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/model/timeline.h"
#include "ingest/search/number_range.h"
#include "ingest/search/text_match.h"

namespace cinderscope {

// The field that a term tests.
enum class TermField : std::uint8_t {
  anything,  // the name, and keys and values of the arguments
  name,
  duration,
  thread,   // its name contains it, or its id is it
  process,  // its name contains it, or its id is it
  tid,
  pid,  // the id as text
  category,
  argument,  // any argument of a key
};

// One condition: a text test or a range of numbers.
struct SearchTerm {
  TermField field = TermField::anything;
  bool negated = false;
  std::string key;                     // of an argument, in lower case; may be a dotted path
  TextMatch test;                      // of names, texts and values
  std::string text;                    // of an id, as it was written
  std::optional<NumberRange> numbers;  // of an argument's value, in place of `test`
  std::optional<TimeBounds> times;     // of durations

  // Needs the record to be read.
  bool reads_record() const { return field == TermField::category || field == TermField::argument; }
};

// All terms must hold; none: nothing is searched for.
struct SearchQuery {
  std::vector<SearchTerm> terms;

  bool empty() const { return terms.empty(); }
  // Some calls match only by their arguments.
  bool reads_records() const;
};

// `text` as typed: words between other terms are one phrase, "quoted" text as it is, ="exact name",
// /expression/ and /expression/i, key:value and -key:value on arguments, and the keys of our own:
// name, dur, thread, process, tid, pid, cat. An Error has the offset in `text` where it is wrong.
Result<SearchQuery> parse_search(std::string_view text);

// The text that searches for all calls of exactly this name, and, where given, of a duration in
// [shortest_ns, longest_ns]: `="name" dur:70.907us..4.5ms`; on the axis of events `dur:12..34`.
std::string search_text_for(std::string_view name,
                            std::optional<std::int64_t> shortest_ns = std::nullopt,
                            std::optional<std::int64_t> longest_ns = std::nullopt,
                            TimeAxis axis = TimeAxis::nanoseconds);

}  // namespace cinderscope
