#include "formats/spall/write/piece_writer.h"

#include <cstring>

#include "formats/spall/spall_wire.h"

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
  if (!out_.read || !*out_.read) return;
  if (piece.is_last()) {
    nested_.finish();
  } else {
    // The next piece begins with a slice of that time.
    nested_.close_before(piece.to_ns - part_.shift_ns());
  }
}

void PieceWriter::take(std::span<const PartSlice> slices, BeginRecords& records) {
  out_.losses.add(records.losses);
  for (const auto& cut : records.cut_names) {
    if (cut_names_.insert(cut.first).second) out_.cut_names.push_back(cut);
  }
  for (std::size_t i = 0; i < slices.size(); ++i) nested_.add(slices[i], records.record(i));
  if (out_.bytes.size() >= kMostPieceBytes && going_) going_ = pass_on_();
}

void PieceWriter::begin(const PartSlice&, std::string_view record) {
  out_.bytes += record;
  note_end();
}

void PieceWriter::end(std::int64_t time) {
  std::uint64_t tick = 0;
  if (clock_.to_tick(time, tick)) out_.losses.count(kClampedTimes);
  char record[kBufferEndBytes];
  record[0] = static_cast<char>(kEnd);
  std::memcpy(record + 1, &tick, sizeof tick);
  out_.bytes.append(record, sizeof record);
  note_end();
}

void PieceWriter::note_end() {
  const std::size_t last = out_.ends.empty() ? 0 : out_.ends.back();
  if (out_.bytes.size() - last >= kBytesBetweenEnds) out_.ends.push_back(out_.bytes.size());
}

}  // namespace cinderscope::spall
