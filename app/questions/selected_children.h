// The children of the selected slice, added up by name.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "app/questions/latest.h"
#include "app/session/session.h"
#include "ingest/totals/child_totals.h"

namespace cinderscope {

// One for each tab. UI thread only. Few children are there at once, many are added up in the
// background.
class SelectedChildren {
 public:
  // `wake` is called on another thread when poll() has something to take.
  explicit SelectedChildren(std::function<void()> wake) : totals_(std::move(wake)) {}

  // To be called while they are shown.
  void ask(const Session& session);
  // True if there is something new to draw.
  bool poll() { return totals_.poll(); }
  bool busy() const { return totals_.busy(); }
  // Null before the first count of the selected slice's children.
  const ChildTotals* found() const;

 private:
  struct Question {
    SliceRef slice;
    std::uint64_t generation = 0, version = 0;  // of the session
    bool is_of_same_slice(const Question& other) const {
      return slice == other.slice && generation == other.generation;
    }
    bool operator==(const Question&) const = default;
  };
  Latest<Question, ChildTotals> totals_;
};

}  // namespace cinderscope
