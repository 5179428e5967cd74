#include "formats/collapsed/collapsed_load.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "ingest/base/saturating.h"
#include "ingest/build/profile/call_nodes.h"
#include "ingest/build/profile/profile_diagnostics.h"

namespace cinderscope::collapsed {
namespace {

constexpr DiagnosticKind kBadStackLine{"bad_line", Severity::damage,
                                       "A line is no stack with a count and was left out."};

// What the ends of names say of functions, by stackcollapse-perf.pl and its kin.
struct FunctionKind {
  std::string_view suffix, word;
  std::uint32_t colour;
};
constexpr std::array<FunctionKind, 4> kKinds = {
    {{"_[k]", "kernel", 15}, {"_[j]", "jit", 3}, {"_[i]", "inlined", 8}, {"_[w]", "waker", 11}}};

const FunctionKind* kind_of(std::string_view name) {
  const auto* kind =
      std::ranges::find_if(kKinds, [&](const auto& each) { return name.ends_with(each.suffix); });
  return kind == kKinds.end() ? nullptr : kind;
}

StackFacts facts_of(std::string_view text) {
  StackFacts facts;
  std::uint64_t counted = 0, with_two = 0;
  bool austin = false;
  bool last_fraction = false, first_fraction = false;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (is_remark(line)) {
      const std::size_t colon = line.find(": ");
      if (!line.starts_with("# ") || colon == std::string_view::npos) continue;
      const std::string_view key = line.substr(2, colon - 2), value = line.substr(colon + 2);
      if (facts.notes.size() < 100) facts.notes.emplace_back(key, value);
      if (key == "austin") {
        austin = true;
        facts.unit = "microseconds";
      } else if (key == "mode" && austin && value.starts_with("memory")) {
        facts.unit = "bytes";
      }
      continue;
    }
    const StackLine stack = read_stack_line(line);
    if (!stack.counted()) continue;
    ++counted;
    if (stack.count_number == 2) {
      ++with_two;
      first_fraction = first_fraction || stack.counts[0].has_fraction;
    }
    last_fraction = last_fraction || stack.counts[stack.count_number == 2 ? 1 : 0].has_fraction;
  }
  facts.two_counts = counted > 0 && with_two == counted;
  facts.fractions = last_fraction || (facts.two_counts && first_fraction);
  return facts;
}

class StackReader {
 public:
  StackReader(const StackFacts& facts, TimelineBuilder& out, LoadContext& context)
      : facts_(facts), out_(out), context_(context), measured_(facts.two_counts ? 2 : 1) {}

  // False once cancelled.
  bool read(std::string_view text, bool cut) {
    const std::string_view all = text;
    while (!text.empty()) {
      const auto at = static_cast<std::uint64_t>(all.size() - text.size());
      const bool goes_on = text.find('\n') == std::string_view::npos;
      const std::string_view line = take_line(text);
      if (at >= next_tick_ && !tick(at)) return false;
      if (is_remark(line)) continue;
      const StackLine stack = read_stack_line(line);
      if (goes_on && (cut || !stack.counted())) {
        out_.diagnostics().count(profile_diagnostic::kCutProfile, static_cast<std::int64_t>(at));
      } else if (!stack.counted()) {
        out_.diagnostics().count(kBadStackLine, static_cast<std::int64_t>(at));
      } else if (!add(stack, at)) {
        return false;
      }
    }
    return true;
  }

  std::uint64_t lines() const { return lines_; }

  LaidOutStacks lay_out(std::size_t weight) {
    LaidOutStacks laid{.facts = facts_, .weight = weight};
    std::vector<StringId> names;
    names.reserve(functions_.size());
    for (const std::string_view name : functions_) names.push_back(intern(name));
    for (std::uint32_t call = 0; call < nodes_.size(); ++call) {
      const FunctionKind* kind = kind_of(functions_[nodes_.function(call)]);
      if (kind == nullptr) continue;
      laid.kinds.resize(nodes_.size());
      laid.kinds[call] = static_cast<std::uint8_t>(kind - kKinds.data() + 1);
    }
    const CallTree tree = std::move(nodes_).tree(names);
    for (CallWeights& weights : measured_) weights.sum_up(tree);
    laid.measured = std::move(measured_);
    laid.total = totals_.at(weight);
    TrackWriter& slices = out_.slices(out_.thread(out_.process("-"), "-"));
    lay_out_weights(tree, laid.measured[weight], *out_.strings(), slices, out_.diagnostics());
    out_.set_legend(legend());
    return laid;
  }

 private:
  struct Frame {
    std::size_t end;  // within the stack's text
    std::uint32_t call;
  };

  bool tick(std::uint64_t at) {
    next_tick_ = at + context_.window_bytes();
    return context_.tick(out_, at);
  }

