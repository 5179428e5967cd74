#include "formats/collapsed/collapsed_load.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "formats/collapsed/change_colours.h"
#include "formats/collapsed/frame_suffix.h"
#include "formats/collapsed/stack_text.h"
#include "ingest/base/saturating.h"
#include "ingest/build/profile/call_nodes.h"
#include "ingest/build/profile/profile_diagnostics.h"
#include "ingest/build/profile/text_numbers.h"

namespace cinderscope::collapsed {
namespace {

constexpr DiagnosticKind kBadStackLine{"bad_line", Severity::damage,
                                       "A line is no stack with a count and was left out."};

// A difference has two counts on every line; most files are none by their first line.
bool has_two_counts(std::string_view text) {
  bool any = false;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (is_remark(line)) continue;
    const StackLine stack = read_stack_line(line);
    if (!stack.counted()) continue;
    if (stack.count_number != 2) return false;
    any = true;
  }
  return any;
}

class StackReader {
 public:
  enum class End : std::uint8_t {
    whole,
    cancelled,
    fraction,  // there is one, and counts were not read as such
  };

  // `facts` tells how counts are to be read; remarks add to it.
  StackReader(StackFacts facts, TimelineBuilder& out, LoadContext& context)
      : facts_(std::move(facts)),
        out_(out),
        context_(context),
        measured_(facts_.two_counts ? 2 : 1) {}

  End read(std::string_view text, bool cut) {
    const std::string_view all = text;
    next_guess_ = std::max<std::uint64_t>(all.size() / 16, kLeastGuessed);
    while (!text.empty()) {
      const auto at = static_cast<std::uint64_t>(all.size() - text.size());
      const std::string_view line = take_line(text);
      const bool goes_on = text.empty() && !all.ends_with('\n');
      if (at >= next_tick_ && !tick(at)) return End::cancelled;
      if (at >= next_guess_) guess_calls(at, all.size());
      if (is_remark(line)) {
        note(line);
        continue;
      }
      const StackLine stack = read_stack_line(line);
      const auto offset = static_cast<std::int64_t>(at);
      if (goes_on && (cut || !stack.counted())) {
        diagnostics_.count(profile_diagnostic::kCutProfile, offset);
      } else if (!stack.counted()) {
        diagnostics_.count(kBadStackLine, offset);
      } else if (!facts_.fractions && has_fraction(stack)) {
        return End::fraction;
      } else if (!add(stack, at)) {
        return End::cancelled;
      }
    }
    return End::whole;
  }

  const StackFacts& facts() const { return facts_; }
  const Diagnostics& diagnostics() const { return diagnostics_; }
  std::uint64_t lines() const { return lines_; }

  LaidOutStacks lay_out(std::size_t weight) {
    LaidOutStacks laid{.facts = facts_, .weight = weight, .calls = nodes_.size()};
    const std::vector<StringId> names = facts_.two_counts ? changed_names() : kind_names();
    laid.kinds = kinds();
    const CallTree tree = std::move(nodes_).tree_without_depths(names);
    for (CallWeights& weights : measured_) weights.sum_up(tree);
    laid.total = totals_.at(weight);
    TrackWriter& slices = out_.slices(out_.thread(out_.process("-"), "-"));
    lay_out_weights(tree, measured_[weight], *out_.strings(), slices, out_.diagnostics());
    // One weight alone is what slices are long.
    if (measured_.size() > 1) laid.measured = std::move(measured_);
    return laid;
  }

 private:
  struct Frame {
    std::size_t end;  // within the stack's text
    std::uint32_t call;
  };

  static constexpr std::uint64_t kLeastGuessed = std::uint64_t{1} << 20;

  // Columns that grow are written twice as much: how many calls the first part had tells how many
  // there will be. None takes less than two bytes of text.
  void guess_calls(std::uint64_t at, std::uint64_t all) {
    next_guess_ = at < all / 4 ? all / 4 : UINT64_MAX;
    const std::uint64_t calls = nodes_.size();
    const double share = static_cast<double>(all) / static_cast<double>(at);
    const auto guessed = static_cast<std::uint64_t>(static_cast<double>(calls) * share * 1.02);
    const std::uint64_t most = std::min(guessed, calls + (all - at) / 2);
    nodes_.expect(most);
    for (CallWeights& weights : measured_) weights.expect(most);
  }

  void note(std::string_view line) {
    const std::size_t colon = line.find(": ");
    if (!line.starts_with("# ") || colon == std::string_view::npos) return;
    const std::string_view key = line.substr(2, colon - 2), value = line.substr(colon + 2);
    if (facts_.notes.size() < 100) facts_.notes.emplace_back(key, value);
    if (key == "austin") {
      austin_ = true;
      facts_.unit = "microseconds";
    } else if (key == "mode" && austin_ && value.starts_with("memory")) {
      facts_.unit = "bytes";
    }
  }

  // Of the counts that are meant: the last one, or both.
  bool has_fraction(const StackLine& line) const {
    const bool two = line.count_number == 2;
    return line.counts[two ? 1 : 0].has_fraction ||
           (facts_.two_counts && line.counts[0].has_fraction);
  }

  bool tick(std::uint64_t at) {
    next_tick_ = at + context_.window_bytes();
    return context_.tick(out_, at);
  }

