// What a sequence interns, epoch by epoch: where each entry lies, so that records can be read
// again.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/perfetto/wire/packet_bytes.h"

namespace cinderscope {
class FieldReader;
class FieldWriter;
}  // namespace cinderscope

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
  kBuildIds = 16,
  kMappingPaths = 17,
  kMappings = 19,
  kLogBodies = 20,
  kHistogramNames = 25,
  kValueTypeNames = 27,
  kAnnotationTexts = 29,
  kCorrelationTexts = 43,
  kTaskContexts = 2000,  // of samples
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
  // False if the iid has an entry already, which stays. Fields from kLastField on are left out.
  bool add(std::uint32_t field, std::uint64_t iid, std::uint64_t address) {
    if (field > kLastField) return true;
    return open_.try_emplace({iid, field}, address).second;
  }
  void close();  // no more comes
  // For a prepared copy of the trace.
  void save(cinderscope::FieldWriter& out) const;
  void restore(cinderscope::FieldReader& in);
  bool empty() const { return places_.empty() && open_.empty(); }
  // The address of the entry; none if there is none that lies before `before`.
  std::optional<std::uint64_t> find(std::uint32_t field, std::uint64_t iid,
                                    std::uint64_t before) const;
  std::size_t kept_bytes() const { return places_.capacity() * sizeof(Place); }

  static constexpr std::uint32_t kLastField = 4095;

 private:
  struct Key {
    std::uint64_t iid = 0;
    std::uint32_t field = 0;
    bool operator==(const Key&) const = default;
  };
  struct HashKey {
    std::size_t operator()(const Key& key) const {
      return static_cast<std::size_t>((key.iid * 64 + key.field) * 0x9e3779b97f4a7c15u);
    }
  };
  struct Place {
    std::uint64_t iid = 0;
    std::uint64_t field_and_address = 0;  // the address of the entry's field in the low bits

    std::uint64_t field() const { return field_and_address >> kAddressBits; }
    std::uint64_t address() const {
      return field_and_address & ((std::uint64_t{1} << kAddressBits) - 1);
    }
  };
  static constexpr unsigned kAddressBits = 52;

  std::unordered_map<Key, std::uint64_t, HashKey> open_;  // addresses, until it is closed
  std::vector<Place> places_;                             // then: by iid and field
};

struct Epoch {
  std::uint64_t begin = 0;  // address of its first packet
  InternedPlaces places;
  // Packets that bring other defaults, or take those that were away.
  std::vector<std::uint64_t> defaults_at;
};

}  // namespace cinderscope::perfetto
