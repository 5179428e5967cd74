// What a sequence interns, epoch by epoch: where each entry lies, so that records can be read
// again.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
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

// How far a table of iids may reach that has so many entries: twice as far as those that count up
// need. A file can name any number, and each of them asks for as much memory as lies before it.
constexpr std::uint64_t table_room(std::uint64_t entries) {
  return 64 + 2 * entries;
}

// The entries of one epoch. iids are small in what recorders write, and may be any number.
class InternedPlaces {
 public:
  // False if the iid has an entry already, which stays. Fields from kLastField on are left out.
  bool add(std::uint32_t field, std::uint64_t iid, std::uint64_t address);
  void close();  // no more comes
  // For a prepared copy of the trace, once closed: the entries by address, as they were added.
  void save(cinderscope::FieldWriter& out) const;
  void restore(cinderscope::FieldReader& in);
  bool empty() const { return open_ == nullptr && closed_.empty() && far_.empty(); }
  // The address of the entry; none if there is none that lies before `before`.
  std::optional<std::uint64_t> find(std::uint32_t field, std::uint64_t iid,
                                    std::uint64_t before) const;
  std::size_t kept_bytes() const;

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
    Key key;
    std::uint64_t address = 0;
  };
  // Entries of one field with small iids.
  struct Field {
    std::uint32_t number = 0;
    std::uint32_t count = 0;
    std::vector<std::uint32_t> by_iid;  // addresses, 1 more than from base_ on; 0: none
  };
  // While entries come. There are thousands of epochs, of which a few are open.
  struct Open {
    std::vector<Field> fields;
    std::unordered_map<Key, std::uint64_t, HashKey> far;  // all others
  };

  std::optional<std::uint64_t> address_of(std::uint32_t field, std::uint64_t iid) const;
  std::span<const std::uint32_t> closed_field(std::uint32_t field) const;

  std::uint64_t base_ = 0;  // address of the first entry
  std::unique_ptr<Open> open_;
  // Then: of each field its number, how many iids it has, and what stands by these.
  std::vector<std::uint32_t> closed_;
  std::vector<Place> far_;  // by iid and field
};

struct Epoch {
  std::uint64_t begin = 0;  // address of its first packet
  InternedPlaces places;
  // Packets that bring other defaults, or take those that were away.
  std::vector<std::uint64_t> defaults_at;
};

}  // namespace cinderscope::perfetto
