// What the recorder's own tidying merges and drops of a tree: what compilers and tools put into it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "formats/lincheck/lookup.h"
#include "formats/lincheck/thread_walk.h"

namespace cinderscope::lincheck {

enum class Tidied : std::uint8_t {
  kept,
  dropped,  // with all that is in it
  merged,   // its only child stands in its place
};

// What becomes of a container, once all that is in it has been seen.
struct TidyDecision {
  Tidied container = Tidied::kept;
  std::uint64_t children = 0;                // that are left
  std::optional<std::size_t> dropped_child;  // an empty last iteration, by its number
};

// Goes along the stream of one thread (section 7 of the format document, "tidy"). Keeps nothing but
// the containers that are open, and what it learnt of methods, fields and variables.
class Tidy {
 public:
  explicit Tidy(const Lookup& names) : names_(names) {}

  // Coverage tools count what runs: such an access is no one's own.
  bool drops_leaf(const WalkStep& leaf);

  void leaf(const WalkStep& leaf);
  void begin(const WalkStep& container, std::size_t number);
  // Decides on the innermost open container. If it has not `ended` it is kept as it is.
  TidyDecision end(bool ended);

 private:
  // What the name of a method tells.
  struct MethodNature {
    std::string name;
    std::string merges_with;  // f of f$default and access$f
    std::string reads_field, writes_field;
    bool is_synthetic_access = false;  // access$...
    bool is_coverage = false;
  };
  struct Point {
    PointClass point = PointClass::call;
    std::int8_t diff_status = -1;
    std::int32_t first_id = 0, location = kNoId;
  };
  struct Open {
    Point self;
    std::size_t number = 0;
    std::uint64_t children = 0;
    Point last;               // of the children that are left
    std::int32_t called = 0;  // the method of a call, before it merged into `last`
    std::optional<std::size_t> empty_iteration;  // number of the last child if it is one
  };

  const MethodNature& nature_of(std::int32_t method);
  bool is_coverage_field(std::int32_t field);
  bool is_coverage_variable(std::int32_t variable);
  bool is_coverage_path(std::int32_t location);
  bool merges(const Open& call);
  bool is_accessor_of(const MethodNature& accessor, const Point& access);

  const Lookup& names_;
  std::vector<Open> open_;
  std::unordered_map<std::int32_t, MethodNature> methods_;
  std::unordered_map<std::int32_t, bool> fields_, variables_, locations_;
};

}  // namespace cinderscope::lincheck
