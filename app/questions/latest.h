// The answer to the newest question, found in the background; the answer before stays until then.
#pragma once

#include <atomic>
#include <functional>
#include <new>
#include <optional>
#include <utility>

#include "app/questions/background_task.h"

namespace cinderscope {

// A Question is a value that tells all that its answer depends on. UI thread only.
template <class Question, class Answer>
class Latest {
 public:
  using Work = typename BackgroundTask<Answer>::Work;

  // `wake` is called on another thread when poll() has something to take.
  explicit Latest(std::function<void()> wake) : task_(std::move(wake)) {}

  // It is not the question asked last. With `lets_end` it is due only once that is answered: where
  // questions come faster than answers each of these is worth seeing.
  bool is_due(const Question& question, bool lets_end = false) const {
    return asked_ != question && !(lets_end && busy());
  }
  // Replaces the question that is running. No work where the answer is the one to this question.
  void ask(const Question& question, Work work) {
    asked_ = question;
    if (whole_ && answered_ == question) {
      task_.cancel();
    } else {
      task_.start(std::move(work));
    }
  }
  // Answers on this thread unless the answer is known. Null: there is not enough memory.
  const Answer* answer_now(const Question& question, const Work& work) {
    if (is_whole() && answered_ == question) return answer();
    cancel();
    const std::atomic<bool> never{false};
    const std::function<void(Answer)> nobody = [](const Answer&) {};
    asked_ = question;
    try {
      take(work({never, nobody}), true);
    } catch (const std::bad_alloc&) {
      give_up();
    }
    return answer();
  }
  // Ends what is running; the answer stays.
  void cancel() {
    task_.cancel();
    asked_ = whole_ ? answered_ : std::nullopt;
  }
  void forget() {
    cancel();
    asked_.reset();
    answered_.reset();
    answer_.reset();
    whole_ = out_of_memory_ = false;
  }

  // Takes what was found since; true if there is anything new.
  bool poll() {
    const bool was_busy = task_.busy();  // looked at first: the answer may come between the two
    if (task_.take_out_of_memory()) {
      give_up();
      return true;
    }
    if (std::optional<Answer> answer = task_.take()) {
      take(std::move(*answer), !was_busy);
      return true;
    }
    const bool ended = !was_busy && !whole_ && answered_ && answered_ == asked_;
    if (ended) whole_ = true;
    return ended;
  }

  // Null until the first answer is there, and where memory was short.
  const Answer* answer() const { return answer_ ? &*answer_ : nullptr; }
  const std::optional<Question>& asked() const { return asked_; }
  const std::optional<Question>& answered() const { return answered_; }  // what answer() answers
  // What was asked last is answered with all that will come.
  bool is_whole() const { return whole_ && asked_ == answered_; }
  bool busy() const { return asked_.has_value() && !is_whole(); }
  // The question asked last could not be answered.
  bool out_of_memory() const { return out_of_memory_; }

 private:
  void take(Answer answer, bool whole) {
    answer_ = std::move(answer);
    answered_ = asked_;
    whole_ = whole;
    out_of_memory_ = false;
  }
  void give_up() {
    answer_.reset();
    answered_ = asked_;
    whole_ = out_of_memory_ = true;
  }

  std::optional<Question> asked_, answered_;
  std::optional<Answer> answer_;
  bool whole_ = false, out_of_memory_ = false;
  BackgroundTask<Answer> task_;  // last: its worker ends before what it works at goes
};

}  // namespace cinderscope
