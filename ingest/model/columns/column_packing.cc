#include "ingest/model/columns/column_packing.h"

#include <cassert>

namespace cinderscope {

namespace {

constexpr std::size_t kMostValues = PackedEndRecords::kMostSlices;
// Who reads a few durations looks up those in the list one by one: no more than so many are.
constexpr std::size_t kFewestToOneFar = 32;
constexpr std::size_t kWidths = 7;  // narrow ones that are tried: 1 to 6 bytes

constexpr std::uint64_t all_ones(std::size_t bytes) {
  return (std::uint64_t{1} << 8 * bytes) - 1;
}

// How many values are more than `most`.
std::size_t count_above(const ColumnPacking<std::int64_t>& column, std::uint64_t most,
                        std::size_t step) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < column.values.size(); i += step) {
    count += column.bits(column.values[i]) - column.base > most ? 1 : 0;
  }
  return count;
}

// The largest value of so many bytes that is not in the list: the numbers above are left for those
// that are.
std::uint64_t most_of(std::size_t bytes, std::size_t values) {
  return all_ones(bytes) - values / kFewestToOneFar;
}

// Fills the numbers of the slices that are in the list.
template <class T>
void pack_narrow(const ColumnPacking<std::int64_t>& column, std::byte* out, std::uint16_t* number) {
  const std::uint64_t most = most_of(sizeof(T), column.values.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    const std::uint64_t value = column.bits(column.values[i]) - column.base;
    const bool fits = value <= most;
    const auto narrow = static_cast<T>(fits ? value : all_ones(sizeof(T)) - next);
    std::memcpy(out + i * sizeof(T), &narrow, sizeof(T));
    number[next] = static_cast<std::uint16_t>(i);
    next += fits ? 0 : 1;
  }
}

}  // namespace

PackedColumn form_of_durations(const ColumnPacking<std::int64_t>& durations) {
  const PackedColumn plain = durations.form(kNarrowTimes);
  const std::size_t count = durations.values.size();
  if (plain.width < 2) return plain;
  const std::uint8_t far_width = durations.width(kNarrowRecords);
  // A few of the values choose: most chunks of many traces gain nothing.
  constexpr std::size_t kSampled = 64;
  const std::size_t step = std::max<std::size_t>(count / kSampled, 1);
  const std::size_t sampled = (count + step - 1) / step;
  const std::size_t far_bytes = std::size_t{PackedColumn::kNumberBytes} + far_width;
  std::size_t narrow = plain.width, least = sampled * plain.width;
  for (std::size_t bytes = std::min<std::size_t>(plain.width, kWidths); bytes-- > 1;) {
    const std::size_t far = count_above(durations, most_of(bytes, count), step);
    // Twice as many among a few may be chance.
    if (sampled * bytes + far * far_bytes < least && far * kFewestToOneFar <= 2 * sampled) {
      narrow = bytes;
      least = sampled * bytes + far * far_bytes;
    }
    if (far * far_bytes >= sampled * plain.width) break;  // and more of them are too long for less
  }
  for (; narrow < std::min<std::size_t>(plain.width, kWidths); ++narrow) {
    const std::size_t far = count_above(durations, most_of(narrow, count), 1);
    if (far == 0 || far > count / kFewestToOneFar) continue;  // more than the few have told
    // An eighth of a byte each is worth the list.
    if (count * narrow + far * far_bytes + count / 8 >= count * plain.width) break;
    return {.base = durations.base,
            .width = static_cast<std::uint8_t>(PackedColumn::kFar + narrow),
            .far_width = far_width,
            .far_count = static_cast<std::uint16_t>(far),
            .value_bytes = static_cast<std::uint32_t>(narrow * count)};
  }
  return plain;
}

PackedColumn pack_durations(const ColumnPacking<std::int64_t>& durations, PackedColumn form,
                            std::byte*& out) {
  if (form.width < PackedColumn::kFar) return durations.pack(form.width, out);
  form.data = out;
  assert(durations.values.size() <= kMostValues);
  const auto width = static_cast<std::uint8_t>(form.width - PackedColumn::kFar);
  std::array<std::uint16_t, kMostValues> number;
  switch (width) {
    case 1:
      pack_narrow<std::uint8_t>(durations, out, number.data());
      break;
    case 2:
      pack_narrow<std::uint16_t>(durations, out, number.data());
      break;
    case 4:
      pack_narrow<std::uint32_t>(durations, out, number.data());
      break;
    default: {
      const std::uint64_t most = most_of(width, durations.values.size());
      std::array<std::uint64_t, kMostValues> narrow;
      std::size_t next = 0;
      for (std::size_t i = 0; i < durations.values.size(); ++i) {
        const std::uint64_t value = durations.bits(durations.values[i]) - durations.base;
        narrow[i] = value <= most ? value : all_ones(width) - next;
        number[next] = static_cast<std::uint16_t>(i);
        next += value <= most ? 0 : 1;
      }
      std::byte* to = out;  // moves on with it
      ColumnPacking<std::uint64_t>{std::span(narrow).first(durations.values.size())}.pack(width,
                                                                                          to);
    }
  }
  out += form.value_bytes;
  std::array<std::int64_t, kMostValues> far;
  const std::size_t far_count = form.far_count;
  for (std::size_t k = 0; k < far_count; ++k) far[k] = durations.values[number[k]];
  ColumnPacking<std::uint16_t>{std::span(number).first(far_count)}.pack(PackedColumn::kNumberBytes,
                                                                        out);
  ColumnPacking<std::int64_t>{std::span(far).first(far_count), form.base}.pack(form.far_width, out);
  return form;
}

}  // namespace cinderscope
