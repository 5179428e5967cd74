// Pieces that several threads make and that are used in order.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "ingest/base/parallel.h"
#include "ingest/base/ui_priority.h"

namespace cinderscope {

// `make` makes the i-th piece, on any thread and several at once; `use` gets them in order, one at
// a time, on whichever thread has the first one ready. A Piece has clear(). What `make` has of a
// piece that becomes long goes to `use` by its last argument, which waits for the turn of the
// piece: so at most jobs + 2 pieces of a bounded length are there.
template <class Piece>
class OrderedPieces {
 public:
  // False: nothing more is wanted.
  using PassOn = std::function<bool()>;
  using Make = std::function<void(std::size_t i, Piece& piece, const PassOn& pass_on)>;
  // `whole`: nothing more comes of the piece. False: nothing more is wanted.
  using Use = std::function<bool(std::size_t i, Piece& piece, bool whole)>;

  OrderedPieces(std::size_t count, unsigned jobs, Make make, Use use)
      : count_(count), jobs_(std::max(1u, jobs)), make_(std::move(make)), use_(std::move(use)) {}

  // False: `use` wanted no more. What `make` or `use` throws is thrown again.
  bool run() {
    const std::size_t workers = std::min<std::size_t>(jobs_, count_);
    parallel_for(workers, jobs_, [this](std::size_t) { work(); });
    return !stopped_;
  }

 private:
  void work() {
    try {
      std::unique_lock lock(mutex_);
      for (;;) {
        changed_.wait(lock, [this] { return stopped_ || all_begun() || may_begin(); });
        if (stopped_ || all_begun()) return;
        const std::size_t i = next_++;
        std::unique_ptr<Piece> piece = spare_piece();
        lock.unlock();
        yield_to_ui();
        make_(i, *piece, [this, i, &piece] { return pass_on(i, *piece); });
        lock.lock();
        made_[i] = std::move(piece);
        use_made(lock);
      }
    } catch (...) {
      stop();
      throw;
    }
  }

  bool all_begun() const { return next_ == count_; }
  bool may_begin() const { return next_ < turn_ + jobs_ + 2; }

  // Whoever finds the next piece ready uses it, and those that become ready meanwhile.
  void use_made(std::unique_lock<std::mutex>& lock) {
    while (!using_ && !stopped_) {
      const std::size_t i = turn_;
      const auto first = made_.find(i);
      if (first == made_.end()) return;
      std::unique_ptr<Piece> piece = std::move(first->second);
      made_.erase(first);
      using_ = true;
      lock.unlock();
      const bool goes_on = use_(i, *piece, true);
      piece->clear();
      lock.lock();
      using_ = false;
      ++turn_;
      spare_.push_back(std::move(piece));
      if (!goes_on) stopped_ = true;
      changed_.notify_all();
    }
  }

  bool pass_on(std::size_t i, Piece& piece) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this, i] { return stopped_ || (turn_ == i && !using_); });
      if (stopped_) return false;
    }
    if (use_(i, piece, false)) return true;
    stop();
    return false;
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

  std::unique_ptr<Piece> spare_piece() {
    if (spare_.empty()) return std::make_unique<Piece>();
    std::unique_ptr<Piece> piece = std::move(spare_.back());
    spare_.pop_back();
    return piece;
  }

  const std::size_t count_;
  const unsigned jobs_;
  const Make make_;
  const Use use_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t next_ = 0;  // to be made
  std::size_t turn_ = 0;  // to be used
  bool using_ = false, stopped_ = false;
  std::map<std::size_t, std::unique_ptr<Piece>> made_;
  std::vector<std::unique_ptr<Piece>> spare_;
};

}  // namespace cinderscope
