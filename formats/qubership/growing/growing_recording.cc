#include "formats/qubership/growing/growing_recording.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "ingest/base/path_text.h"

namespace cinderscope::qubership {
namespace {

constexpr std::size_t kEdgeBytes = 4096, kPieceBytes = std::size_t{1} << 20;
// Fewer do not tell yet whether a stream has lengths of blocks.
constexpr std::uint64_t kTellingBytes = 8;

template <class File>
std::pair<Stream, std::uint32_t> place_of(const File& file) {
  return {file.stream, file.index};
}

// Only where a stream goes on in its last file, and in further ones.
bool may_grow(const FoundFiles& found) {
  for (std::size_t i = 0; i < found.files.size(); ++i) {
    const FoundFile& file = found.files[i];
    if (file.stream == Stream::call_ranges) return false;  // several files at a time
    if (i > 0 && place_of(found.files[i - 1]) == place_of(file)) return false;
  }
  return true;
}

}  // namespace

std::unique_ptr<GrowingRecording> GrowingRecording::create(const FoundFiles& found,
                                                           double disk_share,
                                                           const LoadFilter& keep) {
  if (!may_grow(found)) return nullptr;
  Result<StreamStore> store = StreamStore::create_split(disk_share);
  if (!store) return nullptr;
  std::unique_ptr<GrowingRecording> growing(new GrowingRecording(std::move(*store)));
  growing->keep_ = keep;
  growing->builder_->keep_only(growing->keep_);
  return growing;
}

Result<GrowingRecording::Edges> GrowingRecording::edges_of(const UniqueFd& file,
                                                           std::uint64_t size_bytes) {
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kEdgeBytes, size_bytes));
  Edges edges{std::vector<std::byte>(count), std::vector<std::byte>(count)};
  std::error_code error;
  const bool read = read_at(file, 0, edges.head, error) == count &&
                    read_at(file, size_bytes - count, edges.tail, error) == count;
  if (!read) return Error{.code = ErrorCode::cannot_read, .text = "A file became shorter."};
  return edges;
}

GrowingRecording::KnownFiles::iterator GrowingRecording::behind(const Place& place) {
  return std::ranges::upper_bound(files_, place, {},
                                  [](const auto& file) { return place_of(*file); });
}

GrowingRecording::KnownFile& GrowingRecording::add_file(const FoundFiles& found,
                                                        const FoundFile& file) {
  auto known = std::make_unique<KnownFile>();
  known->stream = file.stream;
  known->index = file.index;
  known->name = file.name;
  known->path = found.folders[file.folder].path() / path_of(file.file);
  return **files_.insert(behind(place_of(file)), std::move(known));
}

bool GrowingRecording::take(const FoundFiles& found, const FoundFile& one,
                            std::span<const std::byte> bytes, std::uint64_t packed_bytes,
                            const Diagnostics& damage, const GoOn& go_on) {
  KnownFile& file = add_file(found, one);
  if (const auto status = file_status(file.path)) file.status = *status;
  file.status.size_bytes = packed_bytes;
  std::error_code error;
  if (const UniqueFd opened = open_to_read(file.path, error)) {
    if (auto edges = edges_of(opened, packed_bytes)) file.edges = std::move(*edges);
  }
  file.content_bytes = bytes.size();
  file.blocked = has_blocks(file.stream) && looks_blocked(file.stream, bytes);
  file.damage.merge(damage, file.name);
  recording_.store.add(file.stream, file.index, file.name, bytes, BlockForm::by_content,
                       file.damage);
  return load_->take(recording_.store.current(), AtEnd::more, go_on);
}

GrowingRecording::KnownFile* GrowingRecording::last_known(Stream stream) {
  const auto next = behind({stream, UINT32_MAX});
  const bool there = next != files_.begin() && (*std::prev(next))->stream == stream;
  return there ? std::prev(next)->get() : nullptr;
}

bool GrowingRecording::read_on(const FoundFiles& found, const GoOn& go_on) {
  std::vector<const KnownFile*> grown;
  if (!may_grow(found) || !fetch(found, grown, go_on)) return false;
  std::ranges::sort(grown, {}, [](const KnownFile* file) { return place_of(*file); });
  for (const KnownFile* file : grown) {
    const StreamFile* stored = recording_.store.find(file->stream, file->index);
    if (!load_->take(*stored, AtEnd::more, go_on)) return false;
  }
  return load_->names_stay();
}

bool GrowingRecording::fetch(const FoundFiles& found, std::vector<const KnownFile*>& grown,
                             const GoOn& go_on) {
  // Sizes of traces are looked at before those of words, which are written before they are used.
  std::vector<FileStatus> now(found.files.size());
  for (std::size_t i = found.files.size(); i-- > 0;) {
    const FoundFile& one = found.files[i];
    const auto status = file_status(found.folders[one.folder].path() / path_of(one.file));
    if (!status || status->kind != FileKind::regular) return false;
    now[i] = *status;
  }
  std::size_t known = 0;
  for (std::size_t i = 0; i < found.files.size(); ++i) {
    const FoundFile& one = found.files[i];
    const auto there = std::ranges::lower_bound(files_, place_of(one), {},
                                                [](const auto& file) { return place_of(*file); });
    const bool is_new = there == files_.end() || place_of(**there) != place_of(one);
    if (is_new && now[i].size_bytes == 0) continue;  // nothing was written to it yet
    ++known;
    KnownFile* last = last_known(one.stream);
    if (is_new && last != nullptr && last->index > one.index) return false;
    KnownFile& file = is_new ? add_file(found, one) : **there;
    if (is_new) {
      if (last != nullptr) last->unpacker.reset();  // it is over
      recording_.store.begin(file.stream, file.index, file.name);
      file.status = now[i];
      file.status.size_bytes = 0;
    }
    const FileStatus& then = file.status;
    const bool is_other = then.device != now[i].device || then.inode != now[i].inode ||
                          file.name != one.name || now[i].size_bytes < then.size_bytes;
    if (is_other) return false;
    if (now[i].size_bytes == then.size_bytes) continue;
    if (!is_new && &file != last) return false;  // another one goes on behind it
    if (!fetch(file, now[i].size_bytes, go_on)) return false;
    grown.push_back(&file);
  }
  return known == files_.size();  // else one is gone
}

