// What the calls of a laid out profile are made of: lines, addresses, labels of their samples.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/pprof/frame_table.h"
#include "ingest/build/profile/frame_paths.h"
#include "ingest/build/profile/weight_layout.h"
#include "ingest/model/record_text.h"

namespace cinderscope {
class FieldReader;
class FieldWriter;
}  // namespace cinderscope

namespace cinderscope::pprof {

// A label as samples have it: a text, or a number with its unit.
struct SampleLabel {
  std::uint32_t key = 0;  // of CallDetails::keys
  std::string value;
};

class CallDetails {
 public:
  // While samples are read.
  std::uint32_t label(std::uint32_t key, std::string_view value);
  std::uint32_t key(std::string_view name);
  void labelled(std::uint32_t call, std::uint32_t label, std::int64_t weight) {
    marks_.push_back({call, label, weight});
  }

  // Once all are read.
  void finish(const CallTree& tree, CallWeights weights, FrameUses uses,
              std::vector<FrameOfLocation> frames);

  // For a prepared copy of the trace; of the same tables.
  void save(FieldWriter& out) const;
  void restore(FieldReader& in, const ProfileTables& tables);

  std::size_t calls() const { return weights_.calls(); }
  const std::vector<std::string>& keys() const { return keys_; }
  RecordText describe(std::uint32_t call, const ProfileTables& tables) const;
  std::uint64_t own_bytes() const;

 private:
  struct Mark {  // of a label, on samples that end in a call
    std::uint32_t call = 0, label = 0;
    std::int64_t weight = 0;
  };
  void add_places(std::uint32_t call, const ProfileTables& tables, RecordText& out) const;
  void add_labels(std::uint32_t call, RecordText& out) const;

  CallWeights weights_;
  std::vector<FrameOfLocation> frames_;  // by number
  FrameUses uses_;
  std::vector<std::string> keys_;
  std::vector<SampleLabel> labels_;
  std::unordered_map<std::string, std::uint32_t> label_ids_, key_ids_;
  // Calls in an order in which all that lies in one follows it: marks are sorted by it.
  std::vector<std::uint32_t> order_, last_in_;
  std::vector<Mark> marks_;
};

}  // namespace cinderscope::pprof
