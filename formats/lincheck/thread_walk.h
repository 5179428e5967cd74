// Walks the stream of one thread: trace points and the ends of containers, in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "formats/lincheck/index/index_cell.h"
#include "formats/lincheck/objects.h"
#include "formats/lincheck/trace_map.h"

namespace cinderscope::lincheck {

struct WalkStep {
  bool is_footer = false;
  PointHead head;             // of a footer only `point` means something: what it closes
  std::int32_t first_id = 0;  // of a point: its method, field, variable or loop
  bool unfinished = false;    // of a footer: the recording ended inside
  std::uint64_t at = 0;       // physical, of the kind byte
  std::uint64_t body_at = 0;  // physical, behind the head of a point or the kind byte of a footer
  std::uint64_t logical = 0;  // of the first byte behind a point, of the kind byte of a footer
};

// The map must come from these bytes, so that blocks and objects are whole; where they changed
// meanwhile, or a place to start at is wrong, the walk ends early and `failed()` says so.
class ThreadWalk {
 public:
  ThreadWalk(std::span<const std::byte> data, const Layout& layout, const TraceMap& map,
             std::uint32_t thread);

  // From a place between two objects inside these containers, outermost first.
  void seek(std::uint64_t logical, std::vector<PointClass> inside);

  // False at the end of the stream. The first footer without a container of its own ends the walk,
  // too, without being failed.
  bool next(WalkStep& step);

  // After the header of a container: to the kind byte of its footer. False, and nothing done, if
  // there is no footer.
  bool jump_to_footer(std::uint64_t footer_logical);

  std::size_t depth() const { return inside_.size(); }  // containers that are open
  const std::vector<PointClass>& inside() const { return inside_; }
  std::uint64_t logical() const;  // of the next object
  std::uint64_t physical() const { return in_.at(); }
  bool failed() const { return failed_; }

 private:
  bool enter_block(std::size_t block);
  bool go_to(std::uint64_t logical);
  bool fail() {
    failed_ = true;
    return false;
  }

  std::span<const std::byte> data_;
  const Layout& layout_;
  const TraceMap& map_;
  const ThreadStream& stream_;
  std::size_t block_ = 0;  // of the stream
  JavaReader in_;
  std::vector<PointClass> inside_;
  bool failed_ = false;
};

// Where the header of a container begins (logical), of which the index gives what lies behind it:
// the event's number and the place. nullopt if there is no such header, or it is of unusual length.
std::optional<std::uint64_t> header_before(std::span<const std::byte> data, const Layout& layout,
                                           const TraceMap& map, std::uint32_t thread,
                                           const IndexCell& cell);

}  // namespace cinderscope::lincheck
