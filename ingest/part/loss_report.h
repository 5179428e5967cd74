// What could not be written in a format, counted by kind.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/model/ids.h"

namespace cinderscope {

class JsonWriter;

// A kind of loss; defined as constants, compared by word.
struct LossKind {
  std::string_view word;      // for scripts: "instants"
  std::string_view singular;  // "1 instant"
  std::string_view plural;    // "6 644 instants"
  // What happened instead of being left out: "arguments of {} were cut". Empty: left out.
  std::string_view sentence = {};  // {} is the number with its word
};

namespace loss {
inline constexpr LossKind kInstants{"instants", "instant", "instants"};
inline constexpr LossKind kCounters{"counter_values", "counter value", "counter values"};
inline constexpr LossKind kFlows{"flows", "flow", "flows"};
// Arrows of which one end lies outside of the range.
inline constexpr LossKind kFlowEnds{"flow_ends", "arrow without both ends",
                                    "arrows without both ends"};
inline constexpr LossKind kAsync{"async_slices", "async slice", "async slices"};
inline constexpr LossKind kSteps{"async_steps", "async step", "async steps"};
inline constexpr LossKind kLifetimes{"lifetimes", "lifetime", "lifetimes"};
inline constexpr LossKind kSamples{"samples", "sampled slice", "sampled slices"};
inline constexpr LossKind kPauses{"pauses", "pause", "pauses"};
inline constexpr LossKind kArguments{"arguments", "slice's arguments", "slices' arguments"};
inline constexpr LossKind kCategories{"categories", "category", "categories"};
inline constexpr LossKind kCutArguments{"cut_arguments", "slice", "slices",
                                        "arguments of {} were cut"};
inline constexpr LossKind kCutNames{"cut_names", "name", "names", "{} were cut"};
inline constexpr LossKind kNotUtf8{"not_utf8", "text", "texts", "{} were no UTF-8"};
inline constexpr LossKind kClock{"clock", "clock", "clock", "times count from 0"};
inline constexpr LossKind kOrder{"order", "order of threads", "orders of threads"};
}  // namespace loss

class LossReport {
 public:
  struct Lost {
    LossKind kind;
    std::uint64_t count = 0;
    RecordOffset first_offset = kNoRecord;  // of the first one, where it is known
  };

  void count(const LossKind& kind, std::uint64_t count = 1, RecordOffset offset = kNoRecord);
  void count_written_slice(bool cut) { ++slices_, cut_slices_ += cut ? 1 : 0; }
  void add_slices(std::uint64_t count) { slices_ += count; }          // that were written whole
  void count_written(const LossKind& kind, std::uint64_t count = 1);  // what is no slice
  // What is worth knowing although nothing is lost; each once.
  void remark(std::string_view text);
  void add(const LossReport& more);

  std::uint64_t slices() const { return slices_; }
  std::uint64_t cut_slices() const { return cut_slices_; }
  const std::vector<Lost>& lost() const { return lost_; }        // by the order of their first case
  const std::vector<Lost>& written() const { return written_; }  // beside slices
  const std::vector<std::string>& remarks() const { return remarks_; }
  bool anything_written() const { return slices_ > 0 || !written_.empty(); }

  // "87 469 slices written. Not in game.spall: 6 644 instants, 7 599 flows; arguments of 12 slices
  // were cut."
  std::string sentence(std::string_view file_name) const;
  // "Not in game.spall: 6 644 instants." Empty where nothing is lost.
  std::string lost_sentence(std::string_view file_name) const;
  void write_json(JsonWriter& out) const;

 private:
  std::uint64_t slices_ = 0, cut_slices_ = 0;
  std::vector<Lost> written_, lost_;
  std::vector<std::string> remarks_;
};

}  // namespace cinderscope
