#include "app/convert/estimate.h"

#include <algorithm>
#include <utility>

#include "app/convert/split_times.h"
#include "ingest/base/path_text.h"

namespace cinderscope {
namespace {

constexpr std::uint64_t kMeasuredBytes = 4u << 20;  // as much is written to know it exactly
constexpr std::uint64_t kPieceBytes = 1u << 18;
constexpr std::size_t kPieces = 16;  // that are looked at

// Slices, instants, values of counters and points of flows in the part.
std::uint64_t records_of(const PartReader& part) {
  std::uint64_t records = part.flow_times().size();
  for (const PartTrack& track : part.tracks()) {
    LossReport counted;
    part.count_lost(loss::kAsync, track, counted);
    if (track.kind != TrackKind::counter) part.count_lost(loss::kInstants, track, counted);
    for (const LossReport::Lost& entry : counted.lost()) records += entry.count;
  }
  return records;
}

struct Measured {
  std::uint64_t bytes = 0;
  bool all = false;  // of the part
};

Result<Measured> measured(PartReader& part, const TraceWriter& writer, std::uint64_t most_bytes,
                          const std::filesystem::path& path) {
  Output nowhere = Output::measuring(most_bytes, path);
  LossReport losses;
  const Status written = writer.write(part, nowhere, losses);
  if (!written && written.error().code == ErrorCode::refused) return written.error();
  if (part.context().cancelled()) {
    return Error{ErrorCode::cancelled, "Writing was cancelled.", {}, kNoOffset};
  }
  return Measured{nowhere.bytes(), nowhere.all_fitted()};
}

}  // namespace

std::uint64_t ample_bytes(const PartReader& part) {
  constexpr std::uint64_t kTimes = 4, kRecordBytes = 100;
  const TraceSource* source = part.source();
  if (source == nullptr || source->input().is_folder()) return UINT64_MAX;
  const std::uint64_t input_bytes = source->input().size_bytes(), records = records_of(part);
  if (input_bytes >= UINT64_MAX / (2 * kTimes)) return UINT64_MAX;
  if (records >= UINT64_MAX / (2 * kTimes * kRecordBytes)) return UINT64_MAX;
  return kTimes * (input_bytes + kRecordBytes * records);
}

// The begin of an output says little of the rest: threads follow each other, and their records
// differ. So pieces all over the range are written, each with all threads.
Result<std::uint64_t> estimated_bytes(PartReader& part, const TraceWriter& writer,
                                      const std::filesystem::path& path) {
  if (const std::uint64_t known = writer.known_bytes(part); known > 0) return known;
  const Result<Measured> begin =
      measured(part, writer, writer.sums_up() ? UINT64_MAX - 1 : kMeasuredBytes, path);
  if (!begin) return begin.error();
  if (begin->all || writer.sums_up()) return begin->bytes;

  const std::uint64_t records = records_of(part);
  const std::uint64_t count = std::clamp<std::uint64_t>(records * 100 / kPieceBytes, kPieces, 999);
  const std::vector<TypedRange> ranges = split_times(part, count);
  std::uint64_t bytes = 0, sampled = 0;
  std::size_t last = ranges.size();
  for (std::size_t i = 0; i < kPieces; ++i) {
    const std::size_t place = (2 * i + 1) * ranges.size() / (2 * kPieces);
    if (std::exchange(last, place) == place) continue;  // where nearly all is in one moment
    const TypedRange& range = ranges[place];
    PartOptions options = part.options();
    options.from = range.begin_ns;
    options.to = range.end_ns;
    PartReader piece(part.timeline(), part.source(), std::move(options), part.context());
    const Result<Measured> written = measured(piece, writer, UINT64_MAX - 1, path);
    if (!written) return written.error();
    bytes += written->bytes;
    sampled += records_of(piece);
  }
  if (sampled == 0) return begin->bytes;
  return std::max(begin->bytes, static_cast<std::uint64_t>(static_cast<double>(bytes) *
                                                           static_cast<double>(records) /
                                                           static_cast<double>(sampled)));
}

Result<Foreseen> foresee(const ConvertInput& input, const ConvertRequest& request,
                         LoadContext& context) {
  const Result<PartOptions> options = part_options(input, request);
  if (!options) return options.error();
  PartReader part(input.timeline, input.source, *options, context);
  if (part.tracks().empty()) return nothing_inside(input.timeline);
  Foreseen foreseen;
  for (const PartTrack& track : part.tracks()) {
    if (track.kind != TrackKind::thread || !track.has_slices) continue;
    LossReport counted;
    part.count_lost(loss::kAsync, track, counted);
    for (const LossReport::Lost& entry : counted.lost()) foreseen.slices += entry.count;
  }
  request.writer->foresee(part, foreseen.losses);
  const Result<std::uint64_t> bytes = estimated_bytes(part, *request.writer, path_of(request.out));
  if (!bytes) return bytes.error();
  foreseen.bytes = *bytes;
  return foreseen;
}

}  // namespace cinderscope
