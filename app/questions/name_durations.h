// All calls of the selected call's name, counted in the background.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "app/questions/background_task.h"
#include "app/session/session.h"
#include "ingest/totals/duration_histogram.h"

namespace cinderscope {

// One per tab. UI thread only. Counted is the whole trace: all threads, or the one track of the
// selected call where that is none of a thread.
class NameDurations {
 public:
  // `wake` is called on another thread when poll() has something to take.
  explicit NameDurations(std::function<void()> wake) : task_(std::move(wake)) {}

  // While it is shown: asks for what the selection needs and is not known yet. Another call of the
  // same name needs nothing.
  void ask(const Session& session);
  // True if there is something new to draw.
  bool poll();
  // What was asked for is not all there yet.
  bool busy() const { return asked_ && (answered_ != asked_ || !histogram_.whole); }
  // Null while nothing is known of the selected call's name.
  const DurationHistogram* found() const;

 private:
  struct Question {
    StringId name = kNoName;
    TrackId track = kNoTrack;
    const StringPool* strings = nullptr;  // what the name means; another one after a reload
    std::uint64_t generation = 0, children_generation = 0;

    bool is_of_same_calls(const Question& other) const {
      return name == other.name && track == other.track && strings == other.strings;
    }
    bool operator==(const Question&) const = default;
  };
  static std::optional<Question> question_of(const Session& session);

  std::optional<Question> asked_, answered_;
  DurationHistogram histogram_;
  BackgroundTask<DurationHistogram> task_;
};

}  // namespace cinderscope
