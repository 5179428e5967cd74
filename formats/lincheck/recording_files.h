// The files of a Lincheck recording: its data and the index beside them, packed or not.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "formats/lincheck/packed_trace.h"
#include "ingest/base/result.h"
#include "ingest/input/input.h"

namespace cinderscope::lincheck {

// Magic and version at the beginning of a data file: the version, or what is wrong with them.
Result<std::int64_t> version_of(std::span<const std::byte> head);

class RecordingFiles {
 public:
  explicit RecordingFiles(Input input) : input_(std::move(input)) {}  // data, or a packed trace

  // Unpacks a packed trace, or looks for the index. `tick` gets the bytes done; false ends early.
  Status open(const std::function<bool(std::uint64_t)>& tick);

  const Input& input() const { return input_; }
  const PackedTrace* packed() const { return packed_ ? &*packed_ : nullptr; }
  bool complete() const { return packed_ || input_.complete(); }  // how long the data are is known

  // All bytes of the data, or of the index, that are there; of the data at least `wanted` unless
  // they end before. Any thread. They stay as long as this does once all have come, those of a
  // stream that still comes until the next call.
  std::span<const std::byte> data(std::uint64_t wanted) const;
  std::optional<std::span<const std::byte>> index_bytes() const;  // none: there is no index

  bool index_is_wanted() const { return index_wanted_; }  // there is a place where it should be
  const std::string& index_name() const { return index_name_; }
  bool can_write_index() const { return !packed_ && !input_.path().empty(); }

 private:
  void find_index();

  Input input_;
  std::optional<PackedTrace> packed_;
  std::optional<Input> index_;    // of a data file
  mutable std::mutex pin_mutex_;  // over the next
  mutable Pin pin_, index_pin_;   // of input_ and index_
  bool index_wanted_ = false;
  std::string index_name_;
};

}  // namespace cinderscope::lincheck
