#include "formats/spall/write/piece_writer.h"

#include <cstring>

#include "formats/spall/spall_wire.h"
#include "formats/spall/write/thread_buffers.h"

namespace cinderscope::spall {
namespace {

constexpr std::size_t kBatch = 512;  // its slices and their texts stay in the cache
constexpr std::size_t kBytesBetweenEnds = 4096;
constexpr std::size_t kMostPieceBytes = 2 << 20;  // then it waits for its turn

}  // namespace

PieceWriter::PieceWriter(PartReader& part, TickTime clock, PieceRecords& out,
                         const std::function<bool()>& pass_on)
    : part_(part),
      clock_(clock),
      out_(out),
      pass_on_(pass_on),
      args_(ArgsOneByOne::of(part)),
      begins_(part, clock),
      nested_(*this, out.losses),
      batches_(
          1,
          [&part, clock](std::span<PartSlice> slices, BeginRecords& records) {
            make_begin_records(part, clock, slices, records);
          },
          [this](std::span<PartSlice> slices, BeginRecords& records) { take(slices, records); },
          kBatch) {}

void PieceWriter::write(const PartPiece& piece) {
  out_.read = part_.read(piece, *this);
  batches_.flush();
  if (args_) args_->is_same();
  if (!out_.read || !*out_.read) return;
  if (piece.is_last()) {
    nested_.finish();
  } else {
    // The next piece begins with a slice of that time.
    nested_.close_before(piece.to_ns - part_.shift_ns());
  }
}

void PieceWriter::slice(const PartSlice& slice) {
  if (!args_) return batches_.add(slice, slice.record);
  nested_.add(slice, args_->args(slice, out_.losses));
  if (--until_look_ > 0) return;
  until_look_ = kSlicesBetweenLooks;
  // The file may be written over while it is read; then nothing of this is kept.
  args_->is_same();
  if (out_.bytes.size() >= kMostPieceBytes && going_) going_ = pass_on_();
}

void PieceWriter::take(std::span<const PartSlice> slices, BeginRecords& records) {
  out_.losses.add(records.losses);
  for (const auto& cut : records.cut_names) {
    out_.cut_names.push_back(cut);
    count_cut_name();
  }
  for (std::size_t i = 0; i < slices.size(); ++i) nested_.add(slices[i], records.record(i));
  if (out_.bytes.size() >= kMostPieceBytes && going_) going_ = pass_on_();
}

void PieceWriter::begin(const PartSlice& slice, std::string_view text) {
  if (args_) {
    begins_.append(slice, text, out_);
    if (slice.name.size() > kMostTextBytes) count_cut_name();
  } else {
    std::memcpy(out_.bytes.add(text.size()), text.data(), text.size());
  }
  note_end();
}

// The last one that was noted.
void PieceWriter::count_cut_name() {
  if (!cut_names_.insert(out_.cut_names.back().first).second) out_.cut_names.pop_back();
}

void PieceWriter::end(std::int64_t time) {
  std::uint64_t tick = 0;
  if (clock_.to_tick(time, tick)) out_.losses.count(kClampedTimes);
  char* record = out_.bytes.add(kBufferEndBytes);
  record[0] = static_cast<char>(kEnd);
  std::memcpy(record + 1, &tick, sizeof tick);
  note_end();
}

void PieceWriter::note_end() {
  const std::size_t last = out_.ends.empty() ? 0 : out_.ends.back();
  if (out_.bytes.size() - last >= kBytesBetweenEnds) out_.ends.push_back(out_.bytes.size());
}

}  // namespace cinderscope::spall
