#include "formats/speedscope/speedscope_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "formats/speedscope/evented_profile.h"
#include "formats/speedscope/frame_numbers.h"
#include "ingest/base/decimal_time.h"
#include "ingest/base/json/json_walk.h"
#include "ingest/base/json/raw_json.h"
#include "ingest/base/saturating.h"
#include "ingest/build/passing_memory.h"
#include "ingest/build/profile/call_nodes.h"
#include "ingest/build/profile/profile_diagnostics.h"

namespace cinderscope::speedscope {
namespace {

constexpr DiagnosticKind kBadWeight{"negative_duration", Severity::odd,
                                    "Samples whose weight is negative or no number were left out."};
constexpr DiagnosticKind kUnknownFrame{
    "unknown_name", Severity::odd, "Frames that the file does not have are shown by their number."};

// The samples of one profile, over time.
struct ReadSamples {
  std::vector<CallSample> samples;
  std::int64_t end = 0;
  std::uint64_t pairs = 0, left_over = 0;
  std::int64_t at = kNoOffset;  // of the list
  bool cut = false;
};

class ProfileLoader {
 public:
  ProfileLoader(const SpeedscopeFile& file, TimelineBuilder& out, LoadContext& context)
      : file_(file), out_(out), context_(context) {}

  Result<LoadedProfiles> load() {
    choose_axis();
    const ProcessId process = out_.process("-");
    out_.process_facts(process).name = out_.intern(file_.name);
    if (!file_.exporter.empty()) out_.note("exporter", file_.exporter);
    const auto active = index_of(file_.active_profile);
    const bool has_active = active && *active < file_.profiles.size() && file_.profiles.size() > 1;
    if (has_active) out_.note("active profile", file_.profiles[*active].name);
    // Calls of all profiles come first: a tree takes them all, with the names of their frames.
    std::vector<ReadSamples> sampled(file_.profiles.size());
    std::vector<EventList> evented(file_.profiles.size());
    for (std::size_t i = 0; i < file_.profiles.size(); ++i) {
      const FileProfile& profile = file_.profiles[i];
      if (profile.type == ProfileType::sampled) {
        if (!read_samples(profile, sampled[i])) return stopped();
        cut_ = cut_ || sampled[i].cut;
        found_ += sampled[i].pairs;
      } else if (profile.type == ProfileType::evented) {
        if (!read_events(profile, evented[i])) return stopped();
        cut_ = cut_ || evented[i].cut;
        found_ += evented[i].events.size();
      }
    }
    if (found_ == 0) {
      return Error{.code = ErrorCode::damaged,
                   .text = "This profile of speedscope has no samples and no events."};
    }
    name_frames();
    const CallTree tree = tree_of_frames();
    for (std::size_t i = 0; i < file_.profiles.size(); ++i) {
      const ThreadId thread = out_.thread(process, fmt::to_string(i));
      out_.thread_facts(thread).name = out_.intern(file_.profiles[i].name);
      out_.thread_facts(thread).sort_index = static_cast<double>(i);
      if (has_active && i == *active) active_thread_ = thread;
      if (file_.profiles[i].type == ProfileType::evented) {
        write_events(evented[i], names_, out_.slices(thread), open_count_, out_.diagnostics());
        release(evented[i]);
      } else if (file_.profiles[i].type == ProfileType::sampled) {
        write(tree, sampled[i], thread);
        release(sampled[i]);
      }
      if (!context_.tick(out_, done_bytes_)) return stopped();
    }
    if (cut_ || file_.cut_at) {
      out_.diagnostics().count(profile_diagnostic::kCutProfile,
                               file_.cut_at ? static_cast<std::int64_t>(*file_.cut_at) : kNoOffset);
    }
    return LoadedProfiles{.frames = std::move(kept_),
                          .profiles = file_.profiles.size(),
                          .types = file_.types(),
                          .units = file_.units(),
                          .exporter = file_.exporter,
                          .scale = scale_,
                          .active = active_thread_};
  }

 private:
  std::int64_t offset_of(std::string_view part) const { return part.data() - file_.text.data(); }

  static Error stopped() { return {ErrorCode::cancelled, "Loading was cancelled."}; }

