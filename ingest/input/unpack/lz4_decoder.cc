#include "ingest/input/unpack/lz4_decoder.h"

#include <lz4.h>
#include <lz4frame.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace cinderscope {
namespace {

constexpr std::size_t kLookBackBytes = 64u << 10;
constexpr std::uint32_t kPlainBlock = 0x80000000u;

std::uint32_t word_at(const std::byte* bytes) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

// What of a frame's header (lz4_Frame_format) its blocks depend on.
struct Lz4Frame {
  bool linked = false, has_block_sums = false, has_sum = false;
  std::uint8_t size_code = 0;  // of the longest block

  static Lz4Frame of(std::byte flags, std::byte sizes) {
    const auto flag = std::to_integer<unsigned>(flags);
    return {.linked = (flag & 0x20) == 0,
            .has_block_sums = (flag & 0x10) != 0,
            .has_sum = (flag & 0x04) != 0,
            .size_code = static_cast<std::uint8_t>(std::to_integer<unsigned>(sizes) >> 4 & 7)};
  }
  std::size_t block_bytes() const { return std::size_t{1} << (8 + 2 * size_code); }
  std::size_t sum_bytes() const { return has_block_sums ? 4 : 0; }
};

// Where blocks begin, told by the packed bytes alone.
class Lz4Borders {
 public:
  // Bytes up to the next border, or to where it will be known.
  std::uint64_t left() const { return left_; }
  bool at_border() const { return part_ == Part::size && known_ == 0; }
  const Lz4Frame& frame() const { return frame_; }

  void pass(std::span<const std::byte> bytes) {  // at most left()
    left_ -= bytes.size();
    if (part_ == Part::header || part_ == Part::size) {
      std::copy(bytes.begin(), bytes.end(), start_.begin() + static_cast<std::ptrdiff_t>(known_));
      known_ += bytes.size();
    }
    if (left_ == 0) next_part();
  }

 private:
  enum class Part : std::uint8_t { header, size, block, end };

  void next_part() {
    if (part_ == Part::header) {
      const auto flags = std::to_integer<unsigned>(start_[4]);
      const std::size_t whole =
          kLeastHeader + ((flags & 8) != 0 ? 8 : 0) + ((flags & 1) != 0 ? 4 : 0);
      left_ = whole - known_;
      if (left_ > 0) return;
      frame_ = Lz4Frame::of(start_[4], start_[5]);
    } else if (part_ == Part::size) {
      const std::uint32_t size = word_at(start_.data());
      part_ = size == 0 ? Part::end : Part::block;
      left_ = size == 0 ? UINT64_MAX : (size & ~kPlainBlock) + frame_.sum_bytes();
      if (left_ > 0) return;
    }
    part_ = Part::size;
    left_ = sizeof(std::uint32_t);
    known_ = 0;
  }

  static constexpr std::size_t kLeastHeader = 7, kMostHeader = 19;
  Part part_ = Part::header;
  std::uint64_t left_ = kLeastHeader;
  std::array<std::byte, kMostHeader> start_{};  // of the header, or of a block
  std::size_t known_ = 0;
  Lz4Frame frame_;
};

// The last bytes that came out.
class LookBack {
 public:
  void add(std::span<const std::byte> bytes) {
    if (bytes.size() >= kLookBackBytes) {
      const auto last = bytes.last(kLookBackBytes);
      bytes_.assign(last.begin(), last.end());
      return;
    }
    if (bytes_.size() + bytes.size() > 4 * kLookBackBytes) {
      bytes_.erase(bytes_.begin(), bytes_.end() - static_cast<std::ptrdiff_t>(kLookBackBytes));
    }
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  std::span<const std::byte> bytes() const {
    return std::span(bytes_).last(std::min(kLookBackBytes, bytes_.size()));
  }
  std::size_t kept_bytes() const { return bytes_.capacity(); }

 private:
  std::vector<std::byte> bytes_;
};

class Lz4Decoder : public Decoder {
 public:
  Lz4Decoder() : ok_(LZ4F_isError(LZ4F_createDecompressionContext(&context_, LZ4F_VERSION)) == 0) {}
  ~Lz4Decoder() override { LZ4F_freeDecompressionContext(context_); }
  Lz4Decoder(const Lz4Decoder&) = delete;
  Lz4Decoder& operator=(const Lz4Decoder&) = delete;
  bool ok() const { return ok_; }

  Step step(std::span<const std::byte> in, std::span<std::byte> out) override {
    auto in_bytes = static_cast<std::size_t>(std::min<std::uint64_t>(in.size(), borders_.left()));
    std::size_t out_bytes = out.size();
    const std::size_t hint =
        LZ4F_decompress(context_, out.data(), &out_bytes, in.data(), &in_bytes, nullptr);
    if (LZ4F_isError(hint) != 0) return {0, 0, State::damaged, LZ4F_getErrorName(hint)};
    borders_.pass(in.first(in_bytes));
    if (borders_.frame().linked) look_back_.add(out.first(out_bytes));
    holds_back_ = out_bytes == out.size();
    return {in_bytes, out_bytes, hint == 0 ? State::member_end : State::more, {}};
  }

