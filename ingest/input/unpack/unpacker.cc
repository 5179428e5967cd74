#include "ingest/input/unpack/unpacker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "ingest/base/grouped_text.h"
#include "ingest/input/unpack/checkpoints.h"
#include "ingest/input/unpack/decoders.h"

namespace cinderscope {
namespace {

constexpr std::size_t kOutBytes = 256u << 10;
constexpr std::size_t kSkippableHeaderBytes = 8;

bool all_zero(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

}  // namespace

// One level of packing. Members follow each other; their magic is looked at between them.
class Unpacker::Stage {
 public:
  Stage(Sink sink, Diagnostics& damage, Checkpoints* checkpoints)
      : sink_(std::move(sink)), damage_(damage), checkpoints_(checkpoints) {}

  void resume(std::unique_ptr<Decoder> within) {
    decoder_ = std::move(within);
    members_ = 1;
  }

  void make_in(Room room, const Stage& inside) {
    room_ = std::move(room);
    inside_ = &inside;
  }

  bool is_plain() const { return plain_; }
  bool has_begun() const { return plain_ || members_ > 0; }

  bool feed(std::span<const std::byte> bytes) {
    if (bytes.empty() && decoder_) decode(bytes);
    while (!bytes.empty() && !stopped_) {
      if (plain_) {
        stopped_ = !sink_(bytes);
        break;
      }
      if (skip_bytes_ > 0) {
        const std::size_t skipped = skip(bytes.size());
        pass(bytes.first(skipped));
        bytes = bytes.subspan(skipped);
      } else if (decoder_) {
        bytes = decode(bytes);
      } else {
        bytes = begin_member(bytes);
      }
    }
    return !stopped_;
  }

  // What is wrong if the content ends here.
  void tell_end(Diagnostics& damage) const {
    if (stopped_) return;
    if (!decoder_ && skip_bytes_ == 0 && !start_.empty()) {
      if (members_ == 0) return;  // too few bytes to be anything but plain
      if (packing_of(start_) != Packing::none) {
        report_truncated(damage);  // a skippable frame that ends within its header
      } else {
        report_trailing(start_, damage);
      }
    } else if (decoder_ || skip_bytes_ > 0) {
      report_truncated(damage);
    }
  }

  void finish() {
    tell_end(damage_);
    if (!stopped_ && !decoder_ && skip_bytes_ == 0 && members_ == 0 && !start_.empty()) {
      sink_(start_);
    }
    if (checkpoints_ != nullptr) checkpoints_->note_end(offset_bytes_, made_bytes_);
    stopped_ = true;
  }

  std::size_t kept_bytes() const {
    return sizeof(Stage) + start_.capacity() + out_.capacity() +
           (decoder_ ? decoder_->kept_bytes() : 0);
  }

 private:
  std::span<const std::byte> begin_member(std::span<const std::byte> bytes) {
    if (members_ == 0 && start_.empty() && !may_be_packed(bytes.front())) {
      plain_ = true;
      return bytes;
    }
    std::size_t wanted = kPackingMagicBytes;
    if (start_.size() >= wanted) wanted = kSkippableHeaderBytes;
    const std::size_t taken = std::min(wanted - start_.size(), bytes.size());
    start_.insert(start_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(taken));
    bytes = bytes.subspan(taken);
    if (start_.size() < wanted) return bytes;

    const Packing packing = packing_of(start_);
    if (packing == Packing::skippable && start_.size() < kSkippableHeaderBytes) return bytes;
    const std::vector<std::byte> start = std::move(start_);
    start_.clear();
    if (packing == Packing::none) {
      if (members_ == 0) {
        plain_ = true;
        stopped_ = !sink_(start);
      } else if (!all_zero(start) || !all_zero(bytes)) {
        report_trailing(start, damage_);
        stopped_ = true;
      } else {
        pass(start);  // padding, as tapes have it
        pass(bytes);
        bytes = {};
      }
      return bytes;
    }
    ++members_;
    if (packing == Packing::skippable) {
      pass(start);
      for (std::size_t i = kSkippableHeaderBytes; i-- > kPackingMagicBytes;) {
        skip_bytes_ = skip_bytes_ << 8 | std::to_integer<std::uint64_t>(start[i]);
      }
      return bytes;
    }
    if (checkpoints_ != nullptr) checkpoints_->note_member(offset_bytes_, made_bytes_);
    packing_ = packing;
    decoder_ = make_decoder(packing);
    if (!decoder_) {
      report_damaged("there is no memory to unpack it");
      return {};
    }
    for (std::span<const std::byte> left = start; !left.empty() && decoder_ && !stopped_;) {
      left = decode(left);
    }
    return bytes;
  }

  void pass(std::span<const std::byte> packed) {
    offset_bytes_ += packed.size();
    if (checkpoints_ != nullptr) checkpoints_->note_packed(packed);
  }

  std::size_t skip(std::size_t most) {
    const std::uint64_t skipped = std::min<std::uint64_t>(skip_bytes_, most);
    skip_bytes_ -= skipped;
    return static_cast<std::size_t>(skipped);
  }