  void choose_axis() {
    const auto is_sampled = [](const FileProfile& profile) {
      return profile.type == ProfileType::sampled;
    };
    const bool clock = file_.has_clock();
    for (const FileProfile& profile : file_.profiles) {
      if (!profile.time_power() && has_fractions(profile)) scale_ = 1000;
    }
    const std::vector<std::string> units = file_.units();
    const bool one_unit = units.size() == 1 && !clock;
    // "none" tells nothing.
    const std::string word = !one_unit ? "mixed units" : units[0] == "none" ? "" : units[0];
    std::size_t weight = 0;
    if (!file_.profiles.empty() && std::ranges::all_of(file_.profiles, is_sampled)) {
      const Weight usual = clock          ? Weight{"time", "nanoseconds"}
                           : word.empty() ? Weight{"weight", "none"}
                                          : Weight{word, word};
      const std::vector<Weight> weights = {usual, {"samples", "samples"}};
      weight = find_weight(weights, context_.options().weight).value_or(0);
      out_.use_weights(weights, weight);
    }
    by_number_ = weight == 1;
    if (by_number_) {
      scale_ = 1;
      out_.count_events_by_thread({"samples", 1});
    } else if (!clock) {
      out_.count_events_by_thread({word, one_unit ? scale_ : 1});
    }
  }

  bool has_fractions(const FileProfile& profile) const {
    bool found = false;
    const auto look = [&](std::string_view raw) {
      // Thousandths may round to whole ones, as those of 3.9996 do.
      const std::optional<double> value = json::number_of(json::trim_blanks(raw));
      found = found || (value && std::trunc(*value) != *value);
    };
    look(profile.start);
    look(profile.end);
    if (profile.type == ProfileType::evented) {
      json::JsonWalk walk(profile.events);
      for (bool in = walk.enter('['); in && !found && walk.next_item();) {
        look(json::member(walk.value(), "at"));
      }
    } else {
      json::JsonWalk walk(profile.weights);
      for (bool in = walk.enter('['); in && !found && walk.next_item();) look(walk.value());
    }
    return found;
  }

  // The power of ten that makes steps of the axis of the profile's numbers.
  int power_of(const FileProfile& profile) const {
    return profile.time_power().value_or(scale_ == 1000 ? 3 : 0);
  }

  bool tick(std::size_t bytes) {
    unticked_ += bytes;
    if (unticked_ < context_.window_bytes()) return true;
    done_bytes_ += std::exchange(unticked_, 0);
    return context_.tick(out_, done_bytes_);
  }

  // False once cancelled.
  bool read_samples(const FileProfile& profile, ReadSamples& out) {
    const int power = power_of(profile);
    if (!profile.samples.empty()) out.at = offset_of(profile.samples);
    std::int64_t at = 0;
    if (const auto start = time_from_decimal(profile.start, power)) at = start->ns;
    out.end = at;
    json::JsonWalk samples(profile.samples), weights(profile.weights);
    const bool both = samples.enter('[') && weights.enter('[');
    bool sample_there = both && samples.next_item(), weight_there = both && weights.next_item();
    for (; sample_there && weight_there;
         sample_there = samples.next_item(), weight_there = weights.next_item()) {
      const std::size_t begin = samples.offset(), weight_at = weights.offset();
      const std::string_view stack = samples.value(), raw = weights.value();
      if (samples.cut() || weights.cut()) break;
      const auto call = call_of(stack);
      if (!call) {
        out.cut = true;
        return true;
      }
      ++out.pairs;
      const auto weight = time_from_decimal(raw, power);
      if (!weight || weight->ns < 0) {
        out_.diagnostics().count(kBadWeight,
                                 offset_of(profile.weights) + static_cast<std::int64_t>(weight_at));
      } else if (weight->ns > 0) {
        out.samples.push_back({at, *call});
        at = std::min(saturating_sum(at, weight->ns), kMaxTimeNs);
        out.end = at;
      }
      if (!tick(samples.offset() - begin)) return false;
    }
    for (; sample_there && !samples.cut(); sample_there = samples.next_item()) {
      samples.skip();
      out.left_over += samples.cut() ? 0 : 1;
    }
    for (; weight_there && !weights.cut(); weight_there = weights.next_item()) {
      weights.skip();
      out.left_over += weights.cut() ? 0 : 1;
    }
    out.cut = both && (samples.cut() || weights.cut());
    return true;
  }

