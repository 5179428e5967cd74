#include "formats/qubership/stream_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "formats/qubership/block_lengths.h"
#include "formats/qubership/wire_cursor.h"

namespace cinderscope::qubership {
namespace {

std::uint64_t key_of(Stream stream, std::uint32_t index) {
  return static_cast<std::uint64_t>(stream) << 32 | index;
}

}  // namespace

Result<StreamStore> StreamStore::create(double disk_share) {
  Result<std::unique_ptr<GrowingFile>> file = GrowingFile::create(disk_share);
  if (!file) return file.error();
  return StreamStore(std::move(*file));
}

void StreamStore::begin(Stream stream, std::uint32_t index, std::string name) {
  last_of_[key_of(stream, index)] = files_.size();
  files_.push_back({stream, index, size_, size_, std::move(name)});
}

void StreamStore::append(std::span<const std::byte> bytes, Diagnostics& problems) {
  const bool was_whole = file_->trouble().by_code().empty();
  static_cast<void>(file_->append(bytes));
  size_ = file_->wait_for(0).size();
  if (was_whole) problems.merge(file_->trouble(), files_.back().name);
}

void StreamStore::add(Stream stream, std::uint32_t index, std::string name,
                      std::span<const std::byte> bytes, BlockForm form, Diagnostics& problems) {
  begin(stream, index, std::move(name));
  const bool blocked =
      has_blocks(stream) && (form == BlockForm::blocks || looks_blocked(stream, bytes));
  if (!blocked) append(bytes, problems);
  BlockLengths lengths;
  if (blocked) lengths.take(bytes, [&](auto part) { append(part, problems); });
  if (lengths.damaged() || lengths.within_length()) {
    report(problems, lengths.damaged() ? diagnostic::kDataDamaged : diagnostic::kTruncated,
           files_.back(), lengths.length_at(),
           "a block's length cannot be right; what follows it was left out.");
  }
  end();
}

std::span<const std::byte> StreamStore::bytes(const StreamFile& file) const {
  return file_->wait_for(0).subspan(static_cast<std::size_t>(file.begin),
                                    static_cast<std::size_t>(file.size()));
}

const StreamFile* StreamStore::file_at(RecordOffset place) const {
  const auto after = std::ranges::upper_bound(files_, place, {}, &StreamFile::begin);
  if (after == files_.begin()) return nullptr;
  // Empty files share their place with the one that follows them.
  const StreamFile& file = *std::prev(after);
  return place < file.end ? &file : nullptr;
}

const StreamFile* StreamStore::find(Stream stream, std::uint32_t index) const {
  const auto found = last_of_.find(key_of(stream, index));
  return found == last_of_.end() ? nullptr : &files_[found->second];
}

bool looks_blocked(Stream stream, std::span<const std::byte> bytes) {
  WireCursor in(bytes);
  const std::uint32_t length = in.u32();
  if (in.cut() || length == 0 || length > kMostBlockBytes) return false;
  if (stream != Stream::suspend) return true;
  // A time of this age begins with 00 00 01 and looks like a length: where is it?
  constexpr std::uint32_t kTimeStart = 0x000001;
  return in.u32() >> 8 == kTimeStart;
}

void report(Diagnostics& out, const DiagnosticKind& kind, const StreamFile& file, std::uint64_t at,
            std::string_view what, std::uint64_t cases) {
  if (cases == 0) return;
  out.count(kind, static_cast<std::int64_t>(at), fmt::format("{}: {}", file.name, what), cases);
}

}  // namespace cinderscope::qubership
