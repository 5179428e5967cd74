#include "formats/lincheck/text/tree_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "formats/lincheck/text/point_text.h"
#include "formats/lincheck/text/tidy.h"
#include "formats/lincheck/thread_walk.h"
#include "ingest/format/load_context.h"

namespace cinderscope::lincheck {
namespace {

constexpr std::uint64_t kStepsBetweenLooks = 1024;  // at whether it was cancelled
constexpr std::uint64_t kWidestIndent = 2000;       // a line must not grow with a million levels

// What a container's header does not say.
struct ContainerFacts {
  RecordOffset footer = kNoRecord;
  std::int64_t end = INT64_MAX;  // number of the next event of the thread
  std::uint64_t children = 0;
  Tidied tidied = Tidied::kept;
  bool drops_last_iteration = false;  // of a loop: one less than its footer counts
};

class ThreadText {
 public:
  ThreadText(const Lookup& names, const TreeRequest& request, const TreeSink& write,
             const LoadContext& context, std::uint32_t thread)
      : names_(names),
        request_(request),
        write_(write),
        context_(context),
        thread_(thread),
        tidy_(names) {}

  // False if nothing more is wanted.
  bool print() { return look_ahead() && print_lines(); }

 private:
  ThreadWalk walk() const { return {names_.data(), names_.layout(), names_.map(), thread_}; }
  EventClock clock() const {
    const ThreadStream& stream = names_.map().threads[thread_];
    return EventClock(stream.blocks.empty() ? 0 : names_.map().blocks[stream.blocks.front()].clock);
  }
  bool stopped() { return ++steps_ % kStepsBetweenLooks == 0 && context_.cancelled(); }

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
        if (request_.tidy) note(open.back(), tidy_.end(true));
        ended.push_back(open.back());
        open.pop_back();
        continue;
      }
      const std::int64_t event = events.number(step.head.event);
      for (const std::size_t container : ended) facts_[container].end = event;
      ended.clear();
      if (!open.empty()) ++facts_[open.back()].children;
      if (!is_container(step.head.point)) {
        if (request_.tidy) tidy_.leaf(step);
        continue;
      }
      if (request_.tidy) tidy_.begin(step, facts_.size());
      open.push_back(facts_.size());
      facts_.emplace_back();
    }
    for (; request_.tidy && !open.empty(); open.pop_back()) note(open.back(), tidy_.end(false));
    return true;
  }

  void note(std::size_t container, const TidyDecision& decision) {
    facts_[container].tidied = decision.container;
    facts_[container].children = decision.children;
    if (!decision.dropped_child) return;
    facts_[container].drops_last_iteration = true;
    facts_[*decision.dropped_child].tidied = Tidied::dropped;
  }

  bool print_lines() {
    ThreadWalk at = walk();
    EventClock events = clock();
    WalkStep step;
    std::size_t container = 0;
    // The containers around the next point, outermost first.
    std::vector<OpenLine> open;
    while (at.next(step)) {
      if (stopped()) return false;
      if (step.is_footer) {
        open.pop_back();
        continue;
      }
      const OpenLine around = open.empty() ? OpenLine{} : open.back();
      const bool contains = is_container(step.head.point);
      const ContainerFacts facts = contains ? facts_[container++] : ContainerFacts{};
      const std::int64_t event = events.number(step.head.event);
      if (contains) open.push_back(inside(around, step, facts));
      const bool dropped =
          facts.tidied != Tidied::kept || (!contains && request_.tidy && tidy_.drops_leaf(step));
      const std::int64_t end = contains ? facts.end : event + 1;
      if (around.dropped || dropped) continue;
      if (request_.depth != 0 && around.level >= request_.depth) continue;
      if (event >= request_.end || end <= request_.begin) continue;
      begin_line(around.level);
      append_line(line_, step.at, facts.footer, names_,
                  {.with_places = request_.verbose,
                   .mark_unchanged = names_.map().is_diff,
                   .caller = around.caller,
                   .instead_of = around.stands_for,
                   .fewer_iterations = facts.drops_last_iteration});
      if (!end_line()) return false;
      if (request_.depth == 0 || around.level + 1 != request_.depth || facts.children == 0)
        continue;
      begin_line(around.level + 1);
      if (facts.children == 1) {
        line_ += "... <unloaded child>";
      } else {
        fmt::format_to(std::back_inserter(line_), "... <{} unloaded children>", facts.children);
      }
      if (!end_line()) return false;
    }
    return true;
  }

  // What a point's line needs to know of the containers around it.
  struct OpenLine {
    std::uint64_t level = 0;
    std::int32_t caller = kNoId;          // the method of the innermost call
    RecordOffset stands_for = kNoRecord;  // the outermost call that merged with its only child
    bool dropped = false;
  };
  static OpenLine inside(OpenLine line, const WalkStep& step, const ContainerFacts& facts) {
    line.dropped = line.dropped || facts.tidied == Tidied::dropped;
    if (facts.tidied == Tidied::merged) {
      if (line.stands_for == kNoRecord) line.stands_for = step.at;
      return line;
    }
    ++line.level;
    line.stands_for = kNoRecord;
    if (step.head.point == PointClass::call) line.caller = step.first_id;
    return line;
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
  const LoadContext& context_;
  std::uint32_t thread_;
  Tidy tidy_;
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
                const LoadContext& context) {
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
    if (!ThreadText(names, request, write, context, thread).print()) return;
  }
}

}  // namespace cinderscope::lincheck
