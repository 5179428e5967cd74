#include "formats/qubership/stream_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "formats/qubership/wire_cursor.h"

namespace cinderscope::qubership {
namespace {

// Of a place in a split store; 16 TiB for each stream.
constexpr int kSlotShift = 44;
static_assert(kStreams <= 16);  // places fit into 48 bits
constexpr std::uint64_t kMostStreamBytes = std::uint64_t{1} << 39;
// Less is set aside for each where addresses are scarce: a limit, the thread sanitizer.
constexpr std::uint64_t kLeastStreamBytes = std::uint64_t{1} << 34;

// Whether files of that stream and index lie before it.
bool behind(const std::pair<Stream, std::uint32_t>& key, const StreamFile& file) {
  return key < std::pair(file.stream, file.index);
}

}  // namespace

Result<StreamStore> StreamStore::create(double disk_share) {
  StreamStore store(disk_share, false);
  if (const Status made = store.make_content(0, TemporaryFile::kMostBytes); !made) {
    return made.error();
  }
  return store;
}

Result<StreamStore> StreamStore::create_split(double disk_share) {
  for (std::uint64_t bytes = kMostStreamBytes; bytes >= kLeastStreamBytes; bytes /= 2) {
    StreamStore store(disk_share, true);
    const Result<bool> made = store.make_split(bytes);
    if (!made) return made.error();
    if (*made) return store;
  }
  return Error{.code = ErrorCode::no_memory, .text = "The space for addresses is scarce."};
}

Result<bool> StreamStore::make_split(std::uint64_t stream_bytes) {
  for (const StreamName& known : kStreamNames) {
    const std::size_t slot = slot_of(known.stream);
    if (known.stream == Stream::gc || contents_[slot]) continue;
    if (const Status made = make_content(slot, stream_bytes); !made) return made.error();
    if (contents_[slot]->reserved_bytes() < stream_bytes) return false;
  }
  return true;
}

Status StreamStore::make_content(std::size_t slot, std::uint64_t most_bytes) {
  Result<std::unique_ptr<GrowingFile>> file = GrowingFile::create(disk_share_, most_bytes);
  if (!file) return file.error();
  contents_[slot] = std::move(*file);
  return ok();
}

std::uint64_t StreamStore::size_bytes() const {
  std::uint64_t sum = 0;
  for (const auto& content : contents_) sum += content ? content->wait_for(0).size() : 0;
  return sum;
}

std::uint64_t StreamStore::place_in(std::size_t slot) const {
  const std::uint64_t size_bytes = contents_[slot] ? contents_[slot]->wait_for(0).size() : 0;
  return (std::uint64_t{slot} << kSlotShift) + size_bytes;
}

RecordOffset StreamStore::end_place() const {
  return split_ ? std::uint64_t{kStreams} << kSlotShift : place_in(0);
}

void StreamStore::begin(Stream stream, std::uint32_t index, std::string name) {
  const std::uint64_t place = place_in(slot_of(stream));
  const auto at = std::upper_bound(files_.begin(), files_.end(), std::pair(stream, index), behind);
  current_ = static_cast<std::size_t>(at - files_.begin());
  files_.insert(at, {stream, index, place, place, std::move(name)});
}

void StreamStore::append(std::span<const std::byte> bytes, Diagnostics& problems) {
  StreamFile& file = files_[current_];
  const std::size_t slot = slot_of(file.stream);
  if (!contents_[slot]) return;
  GrowingFile& content = *contents_[slot];
  if (split_) content.note_elsewhere(size_bytes() - content.wait_for(0).size());
  const bool was_whole = content.trouble().by_code().empty();
  static_cast<void>(content.append(bytes));
  file.end = place_in(slot);
  if (was_whole) problems.merge(content.trouble(), file.name);
}

void StreamStore::add(Stream stream, std::uint32_t index, std::string name,
                      std::span<const std::byte> bytes, BlockForm form, Diagnostics& problems) {
  begin(stream, index, std::move(name));
  const bool blocked =
      has_blocks(stream) && (form == BlockForm::blocks || looks_blocked(stream, bytes));
  if (!blocked) append(bytes, problems);
  BlockLengths lengths;
  if (blocked) lengths.take(bytes, [&](auto part) { append(part, problems); });
  report_lengths(lengths, current(), problems);
}

void report_lengths(const BlockLengths& lengths, const StreamFile& file, Diagnostics& problems) {
  if (!lengths.damaged() && !lengths.within_length()) return;
  report(problems, lengths.damaged() ? diagnostic::kDataDamaged : diagnostic::kTruncated, file,
         lengths.length_at(), "a block's length cannot be right; what follows it was left out.");
}

std::span<const std::byte> StreamStore::bytes(const StreamFile& file) const {
  const std::size_t slot = slot_of(file.stream);
  if (!contents_[slot]) return {};
  return contents_[slot]->wait_for(0).subspan(
      static_cast<std::size_t>(file.begin - (std::uint64_t{slot} << kSlotShift)),
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
  const auto after =
      std::upper_bound(files_.begin(), files_.end(), std::pair(stream, index), behind);
  if (after == files_.begin()) return nullptr;
  const StreamFile& file = *std::prev(after);
  return file.stream == stream && file.index == index ? &file : nullptr;
}

const StreamFile* StreamStore::last(Stream stream) const {
  const auto after =
      std::upper_bound(files_.begin(), files_.end(), std::pair(stream, UINT32_MAX), behind);
  const bool there = after != files_.begin() && std::prev(after)->stream == stream;
  return there ? &*std::prev(after) : nullptr;
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