  // Also called once the input is used up, until the decoder has given all that it holds.
  std::span<const std::byte> decode(std::span<const std::byte> bytes) {
    while (true) {
      const std::span<std::byte> out = next_out();
      const Decoder::Step step = decoder_->step(bytes, out);
      pass(bytes.first(step.consumed_bytes));
      bytes = bytes.subspan(step.consumed_bytes);
      const std::span<const std::byte> made = out.first(step.produced_bytes);
      made_bytes_ += made.size();
      if (!made.empty() && !sink_(made)) {
        stopped_ = true;
        return {};
      }
      if (checkpoints_ != nullptr && step.state == Decoder::State::more) {
        checkpoints_->note_step(offset_bytes_, made_bytes_, packing_, *decoder_);
      }
      if (step.state == Decoder::State::damaged) {
        report_damaged(step.problem);
        return {};
      }
      if (step.state == Decoder::State::member_end) {
        decoder_.reset();
        return bytes;
      }
      if (step.produced_bytes < out.size() && (bytes.empty() || step.consumed_bytes == 0)) {
        return bytes.empty() ? bytes : no_progress();
      }
    }
  }

  std::span<std::byte> next_out() {
    std::span<std::byte> out;
    if (room_ && inside_->is_plain()) out = room_();
    if (!out.empty()) return out;
    if (out_.empty()) out_.resize(kOutBytes);
    return out_;
  }

  std::span<const std::byte> no_progress() {
    report_damaged("the decoder does not get on");
    return {};
  }

  void report_truncated(Diagnostics& damage) const {
    damage.count(diagnostic::kTruncatedCompression, static_cast<std::int64_t>(offset_bytes_),
                 fmt::format("The compressed data end too early, after {} bytes; what could be "
                             "unpacked is shown.",
                             grouped(offset_bytes_)));
  }

  void report_damaged(std::string_view problem) {
    damage_.count(diagnostic::kUnpackedInPart, static_cast<std::int64_t>(offset_bytes_),
                  fmt::format("The compressed data are damaged at byte {} ({}); what could be "
                              "unpacked before is shown.",
                              grouped(offset_bytes_), problem));
    decoder_.reset();
    stopped_ = true;
  }

  void report_trailing(std::span<const std::byte> rest, Diagnostics& damage) const {
    if (!all_zero(rest) || rest.size() >= kPackingMagicBytes) {
      damage.count(diagnostic::kDamagedCompression, static_cast<std::int64_t>(offset_bytes_),
                   fmt::format("After the compressed data, at byte {}, something else follows; it "
                               "is left out.",
                               grouped(offset_bytes_)));
    }
  }

  Sink sink_;
  Room room_;                      // null: nowhere in particular
  const Stage* inside_ = nullptr;  // what takes the bytes that come out
  Diagnostics& damage_;
  Checkpoints* checkpoints_;  // null: nobody needs them
  bool plain_ = false, stopped_ = false;
  std::uint64_t members_ = 0, skip_bytes_ = 0, offset_bytes_ = 0, made_bytes_ = 0;
  Packing packing_ = Packing::none;  // of the member that goes on
  std::vector<std::byte> start_;     // first bytes of a member, until they tell what it is
  std::unique_ptr<Decoder> decoder_;
  std::vector<std::byte> out_;
};

Unpacker::Unpacker(const Sink& sink, int most_packings, Checkpoints* checkpoints) {
  Sink next = sink;
  for (int level = 0; level < most_packings; ++level) {
    const bool is_outermost = level + 1 == most_packings;
    stages_.push_back(
        std::make_unique<Stage>(std::move(next), damage_, is_outermost ? checkpoints : nullptr));
    next = [stage = stages_.back().get()](std::span<const std::byte> bytes) {
      return stage->feed(bytes);
    };
  }
}

std::unique_ptr<Unpacker> Unpacker::from_checkpoint(const Sink& sink,
                                                    std::unique_ptr<Decoder> within) {
  auto unpacker = std::make_unique<Unpacker>(sink, 1);
  if (within) unpacker->stages_.back()->resume(std::move(within));
  return unpacker;
}

void Unpacker::make_in(Room room) {
  if (stages_.size() > 1) stages_.back()->make_in(std::move(room), *stages_[stages_.size() - 2]);
}

Unpacker::~Unpacker() = default;

bool Unpacker::feed(std::span<const std::byte> bytes) {
  return stages_.back()->feed(bytes);
}

Diagnostics Unpacker::damage_at_end() const {
  Diagnostics damage = damage_;
  for (std::size_t i = stages_.size(); i-- > 0;) stages_[i]->tell_end(damage);
  return damage;
}

bool Unpacker::is_packed_once() const {
  if (stages_.size() < 2 || stages_.back()->is_plain()) return false;
  const Stage& inside = *stages_[stages_.size() - 2];
  return !inside.has_begun() || inside.is_plain();
}

std::size_t Unpacker::kept_bytes() const {
  std::size_t sum = sizeof(Unpacker);
  for (const auto& stage : stages_) sum += stage->kept_bytes();
  return sum;
}

void Unpacker::finish() {
  for (std::size_t i = stages_.size(); i-- > 0;) stages_[i]->finish();
}

}  // namespace cinderscope