bool GrowingRecording::add(KnownFile& file, std::span<const std::byte> content) {
  if (file.content_bytes == 0 && has_blocks(file.stream)) {
    file.differs = content.size() < kTellingBytes;
    file.blocked = looks_blocked(file.stream, content);
  }
  file.content_bytes += file.compared_bytes < file.known_bytes ? 0 : content.size();
  StreamStore& store = recording_.store;
  const auto take = [&](std::span<const std::byte> part) {
    const auto known = store.bytes(store.current()).subspan(file.compared_bytes);
    const auto left = static_cast<std::size_t>(file.known_bytes - file.compared_bytes);
    const std::size_t count = std::min(left, part.size());
    file.differs |= count > 0 && std::memcmp(part.data(), known.data(), count) != 0;
    file.compared_bytes += count;
    if (part.size() == count || file.differs) return;
    Diagnostics told;  // nothing the second time
    const std::uint64_t wanted_bytes = store.current().size() + (part.size() - count);
    store.append(part.subspan(count), told);
    // The disk is full, or was before: a whole load tells it.
    file.differs = store.current().size() != wanted_bytes;
  };
  if (file.blocked) {
    file.lengths.take(content, take);
  } else {
    take(content);
  }
  return !file.differs;
}

Result<Timeline> GrowingRecording::timeline(std::optional<Recording>& out,
                                            LoadContext& context) const {
  Recording& copy = out.emplace(recording_);
  const std::unique_ptr<TimelineBuilder> builder = builder_->fork();
  builder->stop_when(context.cancel_flag());
  RecordingLoad load(*load_, copy, *builder);
  const GoOn go_on = [&] { return !context.cancelled(); };
  for (std::size_t stream = 0; stream < kStreams; ++stream) {
    const StreamFile* last = copy.store.last(static_cast<Stream>(stream));
    if (last != nullptr && !load.take(*last, AtEnd::nothing, go_on)) {
      return Error{ErrorCode::cancelled, "Loading was cancelled.", {}};
    }
  }
  for (const auto& file : files_) builder->diagnostics().merge(file->damage);
  load.finish();
  return builder->finish(context.jobs());
}

std::uint64_t GrowingRecording::packed_bytes() const {
  std::uint64_t sum = 0;
  for (const auto& file : files_) sum += file->status.size_bytes;
  return sum;
}

std::uint64_t GrowingRecording::kept_bytes() const {
  std::uint64_t sum = qubership::kept_bytes(recording_) + (load_ ? load_->kept_bytes() : 0);
  for (const auto& file : files_) {
    sum += sizeof(KnownFile) + 2 * kEdgeBytes + (file->unpacker ? file->unpacker->kept_bytes() : 0);
  }
  return sum;
}

bool GrowingRecording::fetch(KnownFile& file, std::uint64_t size_bytes, const GoOn& go_on) {
  std::error_code error;
  const UniqueFd opened = open_to_read(file.path, error);
  if (!opened) return false;
  const Result<Edges> edges = edges_of(opened, file.status.size_bytes);
  if (!edges || *edges != file.edges) return false;
  const bool tells_blocks = !has_blocks(file.stream) || file.content_bytes >= kTellingBytes;
  if (file.status.size_bytes > 0 && !tells_blocks) return false;
  std::uint64_t at = file.status.size_bytes;
  const StreamFile& stored = *recording_.store.find(file.stream, file.index);
  if (!file.unpacker) {
    at = 0;
    file.known_bytes = stored.size();
    file.unpacker =
        std::make_unique<Unpacker>([this, &file](auto content) { return add(file, content); });
  }
  recording_.store.go_on(stored);
  std::vector<std::byte> piece(kPieceBytes);
  while (at < size_bytes && go_on()) {
    const auto wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), size_bytes - at));
    const std::size_t count = read_at(opened, at, std::span(piece).first(wanted), error);
    if (count == 0) return false;
    at += count;
    // What is damaged stays damaged, and what follows is left out.
    static_cast<void>(file.unpacker->feed(std::span(piece).first(count)));
    if (file.differs) return false;
  }
  if (at < size_bytes || file.compared_bytes < file.known_bytes) return false;
  auto now = edges_of(opened, size_bytes);
  if (!now) return false;
  file.edges = std::move(*now);
  file.status.size_bytes = size_bytes;
  file.damage = {};
  file.damage.merge(file.unpacker->damage_at_end(), file.name);
  if (file.blocked) report_lengths(file.lengths, stored, file.damage);
  return true;
}

}  // namespace cinderscope::qubership