  // Lines that follow each other share most of their stacks: these frames are not looked up again.
  bool add(const StackLine& line, std::uint64_t at) {
    const bool two = facts_.two_counts;
    const std::string_view stack = two ? line.before : line.stack;
    std::uint32_t call = kNoCall;
    if (!walk(stack, at, call)) return false;
    const std::size_t last = line.count_number == 2 && !two ? 1 : 0;
    for (std::size_t i = 0; i < measured_.size(); ++i) {
      const std::int64_t count = value(line.counts.at(two ? i : last));
      measured_[i].add(call, count);
      totals_.at(i) = saturating_sum(totals_.at(i), count);
    }
    ++lines_;
    return true;
  }

  // The innermost call of a stack; false once cancelled.
  bool walk(std::string_view stack, std::uint64_t at, std::uint32_t& call) {
    const std::size_t same = shared_length(stack, last_);
    const auto is_shared = [&](const Frame& frame) {
      return frame.end < same ||
             (frame.end == same && (frame.end == stack.size() || stack[frame.end] == ';') &&
              (frame.end == last_.size() || last_[frame.end] == ';'));
    };
    while (!frames_.empty() && !is_shared(frames_.back())) frames_.pop_back();
    call = frames_.empty() ? kNoCall : frames_.back().call;
    std::size_t begin = frames_.empty() ? 0 : frames_.back().end + 1;
    while (begin <= stack.size()) {
      const std::size_t end = frame_end(stack, begin);
      call = nodes_.call(call, functions_.number_of(stack.substr(begin, end - begin)));
      frames_.push_back({end, call});
      begin = end + 1;
      if (at + begin >= next_tick_ && !tick(at + begin)) return false;
    }
    last_ = stack;
    return true;
  }

  std::int64_t value(const LineCount& count) const {
    return facts_.fractions ? count.thousandths : count.whole;
  }

  // Of each function, coloured by what it is.
  std::vector<StringId> kind_names() {
    std::vector<StringId> names;
    names.reserve(functions_.size());
    FrameNames frame_names(*out_.strings());
    for (const std::string_view name : functions_.texts()) {
      names.push_back(frame_names.intern(name, label_of(name), kind_of(name)));
    }
    out_.set_legend(frame_names.legend(suffix_of));
    return names;
  }

  // The same, coloured by how much the second count is above the first; nothing is summed up yet.
  std::vector<StringId> changed_names() {
    std::vector<std::int64_t> changes(functions_.size(), 0);
    for (std::uint32_t call = 0; call < measured_[0].calls(); ++call) {
      std::int64_t& change = changes[nodes_.function(call)];
      change = saturating_sum(
          change, saturating_difference(measured_[1].size(call), measured_[0].size(call)));
    }
    const std::vector<std::uint32_t> colours = colours_of_changes(changes);
    std::vector<StringId> names;
    names.reserve(functions_.size());
    ReadableNames readable;
    for (std::uint32_t i = 0; i < functions_.size(); ++i) {
      const std::string_view name = functions_.text(i);
      names.push_back(out_.strings()->intern(name, readable.of(label_of(name)), colours[i]));
    }
    out_.set_legend(legend_of_changes());
    return names;
  }

  // Of each call; empty if all are usual.
  std::vector<FrameKind> kinds() const {
    std::vector<FrameKind> kind_of_function;
    bool any = false;
    for (const std::string_view name : functions_.texts()) {
      kind_of_function.push_back(kind_of(name));
      any = any || kind_of_function.back() != FrameKind::usual;
    }
    std::vector<FrameKind> kinds(any ? nodes_.size() : 0);
    for (std::uint32_t call = 0; call < kinds.size(); ++call) {
      kinds[call] = kind_of_function[nodes_.function(call)];
    }
    return kinds;
  }

  StackFacts facts_;
  bool austin_ = false;
  TimelineBuilder& out_;
  LoadContext& context_;
  CallNodes nodes_;
  TextNumbers functions_;
  std::string_view last_;  // stack that was walked
  std::vector<Frame> frames_;
  std::vector<CallWeights> measured_;
  std::array<std::int64_t, 2> totals_{};
  Diagnostics diagnostics_;
  std::uint64_t next_tick_ = 0, next_guess_ = 0, lines_ = 0;
};

}  // namespace

std::vector<Weight> StackFacts::weights() const {
  if (two_counts) return {{"before", unit}, {"after", unit}};
  return {{unit, unit}};
}

Result<LaidOutStacks> load_stacks(std::string_view text, bool cut, TimelineBuilder& out,
                                  LoadContext& context) {
  StackFacts facts{.two_counts = has_two_counts(text)};
  auto reader = std::make_unique<StackReader>(facts, out, context);
  StackReader::End end = reader->read(text, cut);
  if (end == StackReader::End::fraction) {
    facts.fractions = true;
    reader = std::make_unique<StackReader>(facts, out, context);
    end = reader->read(text, cut);
  }
  if (end == StackReader::End::cancelled) {
    return Error{ErrorCode::cancelled, "Loading was cancelled."};
  }
  if (reader->lines() == 0) {
    return Error{.code = ErrorCode::not_recognised,
                 .text = "No line of this text is a stack with a count.",
                 .expected = "Collapsed stacks have lines such as \"main;draw 12\"."};
  }
  const std::vector<Weight> weights = reader->facts().weights();
  const std::size_t weight =
      find_weight(weights, context.options().weight).value_or(weights.size() - 1);
  out.use_axis({reader->facts().unit, reader->facts().scale()});
  out.use_weights(weights, weight);
  for (const auto& [key, value] : reader->facts().notes) out.note(key, value);
  out.diagnostics().merge(reader->diagnostics());
  out.count_samples(reader->lines());
  out.count_records(reader->lines());
  return reader->lay_out(weight);
}

}  // namespace cinderscope::collapsed
