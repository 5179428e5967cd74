#include "ingest/part/number_list.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <system_error>
#include <utility>

#include "ingest/os/temporary_file.h"

namespace cinderscope {

NumberList::NumberList(std::size_t window) : most_(std::max<std::size_t>(window, 2)) {}
NumberList::~NumberList() = default;

void NumberList::add(std::int64_t number) {
  if (window_.size() == most_) move_to_disk(most_ / 2);
  window_.push_back(number);
}

void NumberList::take_off(std::uint64_t at, std::int64_t amount) {
  if (at >= on_disk_) {
    window_[at - on_disk_] -= amount;
    return;
  }
  if (taken_.size() >= most_) take_off_on_disk();
  taken_[at] += amount;
}

Status NumberList::finish() {
  take_off_on_disk();
  return status_;
}

std::int64_t NumberList::at(std::uint64_t at) const {
  if (at >= on_disk_) return window_[at - on_disk_];
  if (file_ == nullptr || !status_) return 0;
  std::int64_t number = 0;
  std::memcpy(&number, file_->data() + at * sizeof number, sizeof number);
  return number;
}

void NumberList::move_to_disk(std::size_t count) {
  write(on_disk_, window_.data(), count);
  window_.erase(window_.begin(), window_.begin() + static_cast<std::ptrdiff_t>(count));
  on_disk_ += count;
}

void NumberList::take_off_on_disk() {
  for (const auto& [place, amount] : taken_) {
    const std::int64_t number = at(place) - amount;
    write(place, &number, 1);
  }
  taken_.clear();
}

void NumberList::write(std::uint64_t at, const std::int64_t* numbers, std::size_t count) {
  if (!status_) return;
  if (file_ == nullptr) {
    Result<std::unique_ptr<TemporaryFile>> made = TemporaryFile::create();
    if (!made) {
      status_ = made.error();
      return;
    }
    file_ = std::move(*made);
  }
  constexpr std::uint64_t kStepBytes = 64u << 20;
  const std::uint64_t end = (at + count) * sizeof *numbers;
  std::error_code error;
  if (end > file_->size_bytes()) error = file_->lengthen((end / kStepBytes + 1) * kStepBytes);
  if (!error) {
    file_->write(at * sizeof *numbers, std::as_bytes(std::span(numbers, count)), error);
  }
  if (error) {
    status_ = Error{ErrorCode::cannot_read,
                    "A temporary file cannot be written: " + error.message() + ".",
                    {},
                    kNoOffset};
  }
}

}  // namespace cinderscope
