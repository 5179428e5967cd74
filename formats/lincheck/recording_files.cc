#include "formats/lincheck/recording_files.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "formats/lincheck/java_reader.h"
#include "formats/lincheck/lincheck_wire.h"

namespace cinderscope::lincheck {

Result<std::int64_t> version_of(std::span<const std::byte> head) {
  JavaReader in(head);
  const auto magic = static_cast<std::uint64_t>(in.i64());
  const std::int64_t version = in.i64();
  if (in.cut()) {
    return Error{ErrorCode::damaged, "The trace ends within its header.",
                 "A Lincheck trace begins with 16 bytes; was the recording or the copy cut?",
                 static_cast<std::int64_t>(head.size())};
  }
  if (magic != kMagic) {
    return Error{ErrorCode::damaged, "The data do not begin as a Lincheck trace does.", {}, 0};
  }
  if (version < kOldestVersion || version > kNewestVersion) {
    return Error{ErrorCode::damaged, fmt::format("This Lincheck trace is of version {}.", version),
                 fmt::format("Versions {} to {} can be read.", kOldestVersion, kNewestVersion),
                 sizeof kMagic};
  }
  return version;
}

Status RecordingFiles::open(const std::function<bool(std::uint64_t)>& tick) {
  if (!is_packed_trace(input_)) {
    find_index();
    return ok();
  }
  Result<PackedTrace> unpacked = unpack_trace(input_, tick);
  if (!unpacked) return unpacked.error();
  packed_.emplace(std::move(*unpacked));
  index_wanted_ = true;
  index_name_ = "trace.idx";
  return ok();
}

void RecordingFiles::find_index() {
  if (input_.path().empty()) return;
  index_wanted_ = true;
  index_name_ = std::string(input_.name()) + ".idx";
  // A packed copy may lie beside the index of the plain file.
  for (const std::string_view ending : {"", ".gz", ".zst", ".lz4"}) {
    if (!input_.name().ends_with(ending)) continue;
    const std::string_view stem = input_.name().substr(0, input_.name().size() - ending.size());
    Result<Input> found = input_.companion(std::string(stem) + ".idx");
    if (!found || found->is_folder()) continue;
    index_.emplace(std::move(*found));
    return;
  }
}

std::span<const std::byte> RecordingFiles::data(std::uint64_t wanted) const {
  if (packed_) return packed_->data->wait_for(wanted);
  const std::lock_guard lock(pin_mutex_);
  if (pin_.size() >= wanted) return pin_.bytes();
  // All that is there: objects that calls name may lie anywhere in the file.
  const std::uint64_t there = input_.wait_for(wanted);
  if (there == pin_.size()) return pin_.bytes();
  if (Result<Pin> pin = input_.pin(0, there)) pin_ = std::move(*pin);
  return pin_.bytes();
}

std::optional<std::span<const std::byte>> RecordingFiles::index_bytes() const {
  if (packed_ && packed_->index) return packed_->index->wait_for(UINT64_MAX);
  if (!index_) return std::nullopt;
  const std::lock_guard lock(pin_mutex_);
  if (index_pin_.size() == 0) {
    Result<Pin> pin = index_->pin_all();
    if (!pin) return std::nullopt;
    index_pin_ = std::move(*pin);
  }
  return index_pin_.bytes();
}

}  // namespace cinderscope::lincheck
