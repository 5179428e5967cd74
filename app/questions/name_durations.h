// The histogram of all calls of the selected call's name, made in the background.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "app/questions/latest.h"
#include "app/session/session.h"
#include "ingest/totals/durations/duration_histogram.h"

namespace cinderscope {

// One for each tab. UI thread only. Counts the whole trace: all threads, or the selected call's
// track if that is not a thread's.
class NameDurations {
 public:
  // `wake` is called on another thread when poll() has something to take.
  explicit NameDurations(std::function<void()> wake) : durations_(std::move(wake)) {}

  // To be called while the histogram is shown. Another call of the same name asks for nothing new.
  void ask(const Session& session);
  // True if there is something new to draw.
  bool poll() { return durations_.poll(); }
  // Part of the answer is still to come.
  bool busy() const { return durations_.busy(); }
  // Null before the first count of the selected call's name.
  const DurationHistogram* found() const;

 private:
  struct Question {
    StringId name = kNoName;
    TrackId track = kNoTrack;
    const StringPool* strings = nullptr;  // of the name; a reload gives another
    std::uint64_t version = 0;            // of the session

    bool is_of_same_calls(const Question& other) const {
      return name == other.name && track == other.track && strings == other.strings;
    }
    bool operator==(const Question&) const = default;
  };
  static std::optional<Question> question_of(const Session& session);

  Latest<Question, DurationHistogram> durations_;
};

}  // namespace cinderscope
