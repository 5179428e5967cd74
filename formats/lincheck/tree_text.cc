#include "formats/lincheck/tree_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "formats/lincheck/point_text.h"
#include "formats/lincheck/thread_walk.h"

namespace cinderscope::lincheck {
namespace {

constexpr std::uint64_t kStepsBetweenLooks = 1024;  // at whether it was cancelled
constexpr std::uint64_t kWidestIndent = 2000;       // a line must not grow with a million levels

// What a container's header does not say.
struct ContainerFacts {
  Record footer = kNoRecord;
  std::int64_t end = INT64_MAX;  // number of the next event of the thread
  std::uint64_t children = 0;
};

class ThreadText {
 public:
  ThreadText(const Lookup& names, const TreeRequest& request, const TreeSink& write,
             const LoadControl& control, std::uint32_t thread)
      : names_(names), request_(request), write_(write), control_(control), thread_(thread) {}

  // False if nothing more is wanted.
  bool print() { return look_ahead() && print_lines(); }

 private:
  ThreadWalk walk() const { return {names_.data(), names_.layout(), names_.map(), thread_}; }
  EventClock clock() const {
    const ThreadStream& stream = names_.map().threads[thread_];
    return EventClock(stream.blocks.empty() ? 0 : names_.map().blocks[stream.blocks.front()].clock);
  }
  bool stopped() { return ++steps_ % kStepsBetweenLooks == 0 && control_.cancelled(); }

  // A call's line shows its result, which is written behind its children.
  bool look_ahead() {
    ThreadWalk at = walk();
    EventClock events = clock();
    std::vector<std::size_t> open, ended;
    WalkStep step;
    while (at.next(step)) {
      if (stopped()) return false;
      if (step.is_footer) {
        facts_[open.back()].footer = step.at;
        ended.push_back(open.back());
        open.pop_back();
        continue;
      }
      const std::int64_t event = events.number(step.head.event);
      for (const std::size_t container : ended) facts_[container].end = event;
      ended.clear();
      if (!open.empty()) ++facts_[open.back()].children;
      if (!is_container(step.head.point)) continue;
      open.push_back(facts_.size());
      facts_.emplace_back();
    }
    return true;
  }

  bool print_lines() {
    ThreadWalk at = walk();
    EventClock events = clock();
    WalkStep step;
    std::size_t container = 0;
    LineOptions options{.with_places = request_.verbose, .mark_unchanged = names_.map().is_diff};
    std::vector<std::int32_t> callers;  // methods of the open calls
    while (at.next(step)) {
      if (stopped()) return false;
      if (step.is_footer) {
        if (step.head.point == PointClass::call) callers.pop_back();
        continue;
      }
      options.caller = callers.empty() ? kNoId : callers.back();
      if (step.head.point == PointClass::call) callers.push_back(step.first_id);
      const bool contains = is_container(step.head.point);
      const std::uint64_t level = at.depth() - (contains ? 1 : 0);  // 0: a root
      const std::int64_t event = events.number(step.head.event);
      const ContainerFacts facts = contains ? facts_[container++] : ContainerFacts{};
      const std::int64_t end = contains ? facts.end : event + 1;
      if (request_.depth != 0 && level >= request_.depth) continue;
      if (event >= request_.end || end <= request_.begin) continue;
      begin_line(level);
      append_line(line_, step.at, facts.footer, names_, options);
      if (!end_line()) return false;
      if (request_.depth == 0 || level + 1 != request_.depth || facts.children == 0) continue;
      begin_line(level + 1);
      if (facts.children == 1) {
        line_ += "... <unloaded child>";
      } else {
        fmt::format_to(std::back_inserter(line_), "... <{} unloaded children>", facts.children);
      }
      if (!end_line()) return false;
    }
    return true;
  }

  void begin_line(std::uint64_t level) {
    line_.assign(static_cast<std::size_t>(2 * std::min(level, kWidestIndent)), ' ');
  }
  bool end_line() {
    line_ += '\n';
    return write_(line_);
  }

  const Lookup& names_;
  const TreeRequest& request_;
  const TreeSink& write_;
  const LoadControl& control_;
  std::uint32_t thread_;
  std::vector<ContainerFacts> facts_;  // in order of their headers
  std::uint64_t steps_ = 0;
  std::string line_;
};

}  // namespace

std::string thread_title(std::int32_t id, const Lookup& names) {
  std::string name = names.thread_name(id);
  return name.empty() ? fmt::format("Thread {}", std::int64_t{id} + 1) : name;
}

void print_tree(const Lookup& names, const TreeRequest& request, const TreeSink& write,
                const LoadControl& control) {
  const TraceMap& map = names.map();
  std::vector<std::uint32_t> threads;
  for (std::uint32_t i = 0; i < map.threads.size(); ++i) threads.push_back(i);
  std::ranges::sort(threads, {}, [&](std::uint32_t i) { return map.threads[i].id; });
  for (const std::uint32_t thread : threads) {
    const std::int32_t id = map.threads[thread].id;
    const std::string title = thread_title(id, names);
    if (!request.thread.empty() && request.thread != title && request.thread != fmt::to_string(id))
      continue;
    std::string heading = fmt::format("# Thread {}", std::int64_t{id} + 1);
    if (threads.size() > 1) heading += fmt::format(" ({})", title);
    heading += '\n';
    if (!write(heading)) return;
    if (!ThreadText(names, request, write, control, thread).print()) return;
  }
}

}  // namespace cinderscope::lincheck
