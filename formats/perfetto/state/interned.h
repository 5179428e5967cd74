// What a sequence interns, epoch by epoch: where each entry lies, so that records can be read
// again.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/perfetto/wire/packet_bytes.h"

namespace cinderscope::perfetto {

// Fields of interned_data.
enum : std::uint32_t {
  kEventCategories = 1,
  kEventNames = 2,
  kAnnotationNames = 3,
  kSourceLocations = 4,
  kFunctionNames = 5,
  kFrames = 6,
  kCallstacks = 7,
  kMappingPaths = 17,
  kMappings = 19,
  kLogBodies = 20,
  kHistogramNames = 25,
  kValueTypeNames = 27,
  kAnnotationTexts = 29,
  kCorrelationTexts = 43,
};

struct InternedEntry {
  std::uint32_t field = 0;
  std::uint64_t iid = 0;
  std::string_view text;   // field 2 of the entry, if it is bytes
  std::string_view whole;  // the entry
};
InternedEntry read_interned(std::uint32_t field, std::string_view entry);

// The entries of one epoch. iids are small in what recorders write, and may be any number.
class InternedPlaces {
 public:
  struct Place {
    std::uint64_t key = 0;      // key(field, iid)
    std::uint64_t address = 0;  // of the entry's field
  };
  static constexpr std::uint64_t kMostIid = std::uint64_t{1} << 56;
  static std::uint64_t key(std::uint32_t field, std::uint64_t iid) {
    return std::uint64_t{field} << 57 | iid;
  }

  // The first one of an iid stays.
  void add(std::uint32_t field, std::uint64_t iid, std::uint64_t address) {
    open_.try_emplace(key(field, iid), address);
  }
  void close();  // no more comes
  bool empty() const { return places_.empty() && open_.empty(); }
  // The address of the entry; none if there is none that lies before `before`.
  std::optional<std::uint64_t> find(std::uint32_t field, std::uint64_t iid,
                                    std::uint64_t before) const;
  std::size_t kept_bytes() const { return places_.capacity() * sizeof(Place); }

 private:
  std::unordered_map<std::uint64_t, std::uint64_t> open_;  // until it is closed
  std::vector<Place> places_;                              // then: sorted
};

struct Epoch {
  std::uint64_t begin = 0;  // address of its first packet
  InternedPlaces places;
};

}  // namespace cinderscope::perfetto
