#include "formats/spall/flat_record.h"

#include "formats/spall/pinned.h"

namespace cinderscope::spall {
namespace {

constexpr std::uint64_t kTrialBytes = 16u << 20;
constexpr int kLandingRecords = 3;  // in a row that make a landing believable

// Whether version 1 records follow each other from `offset` on; the end of the file will do.
bool lands_on_records(const Input& input, std::uint64_t offset) {
  for (int i = 0; i < kLandingRecords; ++i) {
    const Pin pin = pinned(input, offset, kMostRecordBytes);
    if (pin.size() == 0) return offset == input.wait_for(offset + 1);
    const FlatRecord record = flat_record<kV1>(pin.at(offset), pin.size());
    if (record.kind == FlatKind::unknown) return false;
    if (record.kind == FlatKind::cut || record.kind == FlatKind::skip) return true;
    offset += record.size_bytes;
  }
  return true;
}

template <const FlatLayout& L>
FlatTrial trial(const Input& input) {
  const Pin pin = pinned(input, 0, kTrialBytes);
  const bool is_all = input.wait_for(kTrialBytes + 1) <= kTrialBytes;
  FlatTrial result{L.header_bytes};
  while (result.walked_bytes < pin.end()) {
    const std::byte* data = pin.at(result.walked_bytes);
    const FlatRecord record = flat_record<L>(data, pin.end() - result.walked_bytes);
    result.failed = record.kind == FlatKind::unknown;
    // The rest of a record that the trial's end cuts would tell nothing new.
    if (record.kind == FlatKind::cut && !is_all) result.walked_bytes = kTrialBytes;
    if (record.size_bytes == 0) break;
    result.walked_bytes += record.size_bytes;
  }
  result.whole = is_all && pin.size() > L.header_bytes && result.walked_bytes == pin.end();
  return result;
}

}  // namespace

FlatRecord resolve_skip(const Input& input, std::uint64_t offset) {
  const Pin pin = pinned(input, offset, kMostRecordBytes);
  if (pin.size() < kPadSkipBytes) return {FlatKind::cut, 0, {}};
  const std::uint64_t size = load_value<std::uint32_t>(pin.at(offset + 1));
  const FlatRecord after{FlatKind::skip, kPadSkipBytes + size, {}};
  if (lands_on_records(input, offset + after.size_bytes)) return after;
  if (size >= kPadSkipBytes && lands_on_records(input, offset + size)) {
    return {FlatKind::skip, size, {}};
  }
  if (pin.size() >= kFlatMicroBeginBytes &&
      lands_on_records(input, offset + kFlatMicroBeginBytes)) {
    return {FlatKind::micro_begin,
            kFlatMicroBeginBytes,
            {0, load_value<std::uint32_t>(pin.at(offset + 1))}};
  }
  return after;
}

FlatTrial try_flat_layout(const FlatLayout& layout, const Input& input) {
  if (&layout == &kV0A0) return trial<kV0A0>(input);
  if (&layout == &kV0A) return trial<kV0A>(input);
  if (&layout == &kV0ACache) return trial<kV0ACache>(input);
  if (&layout == &kV0B) return trial<kV0B>(input);
  return trial<kV0C>(input);
}

}  // namespace cinderscope::spall
