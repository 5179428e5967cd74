// Columns of a chunk, in as few bytes as their values need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace cinderscope {

// Unsigned values relative to a base, 0 to 6 or 8 bytes each (0: all are the base). Columns that
// are read for all slices of a trace do without those widths that take longer.
struct PackedColumn {
  const std::byte* data = nullptr;
  std::uint64_t base = 0;
  std::uint8_t width = 0;

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
      default:
        return base;
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
        return read_odd<std::uint16_t, std::uint8_t, kStep>(first, out);
      case 5:
        return read_odd<std::uint32_t, std::uint8_t, kStep>(first, out);
      case 6:
        return read_odd<std::uint32_t, std::uint16_t, kStep>(first, out);
      default:
        for (Out& value : out) value = static_cast<Out>(base);
    }
  }

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

  PackedColumn numbers() const { return {data_, 0, kNumberBytes}; }
  PackedColumn values() const {
    return {data_ + (has_numbers_ ? std::size_t{count_} * kNumberBytes : 0), 0, width_};
  }

  // As little as this: every chunk has one, and many rows have a chunk of a few slices.
  const std::byte* data_ = nullptr;
  std::uint32_t count_ = 0;
  std::uint8_t width_ = 0;
  bool has_numbers_ = false;
};

}  // namespace cinderscope
