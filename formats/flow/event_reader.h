// EventReader: reads the events of one file of a Flow trace, in any of the layouts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "formats/flow/lane.h"
#include "formats/flow/method_table.h"
#include "ingest/base/diagnostics.h"
#include "ingest/input/pin.h"

namespace cinderscope::flow {

enum class Layout : std::uint8_t {
  empty,           // no byte: the thread's buffer never reached the disk
  binary,          // the current one
  json,            // a JSON object a line
  invocation_ids,  // one file for all threads, whose enters are numbered
  name_ids,        // one file for all threads, whose enters are not
};

// For `info`: "binary", "json lines", ...
std::string_view layout_text(Layout layout);

// The layout by the first bytes of a file; both single-file layouts come out as `name_ids` (see
// layout_of). nullopt for what is no Flow trace.
std::optional<Layout> layout_of_head(std::span<const std::byte> head);

// Which of the two single-file layouts a whole file has (section 5): in `invocation_ids` the k-th
// enter carries the number k. May look at all of the bytes.
Layout layout_of(std::span<const std::byte> bytes);

// Threads come up while a file is read: by the id that an event gives, or the file's own (empty).
using OpenLane = std::function<TrackWriter&(std::string_view tid)>;

class EventReader {
 public:
  virtual ~EventReader() = default;

  // Reads what lies in [at, end) of the file, of which `bytes` are those from `at` or before on;
  // `last`: nothing follows them. Returns where the first event begins that was not read: near the
  // end, or anywhere once over() is true. The next call goes on from there.
  virtual std::uint64_t read(const Pin& bytes, std::uint64_t at, std::uint64_t end, bool last) = 0;
  bool over() const { return over_; }  // damaged: reading on makes no sense

  void finish();  // once, after the last byte
  std::uint64_t records() const;
  std::uint64_t unknown_calls() const { return unknown_calls_; }
  const Diagnostics& diagnostics() const { return diagnostics_; }

 protected:
  EventReader(MethodTable& methods, OpenLane open_lane)
      : methods_(methods), cache_(methods), open_lane_(std::move(open_lane)) {}

  Lane& lane(std::string_view tid);
  // A method by its id; those that the mapping does not have are counted.
  MethodRef method(std::uint64_t id) {
    const MethodRef found = cache_.of_id(id);
    unknown_calls_ += found.record >= methods_.mapped_count() ? 1 : 0;
    return found;
  }
  void cut(std::uint64_t offset, std::uint64_t size_bytes);
  void damaged(std::uint64_t offset, std::string_view what);

  MethodTable& methods_;
  Diagnostics diagnostics_;

 private:
  MethodCache cache_;
  OpenLane open_lane_;
  std::deque<Lane> lanes_;
  std::unordered_map<std::string, Lane*> by_tid_;
  std::uint64_t unknown_calls_ = 0;
  bool over_ = false;
};

// For a file of that layout. `methods` must outlive it.
std::unique_ptr<EventReader> make_reader(Layout layout, MethodTable& methods, OpenLane open_lane);
std::unique_ptr<EventReader> make_binary_reader(MethodTable& methods, OpenLane open_lane);
std::unique_ptr<EventReader> make_json_reader(MethodTable& methods, OpenLane open_lane);
std::unique_ptr<EventReader> make_old_reader(Layout layout, MethodTable& methods,
                                             OpenLane open_lane);

}  // namespace cinderscope::flow