  // Lines that follow each other share most of their stacks: these frames are not looked up again.
  bool add(const StackLine& line, std::uint64_t at) {
    const bool two = facts_.two_counts;
    const std::string_view stack = two ? line.before : line.stack;
    std::uint32_t call = kNoCall;
    if (const auto known = stacks_.find(stack); known != stacks_.end()) {
      call = known->second;
    } else if (!walk(stack, at, call)) {
      return false;
    }
    const std::size_t last = line.count_number == 2 && !two ? 1 : 0;
    for (std::size_t i = 0; i < measured_.size(); ++i) {
      const std::int64_t count = value(line.counts.at(two ? i : last));
      measured_[i].add(call, count);
      totals_.at(i) = saturating_sum(totals_.at(i), count);
    }
    ++lines_;
    return true;
  }

  // The innermost call of a stack that was not seen before; false once cancelled.
  bool walk(std::string_view stack, std::uint64_t at, std::uint32_t& call) {
    const std::size_t most = std::min(stack.size(), last_.size());
    const auto same = static_cast<std::size_t>(
        std::mismatch(stack.begin(), stack.begin() + static_cast<std::ptrdiff_t>(most),
                      last_.begin())
            .first -
        stack.begin());
    const auto is_shared = [&](const Frame& frame) {
      return frame.end < same ||
             (frame.end == same && (frame.end == stack.size() || stack[frame.end] == ';') &&
              (frame.end == last_.size() || last_[frame.end] == ';'));
    };
    while (!frames_.empty() && !is_shared(frames_.back())) frames_.pop_back();
    call = frames_.empty() ? kNoCall : frames_.back().call;
    std::size_t begin = frames_.empty() ? 0 : frames_.back().end + 1;
    while (begin <= stack.size()) {
      const std::size_t end = std::min(stack.find(';', begin), stack.size());
      call = nodes_.call(call, function(stack.substr(begin, end - begin)));
      frames_.push_back({end, call});
      begin = end + 1;
      if (at + begin >= next_tick_ && !tick(at + begin)) return false;
    }
    last_ = stack;
    if (stacks_.size() < kMostKnownStacks) stacks_.emplace(stack, call);
    return true;
  }

  std::int64_t value(const LineCount& count) const {
    return facts_.fractions ? count.thousandths : count.whole;
  }

  std::uint32_t function(std::string_view name) {
    const auto [known, is_new] =
        function_ids_.try_emplace(name, static_cast<std::uint32_t>(functions_.size()));
    if (is_new) functions_.push_back(name);
    return known->second;
  }

  // The end of a name is its colour, not to be read in every box.
  StringId intern(std::string_view name) {
    const FunctionKind* kind = kind_of(name);
    if (kind == nullptr) return out_.intern(name);
    seen_kinds_.at(static_cast<std::size_t>(kind - kKinds.data())) = true;
    return out_.strings()->intern(name, name.substr(0, name.size() - kind->suffix.size()),
                                  kind->colour);
  }
  std::vector<LegendEntry> legend() const {
    std::vector<LegendEntry> entries;
    for (std::size_t i = 0; i < kKinds.size(); ++i) {
      if (!seen_kinds_.at(i)) continue;
      entries.push_back(
          {std::string(kKinds.at(i).word), kKinds.at(i).colour, std::string(kKinds.at(i).suffix)});
    }
    return entries;
  }

  const StackFacts& facts_;
  TimelineBuilder& out_;
  LoadContext& context_;
  CallNodes nodes_;
  std::unordered_map<std::string_view, std::uint32_t> function_ids_;
  std::vector<std::string_view> functions_;
  std::array<bool, kKinds.size()> seen_kinds_{};
  // Files that are not sorted have the same stack again and again.
  static constexpr std::size_t kMostKnownStacks = 1 << 20;
  std::unordered_map<std::string_view, std::uint32_t> stacks_;
  std::string_view last_;  // stack that was walked
  std::vector<Frame> frames_;
  std::vector<CallWeights> measured_;
  std::array<std::int64_t, 2> totals_{};
  std::uint64_t next_tick_ = 0, lines_ = 0;
};

}  // namespace

std::string_view word_of_kind(std::uint8_t kind) {
  return kind == 0 || kind > kKinds.size() ? std::string_view() : kKinds.at(kind - 1u).word;
}

std::vector<Weight> StackFacts::weights() const {
  if (two_counts) return {{"before", unit}, {"after", unit}};
  return {{unit, unit}};
}

Result<LaidOutStacks> load_stacks(std::string_view text, bool cut, TimelineBuilder& out,
                                  LoadContext& context) {
  const StackFacts facts = facts_of(text);
  const std::vector<Weight> weights = facts.weights();
  const std::size_t weight =
      find_weight(weights, context.options().weight).value_or(weights.size() - 1);
  out.use_axis({facts.unit, facts.scale()});
  out.use_weights(weights, weight);
  for (const auto& [key, value] : facts.notes) out.note(key, value);
  StackReader reader(facts, out, context);
  if (!reader.read(text, cut)) return Error{ErrorCode::cancelled, "Loading was cancelled."};
  if (reader.lines() == 0) {
    return Error{.code = ErrorCode::not_recognised,
                 .text = "No line of this text is a stack with a count.",
                 .expected = "Collapsed stacks have lines such as \"main;draw 12\"."};
  }
  out.count_samples(reader.lines());
  out.count_records(reader.lines());
  return reader.lay_out(weight);
}

}  // namespace cinderscope::collapsed