  // A block as packed, one as unpacked, and the window before it.
  std::size_t kept_bytes() const override {
    constexpr std::size_t kWindowBytes = std::size_t{128} << 10;
    return 2 * borders_.frame().block_bytes() + kWindowBytes + look_back_.kept_bytes();
  }

  std::vector<std::byte> saved() const override {
    if (!borders_.at_border() || holds_back_) return {};
    std::vector<std::byte> saved(sizeof(Lz4Frame));
    std::memcpy(saved.data(), &borders_.frame(), sizeof(Lz4Frame));
    const std::span<const std::byte> before = look_back_.bytes();
    saved.insert(saved.end(), before.begin(), before.end());
    return saved;
  }

 private:
  LZ4F_dctx* context_ = nullptr;
  Lz4Borders borders_;
  LookBack look_back_;
  bool ok_, holds_back_ = false;
};

// From a block on.
class Lz4BlockDecoder : public Decoder {
 public:
  Lz4BlockDecoder(const Lz4Frame& frame, std::span<const std::byte> before) : frame_(frame) {
    look_back_.add(before);
    plain_.resize(frame.block_bytes());
  }

  Step step(std::span<const std::byte> in, std::span<std::byte> out) override {
    Step step;
    while (true) {
      const std::size_t given = std::min(out.size() - step.produced_bytes, made_ - given_);
      std::memcpy(out.data() + step.produced_bytes, plain_.data() + given_, given);
      given_ += given;
      step.produced_bytes += given;
      if (given_ < made_) return step;
      const std::size_t taken = std::min(in.size() - step.consumed_bytes, wanted_ - packed_.size());
      const std::span<const std::byte> more = in.subspan(step.consumed_bytes, taken);
      packed_.insert(packed_.end(), more.begin(), more.end());
      step.consumed_bytes += taken;
      if (packed_.size() < wanted_) return step;
      if (!take_unit(step)) return step;
    }
  }

  std::size_t kept_bytes() const override {
    return plain_.capacity() + packed_.capacity() + look_back_.kept_bytes();
  }

 private:
  // A size, a block or the frame's sum is whole. False at the frame's end and at damage.
  bool take_unit(Step& step) {
    const std::vector<std::byte> unit = std::exchange(packed_, {});
    if (in_block_) {
      in_block_ = false;
      wanted_ = sizeof(std::uint32_t);
      return unpack(unit, step);
    }
    const std::uint32_t size = at_end_ ? 0 : word_at(unit.data());
    if (size == 0) {
      const bool sum_follows = frame_.has_sum && !at_end_;
      at_end_ = true;
      if (!sum_follows) step.state = State::member_end;
      return sum_follows;
    }
    is_plain_ = (size & kPlainBlock) != 0;
    in_block_ = true;
    wanted_ = (size & ~kPlainBlock) + frame_.sum_bytes();
    if ((size & ~kPlainBlock) <= frame_.block_bytes()) return true;
    return damaged(step);
  }

  bool unpack(std::span<const std::byte> unit, Step& step) {
    const std::span<const std::byte> block = unit.first(unit.size() - frame_.sum_bytes());
    given_ = 0;
    if (is_plain_) {
      std::ranges::copy(block, plain_.begin());
      made_ = block.size();
    } else {
      const std::span<const std::byte> before = look_back_.bytes();
      const int made = LZ4_decompress_safe_usingDict(
          reinterpret_cast<const char*>(block.data()), reinterpret_cast<char*>(plain_.data()),
          static_cast<int>(block.size()), static_cast<int>(plain_.size()),
          reinterpret_cast<const char*>(before.data()), static_cast<int>(before.size()));
      if (made < 0) return damaged(step);
      made_ = static_cast<std::size_t>(made);
    }
    if (frame_.linked) look_back_.add(std::span(plain_).first(made_));
    return true;
  }

  bool damaged(Step& step) {
    made_ = given_ = 0;
    step.state = State::damaged;
    step.problem = "invalid block";
    return false;
  }

  const Lz4Frame frame_;
  LookBack look_back_;
  std::vector<std::byte> packed_, plain_;
  std::size_t wanted_ = sizeof(std::uint32_t), made_ = 0, given_ = 0;
  bool in_block_ = false, is_plain_ = false, at_end_ = false;
};

}  // namespace

std::unique_ptr<Decoder> make_lz4_decoder() {
  auto decoder = std::make_unique<Lz4Decoder>();
  if (!decoder->ok()) return nullptr;
  return decoder;
}

std::unique_ptr<Decoder> resumed_lz4_decoder(std::span<const std::byte> saved) {
  std::array<std::uint8_t, sizeof(Lz4Frame)> fields{};
  if (saved.size() < fields.size() || saved.size() > fields.size() + kLookBackBytes) return nullptr;
  std::memcpy(fields.data(), saved.data(), fields.size());
  const auto [linked, has_block_sums, has_sum, size_code] = fields;
  if (linked > 1 || has_block_sums > 1 || has_sum > 1 || size_code < LZ4F_max64KB ||
      size_code > LZ4F_max4MB) {
    return nullptr;
  }
  const Lz4Frame frame{.linked = linked != 0,
                       .has_block_sums = has_block_sums != 0,
                       .has_sum = has_sum != 0,
                       .size_code = size_code};
  return std::make_unique<Lz4BlockDecoder>(frame, saved.subspan(fields.size()));
}

}  // namespace cinderscope
