// Packs the columns of a chunk.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "ingest/model/columns/packed_column.h"
#include "ingest/model/ids.h"

namespace cinderscope {

// A column being packed: the bytes that each value needs and the base that values are relative to.
template <class Value>
struct ColumnPacking {
  std::span<const Value> values;
  std::uint64_t base = 0;
  std::uint64_t largest = 0;

  // Order does not matter, so signed times are taken as unsigned; at() turns them back.
  static std::uint64_t bits(Value value) { return static_cast<std::uint64_t>(value); }
  static ColumnPacking of(std::span<const Value> values) {
    ColumnPacking packing{values, ~std::uint64_t{0}, 0};
    if (values.empty()) packing.base = 0;
    for (const Value value : values) {
      packing.base = std::min(packing.base, bits(value));
      packing.largest = std::max(packing.largest, bits(value));
    }
    return packing;
  }
  // `narrow_from`: widths from this many bytes on need not be 1, 2, 4 or 8.
  std::uint8_t width(int narrow_from) const {
    const int bytes = (static_cast<int>(std::bit_width(largest - base)) + 7) / 8;
    if (bytes >= narrow_from && bytes < 7) return static_cast<std::uint8_t>(bytes);
    return bytes == 0 ? 0 : static_cast<std::uint8_t>(std::bit_ceil(static_cast<unsigned>(bytes)));
  }
  // With this width, without a place yet.
  PackedColumn form(int narrow_from) const { return {nullptr, base, width(narrow_from), 0, 0, 0}; }
  // In bits where these take less by two for each value: for what is read one by one.
  PackedColumn form_in_bits(int narrow_from) const {
    PackedColumn plain = form(narrow_from);
    const auto bits = static_cast<std::size_t>(std::bit_width(largest - base));
    const std::size_t bytes = (bits * values.size() + 7) / 8;
    const bool is_less = bytes + values.size() / 8 < values.size() * plain.width;
    if (!is_less || bits > PackedColumn::kMostBits || bytes < sizeof(std::uint64_t)) return plain;
    return {.base = base,
            .width = static_cast<std::uint8_t>(PackedColumn::kBits + bits),
            .value_bytes = static_cast<std::uint32_t>(bytes)};
  }
  // In one of the forms above.
  PackedColumn pack(PackedColumn form, std::byte*& out) const {
    if (form.width < PackedColumn::kBits) return pack(form.width, out);
    form.data = out;
    pack_bits(form.width - PackedColumn::kBits, out);
    out += form.value_bytes;
    return form;
  }
  PackedColumn pack(std::uint8_t width, std::byte*& out) const {
    const PackedColumn column{out, base, width, 0, 0, 0};
    if (width == 1) pack_as<std::uint8_t>(out);
    if (width == 2) pack_as<std::uint16_t>(out);
    if (width == 3) pack_odd<std::uint16_t, std::uint8_t>(out);
    if (width == 4) pack_as<std::uint32_t>(out);
    if (width == 5) pack_odd<std::uint32_t, std::uint8_t>(out);
    if (width == 6) pack_odd<std::uint32_t, std::uint16_t>(out);
    if (width == 8) pack_as<std::uint64_t>(out);
    out += values.size() * width;
    return column;
  }

 private:
  void pack_bits(std::size_t bits, std::byte* out) const {
    std::uint64_t word = 0;
    std::size_t filled = 0;
    for (const Value each : values) {
      const std::uint64_t value = this->bits(each) - base;
      word |= value << filled;
      filled += bits;
      if (filled < 64) continue;
      std::memcpy(out, &word, sizeof(word));
      out += sizeof(word);
      filled -= 64;
      word = value >> (bits - filled);
    }
    std::memcpy(out, &word, (filled + 7) / 8);
  }
  template <class Narrow>
  void pack_as(std::byte* out) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto narrow = static_cast<Narrow>(bits(values[i]) - base);
      std::memcpy(out + i * sizeof(Narrow), &narrow, sizeof(Narrow));
    }
  }
  template <class Low, class High>
  void pack_odd(std::byte* out) const {
    for (const Value value : values) {
      const std::uint64_t above_base = bits(value) - base;
      const auto low = static_cast<Low>(above_base);
      const auto high = static_cast<High>(above_base >> (8 * sizeof(Low)));
      std::memcpy(out, &low, sizeof(low));
      std::memcpy(out + sizeof(low), &high, sizeof(high));
      out += sizeof(low) + sizeof(high);
    }
  }
};

// Times are read for all slices of a trace, from 5 bytes on as fast as whole words; records one by
// one.
inline constexpr int kNarrowTimes = 5, kNarrowRecords = 3, kNeverNarrow = 8;

// As ColumnPacking::form(), but PackedColumn::kFar where that takes less.
PackedColumn form_of_durations(const ColumnPacking<std::int64_t>& durations);
// As ColumnPacking::pack(), in any of these forms.
PackedColumn pack_durations(const ColumnPacking<std::int64_t>& durations, PackedColumn form,
                            std::byte*& out);

// End records plus 1, and which slices have them: the first `count`.
struct PackedEndRecords {
  static constexpr std::size_t kMostSlices = 1024;

  // Of the slices of a chunk.
  explicit PackedEndRecords(std::span<const RecordOffset> of_slices) {
    for (std::size_t i = 0; i < of_slices.size(); ++i) {
      if (of_slices[i] == kNoRecord) continue;
      slice[count] = static_cast<std::uint16_t>(i);
      record[count++] = of_slices[i] + 1;
    }
    const std::size_t few = SparseColumn::byte_count(count, width(), of_slices.size());
    if (few <= of_slices.size() * width()) return;
    count = of_slices.size();
    std::transform(of_slices.begin(), of_slices.end(), record.begin(),
                   [](RecordOffset end_record) { return end_record + 1; });
  }
  ColumnPacking<RecordOffset> packing() const {
    ColumnPacking<RecordOffset> packing = ColumnPacking<RecordOffset>::of({record.data(), count});
    packing.base = 0;
    return packing;
  }
  std::uint8_t width() const { return packing().width(kNarrowRecords); }

  std::size_t count = 0;
  std::array<RecordOffset, kMostSlices> record;
  std::array<std::uint16_t, kMostSlices> slice;
};

}  // namespace cinderscope
