// Columns of a chunk, in as few bytes as their values need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

namespace cinderscope {

// Unsigned values relative to a base, 0 to 6 or 8 bytes each (0: all are the base). Columns that
// are read for all slices of a trace do without those widths that take longer. Two further forms
// are told by the width as well:
// - kFar + n: n bytes each, which all but a few values need. Those few lie in a list behind them,
//   with the numbers of their slices; the largest numbers of n bytes say which of the list it is:
//   all ones the first one, 1 less the second one.
// - kBits + n: n bits each, for what is read one by one.
struct PackedColumn {
  static constexpr std::uint8_t kFar = 16, kBits = 64;
  static constexpr std::uint32_t kMostBits = 56;   // with which a value lies within eight bytes
  static constexpr std::uint8_t kNumberBytes = 2;  // of a slice in the list

  const std::byte* data = nullptr;
  std::uint64_t base = 0;
  std::uint8_t width = 0;
  std::uint8_t far_width = 0;     // of the values in the list
  std::uint16_t far_count = 0;    // how many
  std::uint32_t value_bytes = 0;  // of all values but the list; kFar and kBits alone have it

  std::uint64_t at(std::uint32_t i) const {
    switch (width) {
      case 1:
        return base + load<std::uint8_t>(i);
      case 2:
        return base + load<std::uint16_t>(i);
      case 4:
        return base + load<std::uint32_t>(i);
      case 8:
        return base + load<std::uint64_t>(i);
      case 3:
        return base + load_odd<std::uint16_t, std::uint8_t>(i);
      case 5:
        return base + load_odd<std::uint32_t, std::uint8_t>(i);
      case 6:
        return base + load_odd<std::uint32_t, std::uint16_t>(i);
      case 0:
        return base;
      default:
        return width >= kBits ? base + load_bits(i) : narrow_or_far(i);
    }
  }

  // Fills `out` with the values first, first + kStep, ...: one loop without branches for each
  // width.
  template <std::size_t kStep = 1, class Out, std::size_t kExtent>
  void read(std::uint32_t first, std::span<Out, kExtent> out) const {
    switch (width) {
      case 1:
        return read_as<std::uint8_t, kStep>(first, out);
      case 2:
        return read_as<std::uint16_t, kStep>(first, out);
      case 4:
        return read_as<std::uint32_t, kStep>(first, out);
      case 8:
        return read_as<std::uint64_t, kStep>(first, out);
      case 3:
        return read_three<kStep>(first, out);
      case 5:
        return read_odd<std::uint32_t, std::uint8_t, kStep>(first, out);
      case 6:
        return read_odd<std::uint32_t, std::uint16_t, kStep>(first, out);
      case 0:
        for (Out& value : out) value = static_cast<Out>(base);
        return;
      case kFar + 1:
        return read_far<std::uint8_t, kStep>(first, out);
      case kFar + 2:
        return read_far<std::uint16_t, kStep>(first, out);
      case kFar + 3:
        read_three<kStep>(first, out);
        return replace_far<kStep>(0xffffff, first, out);
      default:
        return read_other<kStep>(first, std::span<Out>(out));
    }
  }

  // Of `count` values, the list included.
  std::size_t byte_count(std::size_t count) const;
  // How long values are if they have the plain form, or those of a list.
  static bool is_width(std::uint8_t width) { return width <= 6 || width == 8; }