  // The innermost call of a stack, outermost first. What it has in common with the text of the one
  // before is not read again. Nothing if it is damaged.
  std::optional<std::uint32_t> call_of(std::string_view stack) {
    if (!json::is_array(stack)) return kNoCall;
    const std::size_t most = std::min(stack.size(), last_stack_.size());
    const auto same = static_cast<std::size_t>(
        std::mismatch(stack.data(), stack.data() + most, last_stack_.data()).first - stack.data());
    while (!last_frames_.empty() && last_frames_.back().end >= same) last_frames_.pop_back();
    last_stack_ = stack;
    const std::size_t from = last_frames_.empty() ? 1 : last_frames_.back().end;
    std::uint32_t call = last_frames_.empty() ? kNoCall : last_frames_.back().call;
    json::JsonWalk walk(stack.substr(from));
    while (walk.next_item()) {
      const auto frame = index_of(walk.value());
      if (walk.cut()) return std::nullopt;
      if (!frame) continue;
      call = nodes_.call(call, numbers_.number_of(*frame));
      last_frames_.push_back({from + walk.offset(), call});
    }
    if (walk.cut()) return std::nullopt;
    return call;
  }

  bool read_events(const FileProfile& profile, EventList& out) {
    const int power = power_of(profile);
    if (const auto end = time_from_decimal(profile.end, power)) out.end = end->ns;
    json::JsonWalk walk(profile.events);
    if (!walk.enter('[')) return true;
    while (walk.next_item()) {
      const std::size_t begin = walk.offset();
      read_event(walk, offset_of(profile.events), power, numbers_, out, out_.diagnostics());
      if (!tick(walk.offset() - begin)) return false;
    }
    out.cut = walk.cut();
    return true;
  }

  void write(const CallTree& tree, ReadSamples& read, ThreadId thread) {
    Diagnostics& diagnostics = out_.diagnostics();
    // Where the input ends it cannot be told how long both lists were.
    if (!read.cut) {
      diagnostics.count(profile_diagnostic::kUnequalLists, read.at, {}, read.left_over);
    }
    out_.count_samples(read.pairs);
    out_.count_records(read.pairs);
    if (by_number_) {
      number_samples(read.samples);
      read.end = static_cast<std::int64_t>(read.samples.size());
    }
    write_samples(tree, read.samples, read.end, kNoRecord, out_.slices(thread), budget_,
                  diagnostics);
  }

  CallTree tree_of_frames() {
    std::vector<std::uint32_t> records(nodes_.size());
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) records[i] = nodes_.function(i);
    CallTree tree = std::move(nodes_).tree(names_);
    tree.records = CallTree::Records::listed;
    tree.record = std::move(records);
    return tree;
  }

  void name_frames() {
    std::uint64_t unknown = 0;
    for (const std::uint64_t frame : numbers_.frames()) {
      KeptFrame& kept = kept_.emplace_back();
      if (frame >= file_.frames.size()) {
        ++unknown;
        names_.push_back(out_.intern(fmt::format("[frame {}]", frame)));
        continue;
      }
      const SharedFrame& shared = file_.frames[frame];
      names_.push_back(out_.intern(json::text_of(shared.name)));
      kept.file = out_.intern(json::text_of(shared.file));
      kept.line = line_number(shared.line);
      kept.column = line_number(shared.column);
    }
    out_.diagnostics().count(kUnknownFrame, kNoOffset, {}, unknown);
  }
  static std::uint32_t line_number(std::string_view raw) {
    const auto number = time_from_decimal(raw, 0);
    if (!number) return 0;
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(number->ns, 0, UINT32_MAX));
  }

  const SpeedscopeFile& file_;
  TimelineBuilder& out_;
  LoadContext& context_;
  std::uint32_t scale_ = 1;
  bool by_number_ = false, cut_ = false;
  ThreadId active_thread_ = kNoThread;
  struct ReadFrame {
    std::size_t end;  // within the text of its stack
    std::uint32_t call;
  };
  CallNodes nodes_;
  std::string_view last_stack_;
  std::vector<ReadFrame> last_frames_;
  FrameNumbers numbers_;
  std::vector<StringId> names_;  // by number
  std::vector<KeptFrame> kept_;
  std::vector<std::uint32_t> open_count_;
  SampleBudget budget_;
  std::uint64_t found_ = 0, done_bytes_ = 0, unticked_ = 0;
};

}  // namespace

Result<LoadedProfiles> load_profiles(const SpeedscopeFile& file, TimelineBuilder& out,
                                     LoadContext& context) {
  return ProfileLoader(file, out, context).load();
}

}  // namespace cinderscope::speedscope
