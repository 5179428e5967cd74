#include "formats/collapsed/collapsed_load.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "formats/collapsed/change_colours.h"
#include "formats/collapsed/frame_reader.h"
#include "formats/collapsed/frame_suffix.h"
#include "ingest/base/saturating.h"
#include "ingest/build/profile/profile_diagnostics.h"
#include "ingest/build/profile/stack_chains.h"

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
    add_block();
    return End::whole;
  }

  const StackFacts& facts() const { return facts_; }
  const Diagnostics& diagnostics() const { return diagnostics_; }
  std::uint64_t lines() const { return lines_; }

  LaidOutStacks lay_out(std::size_t weight) {
    LaidOutStacks laid{.facts = facts_, .weight = weight, .calls = chains_.call_count()};
    const std::vector<StringId> names = facts_.two_counts ? changed_names() : kind_names();
    laid.kinds = kinds();
    LargePageVector<std::uint32_t> numbers;
    const CallChains chains = std::move(chains_).finish(names, numbers);
    for (CallWeights& weights : measured_) {
      weights.renumber(numbers);
      weights.sum_up(chains.caller);
    }
    laid.total = totals_.at(weight);
    TrackWriter& slices = out_.slices(out_.thread(out_.process("-"), "-"));
    lay_out_weights(chains, measured_[weight], *out_.strings(), slices, out_.diagnostics());
    // One weight alone is what slices are long.
    if (measured_.size() > 1) {
      for (const CallWeights& weights : measured_) {
        laid.measured.push_back(weights.of_calls(chains));
      }
    }
    return laid;
  }

 private:
  // Stacks that are known by their functions, not by their calls yet.
  struct Block {
    std::vector<std::uint32_t> functions;
    std::vector<std::size_t> ends;  // of each stack, among the functions
    std::vector<std::array<std::int64_t, 2>> counts;
    std::vector<std::uint32_t> innermost;
  };

  static constexpr std::uint64_t kLeastGuessed = std::uint64_t{1} << 20;
  static constexpr std::size_t kBlockStacks = 64, kBlockFrames = 4096;

  // Columns that grow are written twice as much: how many calls the first part had tells how many
  // there will be. None takes less than two bytes of text.
  void guess_calls(std::uint64_t at, std::uint64_t all) {
    next_guess_ = at < all / 4 ? all / 4 : UINT64_MAX;
    const auto calls = static_cast<double>(std::max<std::size_t>(chains_.call_count(), 1));
    const double most = calls + static_cast<double>(all - at) / 2;
    const double share = static_cast<double>(all) / static_cast<double>(at);
    const double growth = std::min(share * 1.02, most / calls);
    chains_.expect(growth);
    const double chains = static_cast<double>(chains_.size()) * growth;
    for (CallWeights& weights : measured_) weights.expect(static_cast<std::size_t>(chains));
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

  bool add(const StackLine& line, std::uint64_t at) {
    const bool two = facts_.two_counts;
    const auto go_on = [&](std::size_t bytes) {
      return at + bytes < next_tick_ || tick(at + bytes);
    };
    if (!frames_.read(two ? line.before : line.stack, block_.functions, go_on)) return false;
    block_.ends.push_back(block_.functions.size());
    const std::size_t last = line.count_number == 2 && !two ? 1 : 0;
    std::array<std::int64_t, 2>& counts = block_.counts.emplace_back();
    for (std::size_t i = 0; i < measured_.size(); ++i) {
      counts.at(i) = value(line.counts.at(two ? i : last));
      totals_.at(i) = saturating_sum(totals_.at(i), counts.at(i));
    }
    ++lines_;
    if (block_.ends.size() == kBlockStacks || block_.functions.size() >= kBlockFrames) add_block();
    return true;
  }

  void add_block() {
    block_.innermost.resize(block_.ends.size());
    chains_.add(block_.functions, block_.ends, block_.innermost.data());
    for (std::size_t stack = 0; stack < block_.ends.size(); ++stack) {
      for (std::size_t i = 0; i < measured_.size(); ++i) {
        measured_[i].add(block_.innermost[stack], block_.counts[stack].at(i));
      }
    }
    block_.functions.clear();
    block_.ends.clear();
    block_.counts.clear();
  }

  const TextNumbers& functions() const { return frames_.functions(); }

  std::int64_t value(const LineCount& count) const {
    return facts_.fractions ? count.thousandths : count.whole;
  }

  // Of each function, coloured by what it is.
  std::vector<StringId> kind_names() {
    std::vector<StringId> names;
    names.reserve(functions().size());
    FrameNames frame_names(*out_.strings());
    for (const std::string_view name : functions().texts()) {
      names.push_back(frame_names.intern(name, label_of(name), kind_of(name)));
    }
    out_.set_legend(frame_names.legend(suffix_of));
    return names;
  }

  // The same, coloured by how much the second count is above the first; nothing is summed up yet.
  std::vector<StringId> changed_names() {
    std::vector<std::int64_t> changes(functions().size(), 0);
    for (std::uint32_t chain = 0; chain < measured_[0].calls(); ++chain) {
      std::int64_t& change = changes[chains_.last_function(chain)];
      change = saturating_sum(
          change, saturating_difference(measured_[1].size(chain), measured_[0].size(chain)));
    }
    const std::vector<std::uint32_t> colours = colours_of_changes(changes);
    std::vector<StringId> names;
    names.reserve(functions().size());
    ReadableNames readable;
    for (std::uint32_t i = 0; i < functions().size(); ++i) {
      const std::string_view name = functions().text(i);
      names.push_back(out_.strings()->intern(name, readable.of(label_of(name)), colours[i]));
    }
    out_.set_legend(legend_of_changes());
    return names;
  }

  // Of each call; empty if all are usual.
  std::vector<FrameKind> kinds() const {
    std::vector<FrameKind> kind_of_function;
    bool any = false;
    for (const std::string_view name : functions().texts()) {
      kind_of_function.push_back(kind_of(name));
      any = any || kind_of_function.back() != FrameKind::usual;
    }
    std::vector<FrameKind> kinds(any ? chains_.call_count() : 0);
    for (std::uint32_t call = 0; call < kinds.size(); ++call) {
      kinds[call] = kind_of_function[chains_.function(call)];
    }
    return kinds;
  }

  StackFacts facts_;
  bool austin_ = false;
  TimelineBuilder& out_;
  LoadContext& context_;
  StackChains chains_;
  FrameReader frames_;
  Block block_;
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