 private:
  template <class T, std::size_t kStep, class Out, std::size_t kExtent>
  void read_as(std::uint32_t first, std::span<Out, kExtent> out) const {
    const std::byte* from = data + std::size_t{first} * sizeof(T);
    for (std::size_t i = 0; i < out.size(); ++i) {
      T value;
      std::memcpy(&value, from + i * kStep * sizeof(T), sizeof(T));
      out[i] = static_cast<Out>(base + value);
    }
  }
  template <class Low, class High, std::size_t kStep, class Out, std::size_t kExtent>
  void read_odd(std::uint32_t first, std::span<Out, kExtent> out) const {
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = static_cast<Out>(base +
                                load_odd<Low, High>(first + static_cast<std::uint32_t>(i * kStep)));
    }
  }
  // One load for each value: of the byte before it, too, so the first one is another matter.
  template <std::size_t kStep, class Out, std::size_t kExtent>
  void read_three(std::uint32_t first, std::span<Out, kExtent> out) const {
    if (out.empty()) return;
    out[0] = static_cast<Out>(base + load_odd<std::uint16_t, std::uint8_t>(first));
    for (std::size_t i = 1; i < out.size(); ++i) {
      std::uint32_t value;
      std::memcpy(&value, data + (first + i * kStep) * 3 - 1, sizeof(value));
      out[i] = static_cast<Out>(base + (value >> 8));
    }
  }
  // Of a few values only each is looked at, of many the list has the numbers of those that are in
  // it.
  template <class T, std::size_t kStep, class Out, std::size_t kExtent>
  void read_far(std::uint32_t first, std::span<Out, kExtent> out) const {
    read_as<T, kStep>(first, out);
    replace_far<kStep>(std::numeric_limits<T>::max(), first, out);
  }
  template <std::size_t kStep, class Out, std::size_t kExtent>
  void replace_far(std::uint64_t all_ones, std::uint32_t first, std::span<Out, kExtent> out) const {
    if constexpr (kExtent == std::dynamic_extent) {
      put_far<kStep>(first, out);
    } else {
      const std::uint64_t most = all_ones - far_count;  // of a value that is not in the list
      bool any = false;
      for (const Out value : out) any |= static_cast<std::uint64_t>(value) - base > most;
      if (!any) return;
      for (Out& value : out) {
        const std::uint64_t code = static_cast<std::uint64_t>(value) - base;
        if (code > most) value = static_cast<Out>(base + far_value(all_ones - code));
      }
    }
  }
  // Apart, as what is rare, so that readers stay short.
  template <std::size_t kStep, class Out>
  [[gnu::noinline]] void put_far(std::uint32_t first, std::span<Out> out) const {
    // Numbers may come from a file: none of them is believed.
    for (std::uint32_t k = first_far_from(first); k < far_count; ++k) {
      const std::uint32_t after = far_number(k) - first;
      if (after >= out.size() * kStep) return;
      if (after % kStep == 0) out[after / kStep] = static_cast<Out>(base + far_value(k));
    }
  }
  template <std::size_t kStep, class Out>
  [[gnu::noinline]] void read_other(std::uint32_t first, std::span<Out> out) const {
    if (width >= kBits) {
      for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = static_cast<Out>(at(first + static_cast<std::uint32_t>(i * kStep)));
      }
      return;
    }
    narrow().read<kStep>(first, out);
    put_far<kStep>(first, out);
  }

  PackedColumn narrow() const {
    return {data, base, static_cast<std::uint8_t>(width - kFar), 0, 0, 0};
  }
  PackedColumn far_values() const {
    return {data + value_bytes + std::size_t{far_count} * kNumberBytes, 0, far_width, 0, 0, 0};
  }
  std::uint64_t far_value(std::uint64_t k) const {
    return far_values().at(static_cast<std::uint32_t>(k));
  }
  std::uint32_t far_number(std::uint32_t k) const {
    std::uint16_t number;
    std::memcpy(&number, data + value_bytes + std::size_t{k} * kNumberBytes, sizeof(number));
    return number;
  }
  // The first in the list that belongs to slice `i` or to a later one.
  std::uint32_t first_far_from(std::uint32_t i) const;
  std::uint64_t narrow_or_far(std::uint32_t i) const;
  std::uint64_t load_bits(std::uint32_t i) const;

  template <class T>
  std::uint64_t load(std::uint32_t i) const {
    T value;
    std::memcpy(&value, data + std::size_t{i} * sizeof(T), sizeof(T));
    return value;
  }
  // Of 3, 5 or 6 bytes, written as the low bits and the high ones behind them.
  template <class Low, class High>
  std::uint64_t load_odd(std::uint32_t i) const {
    const std::byte* from = data + std::size_t{i} * (sizeof(Low) + sizeof(High));
    Low low;
    High high;
    std::memcpy(&low, from, sizeof(low));
    std::memcpy(&high, from + sizeof(low), sizeof(high));
    return low | std::uint64_t{high} << (8 * sizeof(low));
  }
};
// Every chunk has several, and many rows have a chunk of a few slices.
static_assert(sizeof(PackedColumn) == 24);

// Values that few slices have, 0 for all others: the numbers of those slices, then their values. Of
// all slices the values alone, where that takes less.
class SparseColumn {
 public:
  SparseColumn() = default;
  // Of `count` of the chunk's `slices`.
  SparseColumn(const std::byte* data, std::uint32_t count, std::uint8_t width, std::uint32_t slices)
      : data_(data), count_(count), width_(width), has_numbers_(count != slices) {}

  std::uint64_t at(std::uint32_t i) const {
    if (count_ == 0) return 0;
    if (!has_numbers_) return values().at(i);
    std::uint32_t first = 0, last = count_;
    while (first < last) {
      const std::uint32_t middle = (first + last) / 2;
      if (numbers().at(middle) < i) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    return first < count_ && numbers().at(first) == i ? values().at(first) : 0;
  }
  std::uint32_t count() const { return count_; }
  std::uint8_t width() const { return width_; }
  static std::size_t byte_count(std::size_t count, std::size_t width, std::size_t slices) {
    return count * (width + (count == slices ? 0 : kNumberBytes));
  }

 private:
  static constexpr std::uint8_t kNumberBytes = 2;

  PackedColumn numbers() const { return {data_, 0, kNumberBytes, 0, 0, 0}; }
  PackedColumn values() const {
    return {data_ + (has_numbers_ ? std::size_t{count_} * kNumberBytes : 0), 0, width_, 0, 0, 0};
  }

  // As little as this: every chunk has one, and many rows have a chunk of a few slices.
  const std::byte* data_ = nullptr;
  std::uint32_t count_ = 0;
  std::uint8_t width_ = 0;
  bool has_numbers_ = false;
};

}  // namespace cinderscope
