#include "ingest/sql/tables/regexp_match.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "ingest/base/parallel.h"
#include "ingest/base/ui_priority.h"

namespace cinderscope {
namespace {

constexpr std::int64_t kMostExpressionBytes = 8 << 20;
constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 33;  // some 40 s
constexpr std::chrono::milliseconds kBetweenLooks(5);
constexpr int kMostAbandoned = 4;

// Matches whose runs were cancelled and that still work, in all of the program.
std::atomic<int> abandoned_matches = 0;

bool found_in(std::string_view text, const RE2& expression) {
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), expression);
}

// A match on a thread of its own, which nobody can end: it has all that it needs, and goes on for
// nobody once the run has ended.
struct Aside {
  std::shared_ptr<const RE2> expression;
  std::string text;
  std::mutex mutex;
  std::condition_variable done;
  bool is_done = false, found = false, is_abandoned = false;  // guarded
};

bool found_aside(std::shared_ptr<const RE2> expression, std::string_view text,
                 const std::atomic<bool>& stop) {
  const auto aside = std::make_shared<Aside>();
  aside->expression = std::move(expression);
  aside->text = text;
  std::thread worker = started_thread([aside] {
    lower_this_thread();
    const bool found = found_in(aside->text, *aside->expression);
    const std::lock_guard lock(aside->mutex);
    aside->found = found;
    aside->is_done = true;
    if (aside->is_abandoned) --abandoned_matches;
    aside->done.notify_one();
  });
  if (!worker.joinable()) return found_in(text, *aside->expression);
  worker.detach();
  std::unique_lock lock(aside->mutex);
  while (!aside->is_done && !stop) aside->done.wait_for(lock, kBetweenLooks);
  if (!aside->is_done) {
    aside->is_abandoned = true;
    ++abandoned_matches;
  }
  return aside->found;
}

}  // namespace

std::string RegexpMatch::set(const std::string& expression) {
  RE2::Options options(RE2::Quiet);
  options.set_max_mem(kMostExpressionBytes);
  expression_ = std::make_shared<const RE2>(expression, options);
  return expression_->ok() ? "" : "REGEXP: " + expression_->error();
}

bool RegexpMatch::matches(std::string_view text, const QueryData& data,
                          std::uint64_t few_steps) const {
  if (expression_ == nullptr || data.stopped()) return false;
  const auto size = static_cast<std::uint64_t>(expression_->ProgramSize());
  const std::uint64_t steps = size * text.size();
  if (steps <= few_steps) return found_in(text, *expression_);
  if (steps > kMostSteps) {
    data.fail(fmt::format(
        "REGEXP: this expression is too complex for a text of {:.1f} MB: it could take minutes",
        static_cast<double>(text.size()) / (1 << 20)));
    return false;
  }
  if (abandoned_matches >= kMostAbandoned) {
    data.fail("REGEXP: matches of cancelled questions still run; try again in some seconds");
    return false;
  }
  return found_aside(expression_, text, data.stop_flag());
}

}  // namespace cinderscope
