#include "ingest/input/receiver.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>
#include <system_error>

#include "ingest/base/grouped_text.h"
#include "ingest/base/self_trace.h"
#include "ingest/base/self_trace_thread.h"
#include "ingest/input/unpack/unpacker.h"

namespace cinderscope {
namespace {

constexpr std::size_t kReceivedPieceBytes = 256u << 10;
constexpr std::array<std::byte, kPaddingBytes> kBehindNothing{};

std::atomic<Receiver::Keeping> kept_in{Receiver::usual_keeping()};

}  // namespace

Receiver::Receiver(std::unique_ptr<GrowingFile> file, Source source)
    : file_(std::move(file)), source_(std::move(source)) {
  if (!source_.again) return;
  if (kept_in == Keeping::ring) file_->pass_through_memory();
  checkpoints_ = std::make_unique<Checkpoints>();
  pieces_ = std::make_unique<PackedPieces>(std::move(source_.again), source_.begin, *checkpoints_);
}

Result<std::unique_ptr<Receiver>> Receiver::start(Source source, double disk_share) {
  std::unique_ptr<GrowingFile> file;
  if (kept_in == Keeping::blocks) {
    file = GrowingFile::create_in_memory();
  } else {
    auto made = GrowingFile::create(disk_share);
    if (!made) return made.error();
    file = std::move(*made);
  }
  std::unique_ptr<Receiver> receiver(new Receiver(std::move(file), std::move(source)));
  try {
    receiver->thread_ = std::thread([&target = *receiver] {
      const SelfTraceThread named("receiver");
      const SelfTraceMark mark("receive and inflate");
      target.run();
    });
  } catch (const std::system_error&) {
    receiver->file_->wait_for_nobody();  // no thread to be had: read it here and now
    receiver->run();
  }
  return receiver;
}

namespace {

Error no_reader(std::error_code error) {
  return {ErrorCode::cannot_read,
          fmt::format("The trace cannot be read in the background: {}.", error.message()),
          {}};
}

}  // namespace

Result<std::unique_ptr<Receiver>> Receiver::from_descriptor(UniqueFd source, double disk_share) {
  std::error_code error;
  Source from;
  from.reader = StoppableReader::create(std::move(source), error);
  if (!from.reader) return no_reader(error);
  return start(std::move(from), disk_share);
}

Result<std::unique_ptr<Receiver>> Receiver::from_file(UniqueFd source, std::uint64_t bytes,
                                                      double disk_share) {
  std::error_code error;
  Source from;
  from.packed_bytes = bytes;
  from.again = second_descriptor(source, error);  // without one all of it stays on the disk
  from.reader = StoppableReader::create(std::move(source), error);
  if (!from.reader) return no_reader(error);
  return start(std::move(from), disk_share);
}

Result<std::unique_ptr<Receiver>> Receiver::from_part(UniqueFd source, std::uint64_t offset,
                                                      std::uint64_t bytes, double disk_share) {
  std::error_code error;
  Source from;
  from.begin = offset;
  from.packed_bytes = bytes;
  from.again = second_descriptor(source, error);
  from.reader = StoppableReader::of_part(std::move(source), offset, bytes, error);
  if (!from.reader) return no_reader(error);
  return start(std::move(from), disk_share);
}

Result<std::unique_ptr<Receiver>> Receiver::from_entry(std::unique_ptr<MappedFile> packed,
                                                       ZipEntry entry, double disk_share) {
  Source from;
  from.entry_bytes = std::move(packed);
  from.entry = std::move(entry);
  from.entry.data_at = 0;
  return start(std::move(from), disk_share);
}

Result<std::unique_ptr<Receiver>> Receiver::from_memory(std::vector<std::byte> source) {
  Source from;
  from.memory = std::move(source);
  return start(std::move(from), kUsualDiskShare);
}

Receiver::Keeping Receiver::usual_keeping() {
  return TemporaryFile::is_on_heap() ? Keeping::blocks : Keeping::ring;
}

void Receiver::keep_in(Keeping keeping) {
  kept_in = keeping;
}

Receiver::~Receiver() {
  stop();
}

void Receiver::stop() {
  stopping_ = true;
  if (source_.reader) source_.reader->stop();
  file_->stop();
  const std::lock_guard lock(join_mutex_);
  if (thread_.joinable()) thread_.join();
}

Diagnostics Receiver::damage() const {
  const std::lock_guard lock(mutex_);
  return damage_;
}

void Receiver::run() {
  bool written = true;
  Unpacker* running = nullptr;
  Unpacker unpacker(
      [&](std::span<const std::byte> bytes) {
        made_bytes_ += bytes.size();
        if (is_bomb()) return false;
        if (checkpoints_) note_droppable(*running);
        written = file_->append(bytes);
        return written && !stopping_;
      },
      kMostPackings, checkpoints_.get());
  running = &unpacker;
  if (checkpoints_) unpacker.make_in([&] { return file_->room(); });
  if (source_.entry_bytes) feed_entry(unpacker);
  bool wants_more = !source_.entry_bytes;
  while (wants_more && !stopping_) {
    const std::span<const std::byte> piece = next_piece();
    if (piece.empty()) break;
    wants_more = unpacker.feed(piece);
    received_bytes_ += piece.size();
    if (checkpoints_) note_droppable(unpacker);
  }
  // A stopped stream ends early by wish, not by damage.
  const bool stopped = stopping_;
  if (!stopped && written) unpacker.finish();
  if (checkpoints_) note_droppable(unpacker);
  stopped_early_ = stopped;
  {
    const std::lock_guard lock(mutex_);
    if (!stopped) damage_.merge(unpacker.damage());
    damage_.merge(file_->trouble());
    refused_ = damage_.has(diagnostic::kDiskShare) || damage_.has(diagnostic::kAddressSpace) ||
               damage_.has(diagnostic::kMemoryShare);
  }
  file_->close();
}

void Receiver::note_droppable(const Unpacker& unpacker) {
  if (!unpacker.is_packed_once()) checkpoints_->give_up();
  file_->note_droppable(checkpoints_->covered_to());
}

Pin Receiver::pin(std::uint64_t offset, std::uint64_t length) const {
  if (restored_bytes_) {
    const std::uint64_t from = std::min(offset, *restored_bytes_);
    return pieces_->pin(offset, std::min(length, *restored_bytes_ - from))
        .value_or(Pin(offset, {}));
  }
  const std::uint64_t end = offset + std::min(length, UINT64_MAX - offset);
  const std::uint64_t there = file_->wait_for_size(end);
  const std::uint64_t size = std::min(length, there - std::min(offset, there));
  if (size == 0) return {offset, std::span(kBehindNothing).first(0)};
  if (std::optional<Pin> found = file_->pin(offset, size)) return *std::move(found);
  if (!pieces_ || offset >= file_->dropped_bytes()) return {offset, {}};  // no memory for a copy
  // What is dropped lies before what is not: all of it is covered, up to what was asked for.
  const std::uint64_t covered = checkpoints_->covered_to();
  if (offset + size <= covered) return pieces_->pin(offset, size).value_or(Pin(offset, {}));
  return pin_across(offset, size);
}

bool Receiver::restore(FieldReader& in) {
  auto places = std::make_unique<Checkpoints>();
  if (!pieces_ || !places->restore(in)) return false;
  stop();
  restored_bytes_ = places->covered_to();
  received_bytes_ = source_.packed_bytes;
  stopped_early_ = refused_ = false;
  checkpoints_ = std::move(places);
  pieces_->use(*checkpoints_);
  file_->note_droppable(UINT64_MAX);  // whatever came so far is unpacked again when it is asked for
  file_->let_go(UINT64_MAX);
  const std::lock_guard lock(mutex_);
  damage_ = {};
  return true;
}

// The first bytes were dropped, the last are not covered yet.
Pin Receiver::pin_across(std::uint64_t offset, std::uint64_t size) const try {
  const std::uint64_t kept_begin = file_->dropped_bytes();
  if (kept_begin >= offset + size) return pin(offset, size);  // more was dropped meanwhile
  const std::optional<Pin> rest = file_->pin(kept_begin, offset + size - kept_begin);
  if (!rest && kept_begin < file_->dropped_bytes()) return pin(offset, size);
  const std::optional<Pin> first = pieces_->pin(offset, kept_begin - offset);
  if (!first || !rest) return {offset, {}};
  auto joined = std::make_shared<std::vector<std::byte>>();
  joined->reserve(first->size() + rest->size() + kPaddingBytes);
  joined->assign(first->bytes().begin(), first->bytes().end());
  joined->insert(joined->end(), rest->bytes().begin(), rest->bytes().end());
  const std::size_t joined_bytes = joined->size();
  joined->resize(joined_bytes + kPaddingBytes);
  const std::span<const std::byte> bytes = std::span(*joined).first(joined_bytes);
  return {offset, bytes, std::move(joined)};
} catch (const std::bad_alloc&) {
  return {offset, {}};
}

// Deflate packs to a thousandth at best: what unpacks to so much of the bytes that it took so far
// was made to fill the disk. What is packed once more counts as it comes out in the end.
bool Receiver::is_bomb() const {
  constexpr std::uint64_t kMostDeflated = 1000;
  if (!source_.entry_bytes) return false;
  if (!source_.entry.sizes_known) return is_unsaid_bomb(made_bytes_, entry_used_bytes_);
  return made_bytes_ > kHarmlessBytes && made_bytes_ / kMostDeflated > entry_used_bytes_;
}

void Receiver::feed_entry(Unpacker& unpacker) {
  const std::span<const std::byte> packed = source_.entry_bytes->bytes();
  const std::uint64_t said = source_.entry.sizes_known ? source_.entry.bytes : UINT64_MAX;
  std::uint64_t made = 0;
  Diagnostics damage;
  unpack_zip_entry(
      packed, source_.entry,
      [&](std::span<const std::byte> piece) {
        made += piece.size();
        received_bytes_ = entry_used_bytes_;
        return made <= said && !stopping_ && unpacker.feed(piece);
      },
      damage, &entry_used_bytes_);
  received_bytes_ = packed.size();
  if (made > said || is_bomb()) {
    damage.count(diagnostic::kDamagedCompression, kNoOffset,
                 fmt::format("\"{}\" in the archive unpacks to more than it should; the rest was "
                             "left out.",
                             source_.entry.name));
  }
  const std::lock_guard lock(mutex_);
  if (!stopping_) damage_.merge(damage);
}

std::span<const std::byte> Receiver::next_piece() {
  if (!source_.reader) {
    const auto from = static_cast<std::size_t>(received_bytes_);
    const std::span<const std::byte> memory = source_.memory;
    return memory.subspan(from, std::min(kReceivedPieceBytes, memory.size() - from));
  }
  piece_.resize(kReceivedPieceBytes);
  std::error_code error;
  const std::size_t size = source_.reader->read(piece_, error);
  if (error) {
    const std::lock_guard lock(mutex_);
    damage_.count(diagnostic::kReadError, static_cast<std::int64_t>(received_bytes_.load()),
                  fmt::format("Reading failed after {} bytes: {}.", grouped(received_bytes_.load()),
                              error.message()));
  }
  return std::span(piece_).first(size);
}

}  // namespace cinderscope
